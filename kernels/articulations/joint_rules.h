#pragma once
// What a rate may have, as src/articulations/articulation_rules.cpp says of descriptions.

#include "cairn/articulation.h"
#include "kernels/articulations/move.h"

namespace cairn::kernels::articulate {

inline constexpr double kMostGain = info_of<&ArticulationJoint::damping>().range.max;
inline constexpr double kMostLimit = info_of<&ArticulationJoint::upper>().range.max;
inline constexpr double kMostRate = info_of<&ArticulationJoint::max_rate>().range.max;
inline constexpr double kMostForce = info_of<&ArticulationJoint::drive_max_force>().range.max;
static_assert(info_of<&ArticulationJoint::lower>().range.min == -kMostLimit &&
              info_of<&ArticulationJoint::min_rate>().range.min == -kMostRate &&
              info_of<&ArticulationJoint::drive_min_force>().range.max == kMostForce &&
              info_of<&ArticulationJoint::spring_rest>().range.max == kMostLimit);

/// Between them, or of endless size with the sign of `end`.
CAIRN_HD bool lies(double x, double low, double high, double end) {
  return (x >= low && x <= high) || (end != 0 && x == end * std::numeric_limits<double>::infinity());
}

/// True where the rate may have this armature and these laws.
CAIRN_HD bool may_have(const Batch& b, std::uint32_t n, std::uint32_t d, double armature, const JointForces& f) {
  const auto gain = [](double x) { return x >= 0 && x <= kMostGain; };
  if (b.dof[d].bare && !(armature > 0)) return false;
  const Node& node = b.node[n];
  const bool one = b.dof[d].part == kNone && node.kind != NodeKind::kShift;
  const bool afloat =
      node.kind == NodeKind::kShift || (node.parent != kNone && b.node[node.parent].kind == NodeKind::kShift);
  if (!gain(armature) || !gain(f.damping) || !gain(f.friction) || !gain(f.spring) || !gain(f.stiffness) ||
      !gain(f.drive_damping)) {
    return false;
  }
  const double none = std::numeric_limits<double>::infinity();
  if (!one &&
      (f.lower != -none || f.upper != none || f.min_rate != -none || f.max_rate != none || f.spring_rest != 0)) {
    return false;
  }
  if (afloat && (f.friction > 0 || f.spring > 0 || driven(f))) return false;
  return lies(f.lower, -kMostLimit, kMostLimit, -1) && lies(f.upper, -kMostLimit, kMostLimit, 1) &&
         f.lower <= f.upper && lies(f.min_rate, -kMostRate, 0, -1) && lies(f.max_rate, 0, kMostRate, 1) &&
         lies(f.spring_rest, -kMostLimit, kMostLimit, 0) && lies(f.max_force, 0, kMostForce, 1) &&
         lies(f.min_force, -kMostForce, kMostForce, -1) && f.min_force <= f.max_force;
}

/// True where all rates may have what `joint` says, as Batch::joint does.
CAIRN_HD bool may_have(const Batch& b, Lane joint) {
  for (std::uint32_t n = 0; n < b.nodes; ++n) {
    for (std::uint32_t d = b.node[n].dof; d < b.node[n].dof + b.node[n].dofs; ++d) {
      const Lane words = joint.from(kJointWords * d);
      if (!may_have(b, n, d, words[kArmature], load_forces(words.from(kDamping)))) return false;
    }
  }
  return true;
}

}  // namespace cairn::kernels::articulate
