// The order of joints in the solver. Their graph changes when a joint comes or goes, not when bodies move, so the host
// colours it; and contacts have colours of their own, since sweeps over the two follow each other.

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "kernels/common/parts.h"
#include "src/world/joints.h"

namespace cairn {
namespace {

constexpr std::uint32_t kAlign = kernels::kRowAlign, kLanes = kernels::kRowLanes;

}  // namespace

JointOrder order_joints(std::span<const JointEdge> edges, std::uint32_t parts) {
  struct Placed {
    std::uint32_t band, rows, index;
  };
  std::unordered_map<std::uint32_t, std::uint64_t> taken;  // colours by body
  std::vector<Placed> placed;
  JointOrder order;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    const JointEdge& e = edges[i];
    std::uint64_t mask = 0;
    for (const std::uint32_t body : {e.body_a, e.body_b}) {
      if (body != kernels::kNone) mask |= taken[body];
    }
    // what finds no colour is solved one at a time, in the last band
    const auto color = static_cast<std::uint32_t>(std::countr_one(mask));
    for (const std::uint32_t body : {e.body_a, e.body_b}) {
      if (body != kernels::kNone && color < kernels::kMaskColors) taken[body] |= std::uint64_t{1} << color;
    }
    placed.push_back({kernels::Parts::band_of(e.part, color), e.hard + e.soft, i});
    order.colors = std::max(order.colors, color + 1);
  }
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.band != b.band ? a.band < b.band : a.rows > b.rows;
  });

  std::size_t next = 0;
  for (std::uint32_t band = 0; band < parts * kernels::kColorCount; ++band) {
    order.color_begin.push_back(static_cast<std::uint32_t>(next));
    order.color_row.push_back(static_cast<std::uint32_t>(order.joint.size()));
    for (; next < placed.size() && placed[next].band == band; ++next)
      order.joint.push_back(edges[placed[next].index].joint);
    order.joint.resize((order.joint.size() + kAlign - 1) / kAlign * kAlign, kernels::kNone);
  }
  order.color_begin.push_back(static_cast<std::uint32_t>(next));
  order.color_row.push_back(static_cast<std::uint32_t>(order.joint.size()));

  order.blocks.resize((order.joint.size() + kLanes - 1) / kLanes);
  std::unordered_map<std::uint32_t, const JointEdge*> edge_of;
  for (const JointEdge& e : edges) edge_of[e.joint] = &e;
  std::vector<std::uint32_t> soft(order.blocks.size(), 0);
  for (std::size_t slot = 0; slot < order.joint.size(); ++slot) {
    if (order.joint[slot] == kernels::kNone) continue;
    const JointEdge& e = *edge_of.at(order.joint[slot]);
    kernels::JointBlock& block = order.blocks[slot / kLanes];
    block.hard = std::max(block.hard, e.hard);
    soft[slot / kLanes] = std::max(soft[slot / kLanes], e.soft);
  }
  for (std::size_t i = 0; i < order.blocks.size(); ++i) {
    order.blocks[i].first = order.rows;
    order.blocks[i].rows = order.blocks[i].hard + soft[i];
    order.rows += order.blocks[i].rows;
  }
  return order;
}

}  // namespace cairn
