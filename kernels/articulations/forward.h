#pragma once
// Forward dynamics: accelerations from forces, in O(n).

#include "kernels/articulations/move.h"

namespace cairn::kernels::articulate {

/// All rates are free.
struct AllFree {
  CAIRN_HD bool given(std::uint32_t) const { return false; }
};

/// Tips to root: articulated inertias and bias forces (Featherstone 2008, table 7.1). The rates of a joint are
/// processed one after the other, last first, as if massless links were between them. That is the L D L^T of the
/// joint's block, without one. A given rate (9.2, hybrid dynamics) yields to nothing. Each node leaves its inertia and
/// bias for its parent, in the parent's frame.
template <class Team, class T, class Modes>
CAIRN_HD_CALL void gather(const Team& team, const LanesT<T>& l, const Modes& modes) {
  team.up(l.b.levels(), [&](std::uint32_t n) {
    const Node& node = l.b.node[n];
    const LaneT<T> work = l.node(n);
    const RigidInertiaT<T> own = l.inertia(n);
    const MotionT<T> v = l.velocity(n);
    ArticulatedInertiaT<T> inertia = articulated(own);
    ForceT<T> bias = cross(v, own * v);
    if (l.b.push != nullptr) bias = fma(-1, load_as<ForceT>(l.push(n)), bias);
    for (std::uint32_t child = node.last_child; child != kNone; child = l.b.node[child].sibling) {
      inertia = inertia + load_as<ArticulatedInertiaT>(l.node(child).from(kInertia));
      bias = bias + load_as<ForceT>(l.node(child).from(kBias));
    }
    for (std::uint32_t k = node.dofs; k-- > 0;) {
      const std::uint32_t axis = node.axis + k;
      const LaneT<T> dof = l.dof(node.dof + k);
      const ForceT<T> u = column(inertia, axis);
      const T d = component(u, axis) + l.armature(node.dof + k);
      store(dof.from(kColumn), u);
      dof[kWeight] = d;
      const auto given = modes.given(node.dof + k);
      const auto hold = [&] {
        dof[kRest] = fma(d, dof[kRate], component(bias, axis));
        bias = fma(dof[kRate], u, bias);
      };
      const auto free = [&] {
        const T inverse = 1 / (d + dof[kExtra]);
        const T rest = dof[kForce] - component(bias, axis);
        dof[kInverse] = inverse;
        dof[kRest] = rest;
        inertia = give_way(inertia, u, inverse);
        bias = fma(rest * inverse, u, bias);
      };
      where(given, hold, free, dof[kInverse], dof[kRest], inertia, bias);
    }
    if (node.parent == kNone) return;
    const TransformT<T> x = l.transform(n);
    bias = bias + inertia * load_as<MotionT>(work.from(kDrift));
    store(work.from(kInertia), to_parent(x, inertia));
    store(work.from(kBias), to_parent(x, bias));
  });
}

/// Root to tips: accelerations of rates and nodes, and the forces that keep given rates.
template <class Team, class T, class Modes>
CAIRN_HD_CALL void scatter(const Team& team, const LanesT<T>& l, const Modes& modes) {
  team.down(l.b.levels(), [&](std::uint32_t n) {
    const Node& node = l.b.node[n];
    const LaneT<T> work = l.node(n);
    MotionT<T> a = to_child(l.transform(n), parent_acceleration(l, node)) + load_as<MotionT>(work.from(kDrift));
    for (std::uint32_t k = 0; k < node.dofs; ++k) {
      const LaneT<T> dof = l.dof(node.dof + k);
      const T along = dot(load_as<ForceT>(dof.from(kColumn)), a);
      where(
          modes.given(node.dof + k), [&] { dof[kReaction] = along + dof[kRest]; },
          [&] { dof[kRate] = (dof[kRest] - along) * dof[kInverse]; }, dof[kReaction], dof[kRate]);
      add_to(a, node.axis + k, dof[kRate]);
    }
    store(work.from(kAcceleration), a);
  });
}

/// v' of M v' + C + damping v = force, to `out` (dofs). Featherstone 1983; 2008, chapter 7. Writes the lanes of
/// articulation i only. One thread per articulation.
struct ForwardDynamics {
  Batch b;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const Lanes l{b, i};
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const Lane dof = l.dof(d);
      dof[kForce] = fma(-l.forces(d).damping, l.v()[d], l.force()[d]);
      dof[kExtra] = 0;
    }
    move(Alone{}, l, l.v());
    gather(Alone{}, l, AllFree{});
    scatter(Alone{}, l, AllFree{});
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.out()[d] = l.dof(d)[kRate];
  }
};

}  // namespace cairn::kernels::articulate
