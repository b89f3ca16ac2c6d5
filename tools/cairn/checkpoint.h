#pragma once
// Files from which a stopped run continues.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cairn/snapshot.h"
#include "cairn/world.h"
#include "tools/cairn/source.h"

namespace cairn::cli {

/// State of a run beside its World's snapshot.
struct RunState {
  std::string scene;  ///< as given
  std::uint64_t seed{0};
  std::uint64_t steps{0};            ///< [1] of the whole run
  std::uint64_t every{0};            ///< [1] steps between checkpoints
  std::vector<QualityRules> rules;   ///< of each world
  std::vector<double> excursions;    ///< [m] max of each world so far
  std::vector<SceneCamera> cameras;  ///< of the scene; Worlds have no cameras
};

void write_checkpoint(const std::filesystem::path& file, const Snapshot& snapshot, const RunState& state);

struct Checkpoint {
  Snapshot snapshot;
  RunState state;
};
/// Throws SnapshotError with the reason why a file is no checkpoint.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// The sources of a World that was made from sources and only stepped since.
std::vector<Source> sources_of(const World& world, const RunState& state);

}  // namespace cairn::cli
