// The order of joints in the solver. Their graph changes when a joint comes or goes, not when bodies move, so the host
// finds its trees and colours; contacts have their own colours, since sweeps over joints and contacts alternate.

#include <algorithm>

#include "kernels/common/parts.h"
#include "src/articulations/articulation_feature.h"
#include "src/exec/counted_memory.h"
#include "src/joints/compile_joint.h"
#include "src/joints/joint_feature.h"
#include "src/joints/joint_trees.h"
#include "src/world/estimate.h"

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

namespace {

/// Joints of an estimate's worlds, in the order of JointFeature.
JointOrder order_of(const Estimate& of, const ArticulationStore& articulations) {
  const Scene& scene = of.scene;
  std::vector<JointEdge> edges;
  std::uint32_t bodies = 0;
  for (const std::uint32_t part : of.parts.of_world) {
    const auto pushed = [&](std::uint32_t body) {
      const bool moves = body != kWorldBody && scene.bodies()[body].type == BodyType::kDynamic;
      return moves ? articulations.owner_of(bodies + body) : kernels::kNone;
    };
    const auto link = [&](std::uint32_t body) {
      return body != kWorldBody && articulations.is_link(bodies + body) ? bodies + body : kernels::kNone;
    };
    for (const Joint& joint : scene.joints()) {
      const auto joint_at = [&](std::uint32_t i) -> const Joint& { return scene.joints()[i]; };
      if (is_off(joint, joint_at, [&](std::uint32_t i) { return scene.bodies()[i].enabled; })) continue;
      const auto [a, b] = acted_on(joint, joint_at);
      edges.push_back({static_cast<std::uint32_t>(edges.size()), part, pushed(a), pushed(b), rows_of(model_of(joint)),
                       link(a), link(b)});
    }
    bodies += of.bodies();
  }
  return order_joints(edges, of.parts.count);
}

}  // namespace

std::uint64_t JointFeature::bytes(const Estimate& of) {
  const std::size_t count = of.scene.joints().size() * of.worlds();
  if (count == 0) return 0;
  exec::CountedMemory articulated;
  ArticulationStore articulations(articulated.journal);
  ArticulationFeature::fill(articulations, of);
  exec::CountedMemory memory;
  JointStore joints(memory.journal);
  joints.reserve(count);
  joints.set_rows(std::vector<std::uint32_t>(count));
  joints.set_order(order_of(of, articulations));
  return memory.journal.held();
}

}  // namespace cairn
