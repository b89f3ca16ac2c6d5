#pragma once
// The mass matrix, in O(n depth).

#include "kernels/articulations/move.h"

namespace cairn::kernels::articulate {

/// M, armature included, to `out` (dofs dofs): by composite rigid bodies. Walker and Orin 1982; Featherstone 2008,
/// table 6.2. Writes the lanes of articulation i only. One thread per articulation.
struct MassMatrix {
  Batch b;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Lanes l{b, i};
    move(Alone{}, l, l.v());
    const Lane out = l.out();
    for (std::uint32_t k = 0; k < b.dofs * b.dofs; ++k) out[k] = 0;
    for (std::uint32_t n = 0; n < b.nodes; ++n) store(l.node(n).from(kInertia), articulated(l.inertia(n)));
    for (std::uint32_t n = b.nodes; n-- > 0;) {
      const Node& node = b.node[n];
      const ArticulatedInertia inertia = load_as<ArticulatedInertiaT>(l.node(n).from(kInertia));
      for (std::uint32_t k = 0; k < node.dofs; ++k) row(l, n, k, column(inertia, node.axis + k));
      if (node.parent == kNone) continue;
      const Lane parent = l.node(node.parent).from(kInertia);
      store(parent, load_as<ArticulatedInertiaT>(parent) + to_parent(l.transform(n), inertia));
    }
  }

 private:
  /// The row of rate k of node n: the components of its force f at all nodes on the way to the root.
  CAIRN_HD void row(const Lanes& l, std::uint32_t n, std::uint32_t k, Force f) const {
    const Lane out = l.out();
    const std::uint32_t d = b.node[n].dof + k;
    for (std::uint32_t at = n; at != kNone; at = b.node[at].parent) {
      const Node& node = b.node[at];
      for (std::uint32_t j = 0; j < node.dofs; ++j) {
        const Real m = component(f, node.axis + j) + (node.dof + j == d ? l.armature(d) : 0.0);
        out[d * b.dofs + node.dof + j] = m;
        out[(node.dof + j) * b.dofs + d] = m;
      }
      f = to_parent(l.transform(at), f);
    }
  }
};

}  // namespace cairn::kernels::articulate
