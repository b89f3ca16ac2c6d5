#pragma once
// What was done to a World, so that it can be done again and compared step by step.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cairn/attributes.h"
#include "cairn/report.h"
#include "cairn/snapshot.h"

namespace cairn {

struct WorldOptions;

namespace recording {
struct Log;
}

/// A snapshot, every call since that changed the World, and the hash of its state after each step. It can't be changed,
/// and copies share their content.
class Recording {
 public:
  std::uint64_t steps() const;  ///< [1] taken in it

  /// As those of Snapshot.
  std::string to_bytes() const;
  static Recording from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits = {});
  void save(const std::filesystem::path& file) const;
  static Recording load(const std::filesystem::path& file, const SnapshotLimits& limits = {});

 private:
  friend class World;
  friend struct recording::Log;
  explicit Recording(std::shared_ptr<const recording::Log> log);
  std::shared_ptr<const recording::Log> log_;
};

/// Where a replay first differs from what was recorded.
struct Difference {
  std::uint64_t step{0};
  std::optional<Stage> stage;
  std::string body;
  std::uint32_t world{0};
};

template <>
struct Attributes<Difference> {
  template <class S = Difference>
  static constexpr std::tuple all{
      attribute<&S::step>({.meaning = "of the recording, from 1 on; 0 if it starts from another state"}),
      attribute<&S::stage>({.meaning = "the first that wrote something else, if that can be found"}),
      attribute<&S::body>({.meaning = "the first that ends the step otherwise, if that can be found: its name, or # "
                                      "and its index in its world (World::index_of)"}),
      attribute<&S::world>({.meaning = "index, that it is in"})};
};

struct Replay {
  std::uint64_t steps{0};
  std::uint64_t hash{0};
  std::optional<Difference> difference;
};

template <>
struct Attributes<Replay> {
  template <class S = Replay>
  static constexpr std::tuple all{attribute<&S::steps>({.meaning = "whose hash was compared"}),
                                  attribute<&S::hash>({.meaning = "of the state after the last of them"}),
                                  attribute<&S::difference>({.meaning = "none: every hash is as recorded"})};
};

/// Does again what a recording holds, on any device, until a hash differs. Stage and body of a difference come
/// from what a World with WorldOptions::trace recorded of each step, or else from a second run on the CPU, if that gives
/// the recorded hashes. Throws SnapshotError if a call of the recording can't be made again.
Replay replay(const Recording& recording, const WorldOptions& options);

}  // namespace cairn
