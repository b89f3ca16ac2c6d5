#pragma once
// Poses and velocities of links in the world, and how rates move their points.

#include "kernels/articulations/move.h"

namespace cairn::kernels::articulate {

/// Turns nodes' transforms into those to the world. Velocities stay in the nodes' frames.
CAIRN_HD void place(const Lanes& l) {
  for (std::uint32_t n = 0; n < l.b.nodes; ++n) {
    const std::uint32_t parent = l.b.node[n].parent;
    if (parent == kNone) continue;
    const Lane at = l.node(n).from(kTransform);
    store(at, l.transform(parent) * load_as<TransformT>(at));
  }
}

/// [1] Words of a link's state: axes by columns, origin, angular velocity, velocity of the centre of mass.
inline constexpr std::uint32_t kLinkWords = 18;

/// States of all links to `out` (links kLinkWords), in the world. Writes the lanes of articulation i only. One thread
/// per articulation.
struct LinkStates {
  Batch b;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Lanes l{b, i};
    move(Alone{}, l, l.v());
    place(l);
    for (std::uint32_t k = 0; k < b.links; ++k) {
      const Link& link = b.link[k];
      Transform x = l.link_place(k);
      Motion v{};
      if (link.node != kNone) {
        const Transform node = l.transform(link.node);
        v = l.velocity(link.node);
        v.v = node.r * (v.v + cross(v.w, x * l.link_centre(k)));
        v.w = node.r * v.w;
        x = node * x;
      }
      const Lane out = l.out().from(kLinkWords * k);
      store(out, x);
      store(out.from(12), v);
    }
  }
};

/// 6 x dofs to `out`: velocity of a point fixed to a link, then the link's angular velocity, in world axes, over rates.
/// Writes the lanes of articulation i only. One thread per articulation.
struct Jacobian {
  Batch b;
  std::uint32_t link;  ///< [1]
  Vec point;           ///< [m] in the link's frame
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Lanes l{b, i};
    const Lane out = l.out();
    for (std::uint32_t k = 0; k < 6 * b.dofs; ++k) out[k] = 0;
    const Link& at = b.link[link];
    if (at.node == kNone) return;
    move(Alone{}, l, l.v());
    place(l);
    const Vec x = l.transform(at.node) * (l.link_place(link) * point);
    for (std::uint32_t n = at.node; n != kNone; n = b.node[n].parent) {
      const Node& node = b.node[n];
      const Transform world = l.transform(n);
      for (std::uint32_t k = 0; k < node.dofs; ++k) {
        const std::uint32_t axis = node.axis + k;
        const Vec e = column(world.r, axis % 3);
        const Motion m = axis < 3 ? Motion{e, cross(e, x - world.p)} : Motion{{}, e};
        for (std::uint32_t c = 0; c < 3; ++c) {
          out[c * b.dofs + node.dof + k] = component(m.v, c);
          out[(3 + c) * b.dofs + node.dof + k] = component(m.w, c);
        }
      }
    }
  }
};

}  // namespace cairn::kernels::articulate
