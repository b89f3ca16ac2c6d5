// The order of joints in the solver. Their graph changes when a joint comes or goes, not when bodies move, so the host
// finds its trees and colours; contacts have their own colours, since sweeps over joints and contacts alternate.

#include <algorithm>

#include "kernels/common/parts.h"
#include "src/joints/joint_trees.h"

namespace cairn {

JointOrder order_joints(std::span<const JointEdge> edges, std::uint32_t parts) {
  using kernels::kNone;
  constexpr std::uint32_t kAlign = kernels::kRowAlign;
  std::vector<JointTreePlan> trees = trees_of(edges);
  JointOrder order;
  const auto band_of = [](const JointTreePlan& t) { return kernels::Parts::band_of(t.part, t.color); };
  std::ranges::stable_sort(trees, [&](const JointTreePlan& a, const JointTreePlan& b) {
    return band_of(a) != band_of(b) ? band_of(a) < band_of(b) : a.nodes.size() > b.nodes.size();
  });
  kernels::JointNode padding{};
  padding.body = padding.joint = padding.child = padding.parent = kNone;
  std::uint32_t next = 0;
  for (std::uint32_t band = 0; band < parts * kernels::kColorCount; ++band) {
    if (band % kernels::kColorCount == 0) {
      order.nodes.resize((order.nodes.size() + kAlign - 1) / kAlign * kAlign, padding);
    }
    order.color_begin.push_back(next);
    order.color_row.push_back(static_cast<std::uint32_t>(order.trees.size()));
    order.node_row.push_back(static_cast<std::uint32_t>(order.nodes.size()));
    for (; next < trees.size() && band_of(trees[next]) == band; ++next) {
      const auto begin = static_cast<std::uint32_t>(order.nodes.size());
      for (kernels::JointNode n : trees[next].nodes) {
        n.child += begin;
        if (n.parent != kNone) n.parent += begin;
        n.contested = trees[next].contested;
        n.linked = trees[next].linked;
        if (n.joint != kNone) {
          const std::uint32_t rows = edges[n.first].rows.all;
          n.first = order.rows;
          order.rows += rows;
        }
        order.nodes.push_back(n);
      }
      const JointTreePlan& tree = trees[next];
      order.trees.push_back({begin, begin + tree.links, begin + tree.loops,
                             static_cast<std::uint32_t>(order.nodes.size()), order.matrix, tree.closes, tree.contested,
                             tree.linked, tree.consistent});
      order.largest = std::max(order.largest, static_cast<std::uint32_t>(tree.nodes.size()));
      order.matrix += (tree.linked ? 2 : 1) * tree.loop_rows * (tree.loop_rows + 1) / 2;
      if (trees[next].closes) order.colors = std::max(order.colors, trees[next].color + 1);
    }
    order.trees.resize((order.trees.size() + kAlign - 1) / kAlign * kAlign, kernels::JointTree{});
  }
  order.nodes.resize((order.nodes.size() + kAlign - 1) / kAlign * kAlign, padding);
  order.color_begin.push_back(next);
  order.color_row.push_back(static_cast<std::uint32_t>(order.trees.size()));
  order.node_row.push_back(static_cast<std::uint32_t>(order.nodes.size()));
  return order;
}

}  // namespace cairn
