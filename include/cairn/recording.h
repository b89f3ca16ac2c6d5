#pragma once
// Recordings of the calls to a World, to repeat them and compare step by step.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/report.h"
#include "cairn/snapshot.h"

namespace cairn {

class World;
struct WorldOptions;

namespace recording {
struct Log;
}

/// A snapshot, every later call that changed the World, and the hash of its state after each step. It can't be changed,
/// and copies share their content.
class Recording {
 public:
  std::uint64_t steps() const;  ///< [1] recorded
  Snapshot start() const;       ///< its snapshot: a Playback begins with World(recording.start(), options)

  /// Like those of Snapshot.
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

/// The first place where a replay differs from the recording.
struct Difference {
  std::uint64_t step{0};
  std::optional<Stage> stage;
  std::string body;
  std::uint32_t world{0};
};

template <Same<Difference> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::step>({.meaning = "of the recording, from 1 on; 0 if it starts from another state"}),
    attribute<&S::stage>({.meaning = "the first that wrote something else, if that can be found"}),
    attribute<&S::body>({.meaning = "the first that ends the step otherwise, if that can be found: its name, or # and "
                                    "its index in its world (World::index_of)"}),
    attribute<&S::world>({.meaning = "index, that it is in"})};

struct Replay {
  std::uint64_t steps{0};
  std::uint64_t hash{0};
  std::optional<Difference> difference;
};

template <Same<Replay> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::steps>({.meaning = "whose hash was compared"}),
                                          attribute<&S::hash>({.meaning = "of the state after the last of them"}),
                                          attribute<&S::difference>({.meaning = "none: every hash is as recorded"})};

/// Repeats a recording, on any device, until a hash differs. Stage and body of a difference come from the trace of a
/// World that recorded with WorldOptions::trace, or else from a second run on the CPU, if that gives the recorded
/// hashes. Throws SnapshotError if a call of the recording can't be repeated.
Replay replay(const Recording& recording, const WorldOptions& options);

/// Repeats a recording step by step, on a World of any device; its earlier state is lost. It points to the World, which
/// must not be moved or destroyed meanwhile. If you change the World between steps, `differs_at` is the first step that
/// differs from the recording; `seek` returns to the recorded states. Not safe for several threads at a time.
class Playback {
 public:
  /// The World takes the recording's first state. Throws as World::restore.
  Playback(World& world, Recording recording);

  /// Makes the calls up to the next step and takes that step. False at the end, after the calls that follow the last
  /// step. Throws SnapshotError if a call can't be repeated.
  bool step();
  /// Goes to the state after `step` steps, 0 for the start: from the nearest of up to 16 snapshots kept on the way, or
  /// from the present state. Throws InvalidArgument if there are fewer steps, else as `step`.
  void seek(std::uint64_t step);

  std::uint64_t at() const { return at_; }        ///< [1] steps taken so far
  std::uint64_t steps() const { return steps_; }  ///< [1] in the recording
  /// [1] The first step that ended in another state than the recorded one. 0: the first state differs. None: all
  /// compared hashes are equal.
  std::optional<std::uint64_t> differs_at() const { return differs_at_; }
  /// [1] Counts changes that invalidate handles, views of the World's arrays and drawings of its bodies: snapshots
  /// restored, and calls that added, removed or replaced bodies, joints, articulations, sets or materials, or changed a
  /// body's size, type or `enabled`.
  std::uint64_t edits() const { return edits_; }

 private:
  struct Mark {
    std::uint64_t step;     ///< [1] taken
    std::size_t next_call;  ///< [1] of the log
    Snapshot snapshot;
  };
  void go_back_to(const Mark& mark);

  World* world_;
  Recording recording_;
  std::uint64_t steps_{0}, at_{0}, edits_{0};
  std::uint64_t between_marks_{1};  ///< [1] steps
  std::size_t next_call_{0};        ///< [1] of the log
  std::vector<Mark> marks_;         ///< by their steps
  std::optional<std::uint64_t> differs_at_;
};

}  // namespace cairn
