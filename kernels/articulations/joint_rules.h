#pragma once
// Rules for a rate's armature and forces, the same as for descriptions in src/articulations/articulation_rules.cpp.

#include "cairn/articulation.h"
#include "kernels/articulations/move.h"

namespace cairn::kernels::articulate {

inline constexpr double kMaxJointGain = info_of<&ArticulationJoint::damping>().range.max;
inline constexpr double kMaxJointLimit = info_of<&ArticulationJoint::upper>().range.max;
inline constexpr double kMaxJointRate = info_of<&ArticulationJoint::max_rate>().range.max;
inline constexpr double kMaxJointForce = info_of<&ArticulationJoint::drive_max_force>().range.max;
static_assert(info_of<&ArticulationJoint::lower>().range.min == -kMaxJointLimit &&
              info_of<&ArticulationJoint::min_rate>().range.min == -kMaxJointRate &&
              info_of<&ArticulationJoint::drive_min_force>().range.max == kMaxJointForce &&
              info_of<&ArticulationJoint::spring_rest>().range.max == kMaxJointLimit);

/// True for x between them, or infinite with the sign of `end`.
CAIRN_HD bool lies(double x, double low, double high, double end) {
  return (x >= low && x <= high) || (end != 0 && x == end * std::numeric_limits<double>::infinity());
}

/// True if the rate may have this armature and these forces.
CAIRN_HD bool joint_is_allowed(const Batch& b, std::uint32_t n, std::uint32_t d, double armature,
                               const JointForces& f) {
  const auto gain = [](double x) { return x >= 0 && x <= kMaxJointGain; };
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
  return lies(f.lower, -kMaxJointLimit, kMaxJointLimit, -1) && lies(f.upper, -kMaxJointLimit, kMaxJointLimit, 1) &&
         f.lower <= f.upper && lies(f.min_rate, -kMaxJointRate, 0, -1) && lies(f.max_rate, 0, kMaxJointRate, 1) &&
         lies(f.spring_rest, -kMaxJointLimit, kMaxJointLimit, 0) && lies(f.max_force, 0, kMaxJointForce, 1) &&
         lies(f.min_force, -kMaxJointForce, kMaxJointForce, -1) && f.min_force <= f.max_force;
}

/// True if all rates may have the words of `joint`, laid out as Batch::joint.
CAIRN_HD bool joints_are_allowed(const Batch& b, Lane joint) {
  for (std::uint32_t n = 0; n < b.nodes; ++n) {
    for (std::uint32_t d = b.node[n].dof; d < b.node[n].dof + b.node[n].dofs; ++d) {
      const Lane words = joint.from(kJointWords * d);
      if (!joint_is_allowed(b, n, d, words[kArmature], load_as<JointForcesT>(words.from(kDamping)))) return false;
    }
  }
  return true;
}

}  // namespace cairn::kernels::articulate
