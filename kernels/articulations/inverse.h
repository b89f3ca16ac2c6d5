#pragma once
// Inverse dynamics: forces from accelerations, in O(n).

#include "kernels/articulations/move.h"

namespace cairn::kernels::articulate {

/// force = M a + C + damping v for the accelerations `given`, to `out` (dofs): recursive Newton and Euler. Luh, Walker
/// and Paul 1980; Featherstone 2008, table 5.1. Writes the lanes of articulation i only. One thread per articulation.
struct InverseDynamics {
  Batch b;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Lanes l{b, i};
    move(Alone{}, l, l.v());
    for (std::uint32_t n = 0; n < b.nodes; ++n) {
      const Node& node = b.node[n];
      const Lane work = l.node(n);
      Motion a = to_child(l.transform(n), parent_acceleration(l, node)) + load_as<MotionT>(work.from(kDrift));
      for (std::uint32_t k = 0; k < node.dofs; ++k) add_to(a, node.axis + k, l.given()[node.dof + k]);
      const Motion v = l.velocity(n);
      store(work.from(kAcceleration), a);
      const RigidInertia inertia = l.inertia(n);
      store(work.from(kBias), inertia * a + cross(v, inertia * v));
    }
    for (std::uint32_t n = b.nodes; n-- > 0;) {
      const Node& node = b.node[n];
      const Lane work = l.node(n);
      const Force f = load_as<ForceT>(work.from(kBias));
      for (std::uint32_t k = 0; k < node.dofs; ++k) {
        const std::uint32_t d = node.dof + k;
        l.out()[d] = fma(l.armature(d), l.given()[d], fma(l.forces(d).damping, l.v()[d], component(f, node.axis + k)));
      }
      if (node.parent == kNone) continue;
      const Lane parent = l.node(node.parent).from(kBias);
      store(parent, load_as<ForceT>(parent) + to_parent(l.transform(n), f));
    }
  }
};

}  // namespace cairn::kernels::articulate
