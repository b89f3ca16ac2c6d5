#include "tools/cairn/joint_figures.h"

#include <algorithm>
#include <cmath>

#include "src/joints/compile_joint.h"

namespace cairn::cli {
namespace {

/// [m] Error of a joint's stiff bounds along its shifts.
double error_of(const JointShape& shape, const JointState& state) {
  constexpr std::size_t kShifts = 3;
  double square = 0;
  for (std::size_t k = 0; k < kShifts; ++k) {
    const JointAxis& axis = shape.axes[k];
    if (axis.mode == JointAxis::Mode::kFree || axis.compliance > 0) continue;
    const double c = state.coordinates[k], lower = axis.lower, upper = axis.upper;
    const double past = std::max({lower - c, c - (axis.mode == JointAxis::Mode::kLocked ? lower : upper), 0.0});
    square += past * past;
  }
  return std::sqrt(square);
}

}  // namespace

JointFigures figures_of_joints(const World& world) {
  JointFigures figures;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    for (const JointHandle joint : world.joints(w)) {
      const JointState state = world.state(joint);
      if (state.broken) continue;
      figures.count += 1;
      const JointKind& kind = world.description(joint).kind;
      // a gear's coordinate may be an angle
      if (!std::holds_alternative<GearJoint>(kind))
        figures.error = std::max(figures.error, error_of(shape_of(kind), state));
    }
  }
  return figures;
}

}  // namespace cairn::cli
