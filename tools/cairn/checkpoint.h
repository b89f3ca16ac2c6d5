#pragma once
// Files from which a run goes on after it was stopped.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cairn/snapshot.h"
#include "cairn/world.h"
#include "tools/cairn/source.h"

namespace cairn::cli {

/// What a run needs beside its World's snapshot.
struct RunState {
  std::string scene;  ///< as given
  std::uint64_t seed{0};
  std::uint64_t steps{0};            ///< [1] of the whole run
  std::uint64_t every{0};            ///< [1] steps between checkpoints
  std::vector<QualityRules> rules;   ///< of each world
  std::vector<double> excursions;    ///< [m] of each world, the farthest so far
  std::vector<SceneCamera> cameras;  ///< of the scene, of which a World knows nothing
};

void write_checkpoint(const std::filesystem::path& file, const Snapshot& snapshot, const RunState& state);

struct Checkpoint {
  Snapshot snapshot;
  RunState state;
};
/// Throws SnapshotError with the reason for which a file is none.
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// The sources of a World that was made from some and only stepped since.
std::vector<Source> sources_of(const World& world, const RunState& state);

}  // namespace cairn::cli
