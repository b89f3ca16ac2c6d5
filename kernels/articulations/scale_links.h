#pragma once
// Articulations whose links have scales, and random joints. One thread per articulation.

#include "kernels/articulations/build.h"
#include "kernels/articulations/in_world.h"
#include "kernels/common/philox.h"

namespace cairn::kernels {

/// Applies the scales of its links and of its world: inertias of nodes, positions of joints, and from them its bodies.
struct ScaleArticulation {
  Bodies bodies;
  Worlds worlds;
  Links links;
  BodyBases bases;
  Selection selection;
  bool moves;  ///< otherwise links are already at the poses for their scales

  CAIRN_HD void operator()(std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!selection(at.world)) return;
    const InWorld in(links, at);
    const Lanes l = in.lanes();
    const bool changed = build(in.b, l.build(), [&](std::uint32_t link) { return scales_of(in.b, at, link); });
    for (std::uint32_t k = at.link_begin; k < at.link_end; ++k) {
      LinkBody& link = links.link[k];
      const double size = scales_of(in.b, at, link.link).size;
      link.centre = l.link_place(link.link) * (size * bases.centre[link.body]);
    }
    if (changed && moves) put_links(in, at, links, bodies);
  }

 private:
  /// Links that nothing moves have none; those that are no bodies have their world's.
  CAIRN_HD BodyScales scales_of(const articulate::Batch& b, const Articulated& at, std::uint32_t link) const {
    if (b.link[link].node == kNone) return {};
    // they are in the order of the links
    const std::uint32_t begin = at.link_begin + first_from(links.link + at.link_begin, at.link_end - at.link_begin,
                                                           link, [](const LinkBody& l) { return l.link; });
    const bool found = begin < at.link_end && links.link[begin].link == link;
    return total_scales(worlds.scales[at.world], found ? bases.own[links.link[begin].body] : BodyScales{});
  }
};

namespace articulate {

/// A random factor for words `first` to `last` of a joint's rates.
struct JointDraw {
  Range range;
  std::uint32_t first, last;
};
inline constexpr std::uint32_t kJointDraws = 8;

/// The joint parameters of Randomisation, in its order.
struct JointDraws {
  JointDraw of[kJointDraws];
  CAIRN_HD explicit JointDraws(const Randomisation& r)
      : of{{r.joint_armature, kArmature, kArmature},        {r.joint_damping, kDamping, kDamping},
           {r.joint_friction, kFriction, kFriction},        {r.joint_limits, kLower, kUpper},
           {r.spring_stiffness, kSpring, kSpring},          {r.drive_stiffness, kStiffness, kStiffness},
           {r.drive_damping, kDriveDamping, kDriveDamping}, {r.drive_force, kMaxForce, kMinForce}} {}
  CAIRN_HD bool any() const {
    for (const JointDraw& draw : of) {
      if (!(draw.range == Range{})) return true;
    }
    return false;
  }
};

/// Of node n: `made` times factor(k), the k-th of the draws. Infinite values stay infinite.
template <class F>
CAIRN_HD void put_draws(const JointDraws& draws, const Node& node, const double* made, Lane to, const F& factor) {
  for (std::uint32_t k = 0; k < kJointDraws; ++k) {
    const JointDraw& draw = draws.of[k];
    if (draw.range == Range{}) continue;
    const double by = factor(k);
    for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) {
      for (std::uint32_t w = kJointWords * d + draw.first; w <= kJointWords * d + draw.last; ++w) {
        to[w] = made[w] - made[w] == 0 ? by * made[w] : made[w];
      }
    }
  }
}

}  // namespace articulate

/// Draws the parameters of its joints; those of a free joint for shifts and rotations separately. The counter is the
/// node's number and the id of its first body, which is its world's own.
struct DrawJoints {
  Worlds worlds;
  Links links;
  BodyBases bases;
  Selection selection;
  articulate::JointDraws draws;

  CAIRN_HD void operator()(std::uint32_t i) const {
    using namespace articulate;
    const Articulated& at = links.articulated[i];
    if (!selection(at.world)) return;
    const InWorld in(links, at);
    const std::uint32_t id = bases.id[links.link[at.link_begin].body];
    const Lane joint = in.lanes().joint();
    for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
      const auto draw = [&](std::uint32_t half) {
        return uniforms(worlds.seed[at.world], worlds.episode[at.world], RandomStream::kJoint, 2 * n + half, id);
      };
      const Uniform4 a = draw(0), b = draw(1);
      const float u[kJointDraws]{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
      put_draws(draws, in.b.node[n], in.kind.made_joint, joint,
                [&](std::uint32_t k) { return double{in_range(u[k], draws.of[k].range)}; });
    }
    note_bounds(joint, in.b.dofs);
  }
};

}  // namespace cairn::kernels
