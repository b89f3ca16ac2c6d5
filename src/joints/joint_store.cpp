#include "src/joints/joint_store.h"

#include <algorithm>
#include <iterator>

namespace cairn {

void JointStore::set_order(const JointOrder& order) {
  tree_.assign(order.trees);
  begin_.assign(order.color_begin);
  row_.assign(order.color_row);
  node_row_.assign(order.node_row);
  node_.assign(order.nodes);
  joint_row_.reserve(order.rows);
  matrix_.reserve(order.matrix);
  tree_slots_ = static_cast<std::uint32_t>(order.trees.size());
  nodes_ = static_cast<std::uint32_t>(order.nodes.size());
  colors_ = order.colors;
  largest_ = order.largest;
}

void JointStore::show(StepContext& s, std::uint32_t slots, std::uint32_t gears) const {
  s.joints = joints_.view();
  s.joint_layout = {tree_.data(), node_.data(), joint_row_.data(), matrix_.data(), tree_slots_, nodes_,
                    slots,        gears,        largest_};
  s.joint_parts = s.parts;
  s.joint_parts.color_begin = begin_.data();
  s.joint_parts.color_row = row_.data();
  s.joint_parts.colors[0] = colors_;
  s.joint_parts.colors[1] = 1;
  // trees take long: a few fill a multiprocessor
  std::copy(std::begin(kernels::kMaxWide), std::end(kernels::kMaxWide), s.joint_parts.wide);
  s.joint_node_parts = s.joint_parts;
  s.joint_node_parts.color_row = node_row_.data();
}

}  // namespace cairn
