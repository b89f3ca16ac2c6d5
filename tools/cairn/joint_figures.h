#pragma once
// Number of a world's joints, and their error.

#include <cstdint>

#include "cairn/world.h"

namespace cairn::cli {

struct JointFigures {
  std::uint32_t count{0};  ///< [1] unbroken ones, in all worlds
  double error{0};         ///< [m] max error of anchors, or of the length of a rope, over stiff joints
};

/// As of the last substep's start.
JointFigures figures_of_joints(const World& world);

}  // namespace cairn::cli
