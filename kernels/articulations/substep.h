#pragma once
// A substep of articulations: their rates at its end.

#include "kernels/articulations/update_modes.h"

namespace cairn::kernels::articulate {

/// [1] Solutions of a substep after the first, each with the velocity products of the one before.
inline constexpr int kMiddles = 4;
/// [1] Difference below which two solutions are the same, as a share of the rotation. Up to some 0.2 rad per substep,
/// the second one is.
inline constexpr double kSame = 0.005;
/// [1] Allowed difference of the last two without a remedy.
inline constexpr double kFollowed = 0.02;
/// [1] Damping of joints beyond that, over their inertia / h: for each kFollowed of difference between the first two
/// solutions, and its max.
inline constexpr double kCalming = 0.1, kMaxCalm = 0.5;

/// f(d) for the rates of a node that turn.
template <class F>
CAIRN_HD void each_turning(const Node& node, const F& f) {
  if (node.axis >= 3) return;
  for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) f(d);
}
/// [J] Twice the energy of a node's rotation, at the start and at the end: sums of products, to add(a, b).
template <class T, class Add>
CAIRN_HD void turning_energy(const LanesT<T>& l, const Node& node, const Add& add) {
  each_turning(node, [&](std::uint32_t d) {
    const T v = l.v()[d], rate = l.dof(d)[kRate], weight = l.dof(d)[kWeight];
    add(weight * rate, rate);
    add(weight * v, v);
  });
}
/// [J] The same for the difference of its rates from those whose midpoint is `given`.
template <class T, class Add>
CAIRN_HD void turning_off(const LanesT<T>& l, const Node& node, const Add& add) {
  each_turning(node, [&](std::uint32_t d) {
    const T e = l.dof(d)[kRate] - fma(T(2.0), l.given()[d], -l.v()[d]);
    add(l.dof(d)[kWeight] * e, e);
  });
}

/// One substep of one articulation. Damping and drives add h D + h^2 K to the diagonal. Friction, limits and bounded
/// drives have modes, which passes over the whole tree settle.
struct Substep {
  const Batch& b;
  double h;  ///< [s]

  /// Computes the rates at the substep's end, in place of their accelerations. Velocity products are those of the
  /// middle of the substep: the implicit midpoint rule, since each solution gives a new middle. Where rotations are too
  /// fast for this to converge it would add energy without end: then the products are scaled back and the joints
  /// damped. A floating base is not a joint.
  template <class Team>
  CAIRN_HD void solve(const Team& team, const Lanes& l, const DofModes& modes) const {
    team.each(b.dofs, [&](std::uint32_t d) { begin(l, modes, d); });
    move(team, l, l.v());
    if (b.couplings != 0) team.one([&] { begin_couplings(l, h); });
    settle(team, l, modes);
    team.each(b.dofs, [&](std::uint32_t d) { l.dof(d)[kFirst] = l.dof(d)[kRate]; });
    double first = 0, differ = 0;
    for (int i = 0; i < kMiddles; ++i) {
      go_by_middle(team, l, modes, kRate, 1);
      differ = difference(team, l);
      if (i == 0) first = differ;
      if (differ <= kSame || !(differ <= first)) break;
    }
    if (differ <= kFollowed) return;
    const double times = max(first / kFollowed, 1.0);
    const double share = min(kCalming * (times - 1), kMaxCalm);
    team.each(b.nodes, [&](std::uint32_t n) { calm(l, n, share); });
    go_by_middle(team, l, modes, kFirst, 1 / sqrt(times));
  }

  /// Passes until the modes are settled. True if they stay as they were.
  template <class Team>
  CAIRN_HD_CALL bool settle(const Team& team, const Lanes& l, const DofModes& modes) const {
    return Settle<Team>{team, b, h}(l, modes);
  }

  /// True if neither rates nor coordinates exceed kMax or are NaN.
  template <class Team>
  CAIRN_HD bool sound(const Team& team, const Lanes& l) const {
    return team.all(b.dofs, [&](std::uint32_t d) {
      const double rate = l.dof(d)[kRate];
      return abs(rate) <= kMax && abs(fma(h, rate, l.q()[b.dof[d].coordinate])) <= kMax;
    });
  }

  /// Call before nodes are advanced.
  template <class Team>
  CAIRN_HD void begin_advance(const Team& team, const Lanes& l) const {
    if (b.couplings != 0) team.one([&] { lead_sums_back(l, h); });
  }
  /// Advances a node by its rates at the substep's end. Rotations by exp(h w / 2), in the node's axes.
  template <class T>
  CAIRN_HD void advance(const Node& node, const LanesT<T>& l) const {
    const LaneT<T> q = l.q().from(node.coordinate);
    const auto rate = [&](std::uint32_t k) { return l.dof(node.dof + k)[kRate]; };
    if (node.kind != NodeKind::kBall) {
      for (std::uint32_t k = 0; k < node.dofs; ++k) {
        const JointForcesT<T> forces = l.forces(node.dof + k);
        T there = fma(T(h), rate(k), q[k]);
        if (b.couplings != 0) there = there + l.spare()[node.dof + k];
        const T most(h * kMaxJointSpeed);
        q[k] = there + clamp(T(kPushOut) * (clamp(there, forces.lower, forces.upper) - there), -most, most);
      }
      return;
    }
    const Vec3T<T> half = T(0.5 * h) * Vec3T<T>{rate(0), rate(1), rate(2)};
    const T angle = length(half);
    const SinCosT<T> turn = sincos(angle);
    const T s = select(angle < T(1e-9), T(1.0), turn.sin / angle);
    const QuatT<T> turned = load_as<QuatT>(q) * QuatT<T>{s * half.x, s * half.y, s * half.z, turn.cos};
    const T norm = sqrt(fma(turned.x, turned.x, fma(turned.y, turned.y, fma(turned.z, turned.z, turned.w * turned.w))));
    store(q, QuatT<T>{turned.x / norm, turned.y / norm, turned.z / norm, turned.w / norm});
  }

 private:
  /// Sets a first guess.
  CAIRN_HD void begin(const Lanes& l, const DofModes& modes, std::uint32_t d) const {
    l.dof(d)[kCalm] = 0;
    modes.set(d, l.bounded() ? law_of(l, d, h).piece_at(l.v()[d]) : Mode{Mode::kNone, 0, 0});
  }

  /// Solves with the products in the middle between the start and the rates `end`, there times `scale`.
  template <class Team>
  CAIRN_HD void go_by_middle(const Team& team, const Lanes& l, const DofModes& modes, DofWord end, double scale) const {
    const Lane middle = l.given();
    team.each(b.dofs, [&](std::uint32_t d) { middle[d] = scale * (0.5 * (l.v()[d] + l.dof(d)[end])); });
    move(team, l, middle);
    settle(team, l, modes);
  }

  /// [1] Difference of the rates from those whose midpoint is `given`, over all rotations, by energy.
  template <class Team>
  CAIRN_HD double difference(const Team& team, const Lanes& l) const {
    const double off =
        team.template sum<3>(b.nodes, [&](std::uint32_t n, const auto& add) { turning_off(l, b.node[n], add); });
    if (off == 0) return 0;
    const double all =
        team.template sum<6>(b.nodes, [&](std::uint32_t n, const auto& add) { turning_energy(l, b.node[n], add); });
    return sqrt(off / all);
  }

  CAIRN_HD void calm(const Lanes& l, std::uint32_t n, double share) const {
    const Node& node = b.node[n];
    const bool floats =
        node.kind == NodeKind::kShift || (node.parent != kNone && b.node[node.parent].kind == NodeKind::kShift);
    for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) {
      l.dof(d)[kCalm] = floats ? 0.0 : share * l.dof(d)[kWeight] / h;
    }
  }
};

}  // namespace cairn::kernels::articulate
