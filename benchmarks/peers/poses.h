#pragma once
// The file of an engine's recorded poses: one line of JSON {"engine", "bodies", "steps": [...]}, then for each of these
// steps and each body 13 little-endian doubles: position, orientation (x, y, z, w), linear and angular velocity.

#include <filesystem>
#include <string>
#include <vector>

#include "cairn/types.h"

namespace cairn::peers {

struct Frame {
  long step{0};                   ///< [1] steps taken before it was recorded
  std::vector<BodyState> bodies;  ///< in the scene's order
};

struct Poses {
  std::string engine;
  std::vector<Frame> frames;
};

void save_poses(const std::filesystem::path& file, const Poses& poses);

/// Throws Error if the file is short or doesn't hold `bodies` bodies.
Poses load_poses(const std::filesystem::path& file, std::size_t bodies);

}  // namespace cairn::peers
