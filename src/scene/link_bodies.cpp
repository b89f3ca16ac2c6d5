#include "src/scene/link_bodies.h"

#include <algorithm>

#include "cairn/articulations.h"
#include "kernels/common/vec.h"

namespace cairn {
namespace {

/// A link as a body of the scene, at its articulation's start.
Body body_of(const Articulation& articulation, const ArticulationLink& link, bool moves, const BodyState& at) {
  Body body{.name = articulation.name + "/" + link.name,
            .type = moves ? BodyType::kDynamic : BodyType::kStatic,
            .position = at.position,
            .orientation = at.orientation,
            .shapes = link.shapes,
            .color = link.color};
  if (!moves) return body;
  if (!(link.mass > 0)) {
    throw InvalidArgument("articulation \"" + articulation.name + "\", link \"" + link.name +
                          "\": shapes must be on a link with a mass: give it one, or its parent the shapes");
  }
  body.linear_velocity = at.linear_velocity;
  body.angular_velocity = at.angular_velocity;
  body.mass = static_cast<float>(link.mass);
  body.inertia = link.inertia;
  body.centre_of_mass = kernels::narrow(link.centre_of_mass);
  return body;
}

/// Whether two links are fixed together, or connected by a joint, or by several joints with massless links between.
bool adjoin(const CompiledArticulation& made, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t on_a = made.links[a].node, on_b = made.links[b].node;
  // the node that carries a node: the first node of a free joint carries nothing
  const auto carrier = [&](std::uint32_t node) {
    if (node == kernels::kNone) return node;
    do {
      node = made.nodes[node].parent;
    } while (node != kernels::kNone && made.nodes[node].kind != kernels::articulate::NodeKind::kShift &&
             mass_of_node(made, node) == 0);
    return node;
  };
  return on_a == on_b || (on_a != kernels::kNone && carrier(on_a) == on_b) ||
         (on_b != kernels::kNone && carrier(on_b) == on_a);
}

/// A World would freeze in its first step.
void refuse_idle_start(const Articulation& articulation, const CompiledArticulation& made, std::span<const double> q) {
  const auto massless = [](const ArticulationLink& link) { return link.mass == 0; };
  if (std::ranges::none_of(articulation.links, massless)) return;
  if (const std::optional<std::size_t> idle = link_without_inertia(made, q)) {
    throw InvalidArgument("articulation \"" + articulation.name + "\", link \"" + articulation.links[*idle].name +
                          "\" (number " + std::to_string(*idle) +
                          "): joint moves no mass at the start that the joints behind it don't move as well: give it "
                          "an armature, or start elsewhere");
  }
}

}  // namespace

std::vector<BodyPair> pairs_of_links(const CompiledArticulation& made, std::span<const std::uint32_t> bodies) {
  std::vector<BodyPair> pairs;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    for (std::uint32_t other = 0; other < i && bodies[i] != kNoLinkBody; ++other) {
      if (bodies[other] != kNoLinkBody && adjoin(made, i, other)) pairs.push_back({bodies[other], bodies[i]});
    }
  }
  return pairs;
}

LinkBodies bodies_of_links(Articulation articulation, ArticulationState start) {
  // its constructor checks the description
  Articulations one(articulation, 1, Device::cpu(1));
  if (start.q.empty()) start.q = one.positions();
  if (start.v.empty()) start.v = one.rates();
  one.set_state(start.q, start.v);
  start.q = one.positions();
  const std::vector<BodyState> at = one.link_states();
  const CompiledArticulation made = compile(articulation);
  refuse_idle_start(articulation, made, start.q);

  LinkBodies all;
  bool any = false;
  for (std::size_t i = 0; i < articulation.links.size(); ++i) {
    const bool moves = made.links[i].node != kernels::kNone;
    if (articulation.links[i].shapes.empty()) {
      all.made.bodies.push_back(kNoLinkBody);
      continue;
    }
    any = any || moves;
    all.made.bodies.push_back(static_cast<std::uint32_t>(all.bodies.size()));
    all.bodies.push_back(body_of(articulation, articulation.links[i], moves, at[i]));
  }
  if (!any) {
    throw InvalidArgument("articulation \"" + articulation.name +
                          "\": links must have shapes, at least one that a joint lets move");
  }
  all.ignored = pairs_of_links(made, all.made.bodies);
  all.made.description = std::move(articulation);
  all.made.start = std::move(start);
  return all;
}

}  // namespace cairn
