#pragma once
// What a row of a joint measures of one of its bodies.

#include "kernels/common/joints.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kNodeAxes = 6;

/// A Jacobian over v and w~ of one body.
struct JointHalf {
  double j[kNodeAxes];  ///< [1, kg^-1/2]
  CAIRN_HD JointHalf(Vec3 linear, Vec3 angular)
      : j{static_cast<double>(linear.x),  static_cast<double>(linear.y),  static_cast<double>(linear.z),
          static_cast<double>(angular.x), static_cast<double>(angular.y), static_cast<double>(angular.z)} {}
  CAIRN_HD double times(const double* x) const {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) sum = fma(j[i], x[i], sum);
    return sum;
  }
  CAIRN_HD void add_to(double l, double* x) const {
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) x[i] = fma(l, j[i], x[i]);
  }
};
/// Of the node that hangs, and of what it hangs from.
CAIRN_HD JointHalf child_of(const JointNode& node, const JointRow& row) {
  return node.is_b != 0 ? JointHalf(row.linear_b, row.angular_b) : JointHalf(row.linear_a, row.angular_a);
}
CAIRN_HD JointHalf parent_of(const JointNode& node, const JointRow& row) {
  return node.is_b != 0 ? JointHalf(row.linear_a, row.angular_a) : JointHalf(row.linear_b, row.angular_b);
}

/// J dv of a row.
CAIRN_HD double change_of(const JointNode* nodes, const JointNode& n, const JointRow& row) {
  double x = child_of(n, row).times(nodes[n.child].change);
  if (n.parent != kNone) x = x + parent_of(n, row).times(nodes[n.parent].change);
  return x;
}

}  // namespace cairn::kernels
