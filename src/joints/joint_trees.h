#pragma once
// Trees of joints, as found on the host.

#include <span>
#include <vector>

#include "src/joints/joint_order.h"

namespace cairn {

/// A tree as its nodes, which refer to others by index in the tree; its part, and its colour.
struct JointTreePlan {
  std::vector<kernels::JointNode> nodes;
  std::uint32_t part{0}, color{0};
  std::uint32_t links{0};      ///< [1] first node that is a link
  std::uint32_t loops{0};      ///< [1] first node that closes a loop or holds a link
  std::uint32_t loop_rows{0};  ///< [1]
  bool closes{false}, contested{false}, linked{false}, consistent{false};
};

/// Each connected body in one tree; joints that close loops are with their trees, or by themselves (order_joints).
std::vector<JointTreePlan> trees_of(std::span<const JointEdge> edges);

}  // namespace cairn
