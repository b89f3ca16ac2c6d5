#pragma once
// How many joints a world has, and how well they hold.

#include <cstdint>

#include "cairn/world.h"

namespace cairn::cli {

struct JointFigures {
  std::uint32_t count{0};  ///< [1] that aren't broken, in all worlds
  double error{0};         ///< [m] farthest that anchors, or the length of a rope, are past what is stiff
};

/// As of the last substep's start.
JointFigures figures_of_joints(const World& world);

}  // namespace cairn::cli
