#pragma once
// A world, or a batch of worlds, between two steps: everything that the next step depends on.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "cairn/attributes.h"
#include "cairn/errors.h"

namespace cairn {

namespace snapshot {
struct Image;
}

/// Limits on a file, so that a hostile one can't exhaust the machine's memory or take unbounded time.
struct SnapshotLimits {
  std::uint64_t bytes{std::uint64_t{1} << 34};
  std::uint64_t calls{std::uint64_t{1} << 24};
};

template <Same<SnapshotLimits> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::bytes>(
        {.unit = "B",
         .meaning = "of what it expands to, with the memory that a recording's calls take; of each snapshot in a "
                    "recording, too; no more of a file is read than so many bytes compress to"}),
    attribute<&S::calls>({.meaning = "of a recording, its steps included"})};

/// The content of World::snapshot: bodies with poses, velocities, scales and descriptions, contacts with impulses and
/// colours, joints and articulations with their state, sleep, forces, materials, gravity, limits, origins, seeds,
/// counts of resets, clocks, status, StepParams, and the layout of a batch. A World restored from it continues with the
/// bits of the original World, on every device and any number of threads. It can't be changed, and copies share their
/// content; several threads may read one.
class Snapshot {
 public:
  std::uint32_t world_count() const;
  std::uint32_t body_count(std::uint32_t world = 0) const;  ///< alive
  std::uint64_t steps(std::uint32_t world = 0) const;       ///< taken since the world was made or reset
  double time(std::uint32_t world = 0) const;               ///< [s]

  /// The content of a file. It includes its format and this build's kNumericsVersion, and a checksum covers every byte.
  std::string to_bytes() const;
  /// Throws SnapshotError, naming `where` and the reason, unless the bytes are a complete, sound snapshot that this
  /// build can continue from.
  static Snapshot from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits = {});

  /// Written completely or not at all. Throws InvalidArgument if it can't be.
  void save(const std::filesystem::path& file) const;
  static Snapshot load(const std::filesystem::path& file, const SnapshotLimits& limits = {});

 private:
  friend class World;
  explicit Snapshot(snapshot::Image image);
  std::shared_ptr<const snapshot::Image> image_;
};

}  // namespace cairn
