#pragma once
// Responses of an articulation to impulses P on links: the change of motion M^-1 J^T P, which is J M^-1 J^T P for a
// link. The factors are those of the substep's articulated bodies, with its modes: rates that friction or a limit holds
// stay held, and drives have the stiffness that they have within a substep.

#include "kernels/articulations/links.h"

namespace cairn::kernels::articulate {

/// An articulation of a World: its model, with its world's gravity, and its lanes; or four (LanesT).
template <class T>
struct InWorldT {
  const Kind& kind;
  Batch b;
  std::uint32_t i;  ///< [1] index in its kind

  CAIRN_HD InWorldT(const Kind& of, std::uint32_t lane, Vec3 gravity) : kind(of), b(kind.batch), i(lane) {
    b.gravity = widen(gravity);
  }
  CAIRN_HD InWorldT(const Links& links, const Articulated& at, Vec3 gravity)
      : InWorldT(links.kind[at.kind], at.lane, gravity) {}
  CAIRN_HD InWorldT(const Links& links, const Articulated& at) : InWorldT(links, at, {0, 0, 0}) {}
  CAIRN_HD LanesT<T> lanes() const { return {b, i}; }
  CAIRN_HD LaneT<T> words() const { return lane_of(kind.world, world_words(b), b.lanes, i); }
  CAIRN_HD LaneT<T> node(std::uint32_t n) const { return words().from(kWorldNodeWords * n); }
  /// Of a node to the world at the substep's start, and the motion that impulses gave it.
  CAIRN_HD TransformT<T> place(std::uint32_t n) const { return load_as<TransformT>(node(n).from(kPlace)); }
  CAIRN_HD MotionT<T> change(std::uint32_t n) const { return load_as<MotionT>(node(n).from(kChange)); }
  CAIRN_HD LaneT<T> dof(std::uint32_t d) const { return words().from(kWorldNodeWords * b.nodes + kWorldDofWords * d); }
  /// Motion of node n under an impulse along coupling c, with those before it held to their lines.
  CAIRN_HD LaneT<T> coupled(std::uint32_t n, std::uint32_t c) const { return dof(b.dofs).from(6 * (c * b.nodes + n)); }
};
using InWorld = InWorldT<double>;

/// The parent's kChange, in the frame of node n.
template <class T>
CAIRN_HD MotionT<T> carried(const InWorldT<T>& in, std::uint32_t n) {
  const std::uint32_t parent = in.b.node[n].parent;
  if (parent == kNone) return spread<T>(Motion{});
  return to_child(in.lanes().transform(n), in.change(parent));
}

/// Call before impulses are led in.
CAIRN_HD void clear_impulses(const InWorld& in) {
  for (std::uint32_t d = 0; d < in.b.dofs; ++d) in.dof(d)[kGiven] = 0;
}

/// Passes an impulse on a node, in its frame, through its rates: the rest of it acts on the parent. Calls left(d, part)
/// with each rate's part.
template <class T, class Left>
CAIRN_HD void pass_rates(const LanesT<T>& l, const Node& node, ForceT<T>& f, const Left& left) {
  const DofModesT<T> modes{l};
  for (std::uint32_t k = node.dofs; k-- > 0;) {
    const std::uint32_t d = node.dof + k;
    where(
        modes.given(d), [] {},
        [&] {
          const T part = component(f, node.axis + k);
          left(k, part);
          f = fma(-part * l.dof(d)[kInverse], load_as<ForceT>(l.dof(d).from(kColumn)), f);
        },
        f);
  }
}

/// Leads an impulse from node n, in its frame, up to the root, and adds to each rate on the path its part.
CAIRN_HD_CALL void lead_in(const InWorld& in, std::uint32_t n, Force f) {
  const Lanes l = in.lanes();
  while (n != kNone) {
    const Node& node = in.b.node[n];
    pass_rates(l, node, f, [&](std::uint32_t k, Real part) { in.dof(node.dof + k)[kGiven] += part; });
    f = to_parent(l.transform(n), f);
    n = node.parent;
  }
}

/// Changes of a node's own rates, from the impulses left for them, added to the motion that its parent gives it.
template <class T, class Given>
CAIRN_HD void give_way(const LanesT<T>& l, const Node& node, const Given& given, MotionT<T>& m) {
  const DofModesT<T> modes{l};
  for (std::uint32_t k = 0; k < node.dofs; ++k) {
    const LaneT<T> dof = l.dof(node.dof + k);
    T& change = given(k);
    where(
        modes.given(node.dof + k), [&] { change = T(0.0); },
        [&] { change = (change - dot(load_as<ForceT>(dof.from(kColumn)), m)) * dof[kInverse]; }, change);
    add_to(m, node.axis + k, change);
  }
}

/// The same, plus the node's own rates, as `rate(d)`.
template <class Rates>
CAIRN_HD Motion carried(const InWorld& in, std::uint32_t n, const Rates& rate) {
  const Node& node = in.b.node[n];
  Motion m = carried(in, n);
  for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) add_to(m, node.axis + d - node.dof, rate(d));
  return m;
}

/// Root to tips: the changes by the impulses, of all nodes to kChange, and of all rates in place of their parts.
CAIRN_HD_CALL void lead_out(const InWorld& in) {
  const Lanes l = in.lanes();
  for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
    const Node& node = in.b.node[n];
    Motion m = carried(in, n);
    give_way(
        l, node, [&](std::uint32_t k) -> Real& { return in.dof(node.dof + k)[kGiven]; }, m);
    store(in.node(n).from(kChange), m);
  }
  if (in.b.couplings == 0) return;
  const DofModes modes{l};
  for (std::uint32_t c = 0; c < in.b.couplings; ++c) {
    const Lane z = column_of(l, c);
    const double force =
        correction(l, c, sum_along(in.b, in.b.coupling[c], [&](std::uint32_t d) { return in.dof(d)[kGiven]; }));
    for (std::uint32_t d = 0; d < in.b.dofs; ++d) {
      if (!modes.given(d)) in.dof(d)[kGiven] = fma(force, z[d], in.dof(d)[kGiven]);
    }
  }
  for (std::uint32_t n = 0; n < in.b.nodes; ++n) {
    store(in.node(n).from(kChange), carried(in, n, [&](std::uint32_t d) { return in.dof(d)[kGiven]; }));
  }
}

template <class T = Real>
CAIRN_HD ForceT<T> unit_force(std::uint32_t i) {
  const T zero(0.0);
  ForceT<T> f{{zero, zero, zero}, {zero, zero, zero}};
  Vec3T<T>& part = i < 3 ? f.n : f.f;
  (i % 3 == 0 ? part.x : (i % 3 == 1 ? part.y : part.z)) = T(1.0);
  return f;
}

/// Motion of node n under an impulse on itself, without couplings.
template <class T>
CAIRN_HD_CALL MotionT<T> tree_response(const InWorldT<T>& in, std::uint32_t n, const ForceT<T>& f) {
  MotionT<T> m = spread<T>(Motion{});
  const LaneT<T> columns = in.node(n).from(kResponse);
  CAIRN_UNROLL_FEW
  for (std::uint32_t c = 0; c < 6; ++c) {
    m = fma(component(f, c), load_as<MotionT>(columns.from(6 * c)), m);
  }
  return m;
}

/// Root to tips: the motions along couplings.
template <class Team>
CAIRN_HD_CALL void respond_coupled(const Team& team, const InWorld& in) {
  const Lanes l = in.lanes();
  const DofModes modes{l};
  for (std::uint32_t c = 0; c < in.b.couplings; ++c) {
    const Lane z = column_of(l, c);
    team.down(in.b.levels(), [&](std::uint32_t n) {
      const Motion m = carried(in, n, [&](std::uint32_t d) { return modes.given(d) ? 0.0 : z[d]; });
      store(in.node(n).from(kChange), m);
      store(in.coupled(n, c), m);
    });
  }
}

/// Root to tips: the responses of all nodes, each from its parent's.
template <class Team, class T>
CAIRN_HD_CALL void respond(const Team& team, const InWorldT<T>& in) {
  const LanesT<T> l = in.lanes();
  team.template down_sliced<6>(in.b.levels(), [&](std::uint32_t n, const auto& columns) {
    const Node& node = in.b.node[n];
    const TransformT<T> x = l.transform(n);
    for (std::uint32_t c = columns.first; c < columns.first + columns.kSize; ++c) {
      ForceT<T> f = unit_force<T>(c);
      T part[3];
      pass_rates(l, node, f, [&](std::uint32_t k, T of_rate) { part[k] = of_rate; });
      MotionT<T> m = spread<T>(Motion{});
      if (node.parent != kNone) m = to_child(x, tree_response(in, node.parent, to_parent(x, f)));
      give_way(
          l, node, [&](std::uint32_t k) -> T& { return part[k]; }, m);
      store(in.node(n).from(kResponse + 6 * c), m);
    }
  });
}

/// Contribution of couplings to the motion of node a under an impulse f on node b.
CAIRN_HD Motion coupled_response(const InWorld& in, std::uint32_t a, std::uint32_t b, const Force& f) {
  Motion m{};
  for (std::uint32_t c = 0; c < in.b.couplings; ++c) {
    const double force = correction(in.lanes(), c, dot(f, load_as<MotionT>(in.coupled(b, c))));
    m = fma(force, load_as<MotionT>(in.coupled(a, c)), m);
  }
  return m;
}

/// Motion of node n under an impulse on itself, after `respond`.
CAIRN_HD Motion response(const InWorld& in, std::uint32_t n, const Force& f) {
  const Motion m = tree_response(in, n, f);
  return in.b.couplings == 0 ? m : m + coupled_response(in, n, n, f);
}

/// Motion of node a under an impulse on node b, each in its own frame, after `respond`: up to the first common
/// ancestor, whose response is known, and down to a, whose rates yield. It writes nothing: many rows of one
/// articulation may call it at once.
CAIRN_HD_CALL Motion response(const InWorld& in, std::uint32_t a, std::uint32_t b, Force f) {
  const Lanes l = in.lanes();
  Motion coupled{};
  if (in.b.couplings != 0) coupled = coupled_response(in, a, b, f);
  // nodes come after their parents
  std::uint32_t top = a;
  while (top != b) {
    if (b == kNone || (top != kNone && top > b)) {
      top = in.b.node[top].parent;
      continue;
    }
    pass_rates(l, in.b.node[b], f, [](std::uint32_t, Real) {});
    f = to_parent(l.transform(b), f);
    b = in.b.node[b].parent;
  }
  Motion m{};
  if (top != kNone) m = tree_response(in, top, f);
  while (top != a) {
    std::uint32_t n = a;
    while (in.b.node[n].parent != top) n = in.b.node[n].parent;
    m = to_child(l.transform(n), m);
    Real change[3] = {0, 0, 0};
    give_way(
        l, in.b.node[n], [&](std::uint32_t k) -> Real& { return change[k]; }, m);
    top = n;
  }
  return in.b.couplings == 0 ? m : m + coupled;
}

/// An impulse at a link's centre of mass, and a moment, world axes, as a force on its node.
template <class T>
CAIRN_HD ForceT<T> on_node(const TransformT<T>& place, Vec3T<T> centre, Vec3T<T> force, Vec3T<T> moment) {
  const Vec3T<T> f = transpose_mul(place.r, force);
  return {transpose_mul(place.r, moment) + cross(centre, f), f};
}
/// A column of a response, in the form of rows: v, then w~, with `root` the link's I^1/2.
CAIRN_HD void put_column(float* to, const Motion& m, const Sym3& root) {
  const Vec3 v = narrow(m.v), w = root * narrow(m.w);
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = w.x;
  to[4] = w.y;
  to[5] = w.z;
}
/// Velocity of a link's centre of mass, and its angular velocity, world axes, from the motion of its node.
template <class T>
CAIRN_HD MotionT<T> of_link(const TransformT<T>& place, Vec3T<T> centre, const MotionT<T>& m) {
  return {place.r * m.w, place.r * (m.v + cross(m.w, centre))};
}

}  // namespace cairn::kernels::articulate
