#pragma once
// What the impulses of a joint's rows are worth.

#include "kernels/common/joints.h"

namespace cairn::kernels {

/// A velocity and a w~ of two bodies, or what impulses make of them.
struct JointPush {
  Vec3 v_a{0, 0, 0}, v_b{0, 0, 0};  ///< [m/s]
  Vec3 w_a{0, 0, 0}, w_b{0, 0, 0};  ///< [kg^1/2 m/s] w~
};

/// Sums of impulses on b: linear, and angular about the centre of mass, in w~ units.
struct JointSum {
  Vec3 linear{0, 0, 0};   ///< [N s]
  Vec3 angular{0, 0, 0};  ///< [kg^1/2 m/s] I^-1/2 times it
};

/// What the rows' impulses do to bodies of these inverse masses.
CAIRN_HD JointPush push_of(const JointRow* row, std::uint32_t count, float inv_mass_a, float inv_mass_b) {
  JointPush push;
  for (std::uint32_t r = 0; r < count; ++r) {
    const float l = row[r].impulse;
    push.v_a = fma(l * inv_mass_a, row[r].linear_a, push.v_a);
    push.w_a = fma(l, row[r].turn_a, push.w_a);
    push.v_b = fma(l * inv_mass_b, row[r].linear_b, push.v_b);
    push.w_b = fma(l, row[r].turn_b, push.w_b);
  }
  return push;
}

/// What they were worth in the substep that ended.
CAIRN_HD JointSum sum_of(const JointRow* row, std::uint32_t count) {
  JointSum sum;
  for (std::uint32_t r = 0; r < count; ++r) {
    sum.linear = fma(row[r].total, row[r].linear_b, sum.linear);
    sum.angular = fma(row[r].total, row[r].angular_b, sum.angular);
  }
  return sum;
}

}  // namespace cairn::kernels
