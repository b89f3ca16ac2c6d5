#pragma once
// The half of a joint's row that belongs to one of its bodies.

#include "kernels/common/joints.h"
#include "kernels/common/scalar.h"
#include "kernels/common/team.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kNodeAxes = 6;

CAIRN_HD void copy_axes(const double* from, double* to) {
  CAIRN_UNROLL_FEW
  for (std::uint32_t i = 0; i < kNodeAxes; ++i) to[i] = from[i];
}

/// A Jacobian over v and w~ of one body.
struct JointHalf {
  double j[kNodeAxes];  ///< [1, kg^-1/2]
  CAIRN_HD JointHalf(Vec3 linear, Vec3 angular)
      : j{static_cast<double>(linear.x),  static_cast<double>(linear.y),  static_cast<double>(linear.z),
          static_cast<double>(angular.x), static_cast<double>(angular.y), static_cast<double>(angular.z)} {}
  CAIRN_HD double times(const double* x) const {
    double sum = 0.0;
    CAIRN_UNROLL_FEW
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) sum = fma(j[i], x[i], sum);
    return sum;
  }
  /// Entry i, where i is not a constant.
  CAIRN_HD double operator[](std::uint32_t i) const {
    double x = j[0];
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 1; k < kNodeAxes; ++k) x = k == i ? j[k] : x;
    return x;
  }
  CAIRN_HD void add_to(double l, double* x) const {
    CAIRN_UNROLL_FEW
    for (std::uint32_t i = 0; i < kNodeAxes; ++i) x[i] = fma(l, j[i], x[i]);
  }
};
/// Of the child node, and of its parent.
CAIRN_HD JointHalf child_of(const JointNode& node, const JointRow& row) {
  return node.is_b != 0 ? JointHalf(row.linear_b, row.angular_b) : JointHalf(row.linear_a, row.angular_a);
}
CAIRN_HD JointHalf parent_of(const JointNode& node, const JointRow& row) {
  return node.is_b != 0 ? JointHalf(row.linear_a, row.angular_a) : JointHalf(row.linear_b, row.angular_b);
}

/// Entry i of a JointHalf.
CAIRN_HD double entry_of(Vec3 linear, Vec3 angular, std::uint32_t i) {
  const Vec3& of = i < 3 ? linear : angular;
  const std::uint32_t axis = i < 3 ? i : i - 3;
  return static_cast<double>(axis == 0 ? of.x : (axis == 1 ? of.y : of.z));
}

/// Some axes of a node's push, while rows are added.
template <std::uint32_t kCount>
struct NodeSums {
  Slice<kCount> axes;
  double sum[kCount];  ///< [any]

  CAIRN_HD NodeSums(Slice<kCount> of, const double* x) : axes(of) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 0; k < kCount; ++k) sum[k] = x[axes.first + k];
  }
  CAIRN_HD NodeSums(Slice<kCount> of, const JointHalf& half) : axes(of) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 0; k < kCount; ++k) sum[k] = half[axes.first + k];
  }
  CAIRN_HD void add(double l, Vec3 linear, Vec3 angular) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 0; k < kCount; ++k) sum[k] = fma(l, entry_of(linear, angular, axes.first + k), sum[k]);
  }
  CAIRN_HD void add(double l, const double* x) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 0; k < kCount; ++k) sum[k] = fma(l, x[axes.first + k], sum[k]);
  }
  CAIRN_HD void scale(double l) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 0; k < kCount; ++k) sum[k] = l * sum[k];
  }
  CAIRN_HD void add_child(double l, const JointNode& node, const JointRow& row) {
    node.is_b != 0 ? add(l, row.linear_b, row.angular_b) : add(l, row.linear_a, row.angular_a);
  }
  CAIRN_HD void add_parent(double l, const JointNode& node, const JointRow& row) {
    node.is_b != 0 ? add(l, row.linear_a, row.angular_a) : add(l, row.linear_b, row.angular_b);
  }
  CAIRN_HD void keep(double* x) const {
    CAIRN_UNROLL_FEW
    for (std::uint32_t k = 0; k < kCount; ++k) x[axes.first + k] = sum[k];
  }
};

/// f(child's, parent's) with those axes of member `of` of a joint's nodes, which are written back after it. The
/// parent's are null where there is none; a gear may push one node from both sides.
template <std::uint32_t kCount, class F>
CAIRN_HD void ends_of(Slice<kCount> axes, JointNode* nodes, const JointNode& n, double (JointNode::*of)[kNodeAxes],
                      const F& f) {
  double* const of_child = nodes[n.child].*of;
  NodeSums child(axes, of_child);
  if (n.parent == kNone) {
    f(child, static_cast<NodeSums<kCount>*>(nullptr));
  } else if (n.parent == n.child) {
    f(child, &child);
  } else {
    double* const of_parent = nodes[n.parent].*of;
    NodeSums parent(axes, of_parent);
    f(child, &parent);
    parent.keep(of_parent);
  }
  child.keep(of_child);
}

/// f(node, row) for each row of a tree; a thread by itself goes from the first to the last.
template <class Team, class F>
CAIRN_HD void each_joint_row(const Team& team, const JointTree& tree, JointNode* node, JointRow* row, const F& f) {
  team.template each_of<kJointAxes>(
      tree.end - tree.begin, [&](std::uint32_t i) { return node[tree.begin + i].rows; },
      [&](std::uint32_t i) -> JointNode& { return node[tree.begin + i]; },
      [&](std::uint32_t, std::uint32_t r, JointNode& n) { f(n, row[n.first + r]); });
}

/// J dv of a row.
CAIRN_HD double change_of(const JointNode* nodes, const JointNode& n, const JointRow& row) {
  double x = child_of(n, row).times(nodes[n.child].change);
  if (n.parent != kNone) x = x + parent_of(n, row).times(nodes[n.parent].change);
  return x;
}

}  // namespace cairn::kernels
