#pragma once
// A substep of articulations: their rates at its end.

#include "kernels/articulations/update_modes.h"

namespace cairn::kernels::articulate {

/// [1] Solutions of a substep beside the first, each with velocity products by the one before.
inline constexpr int kMiddles = 4;
/// [1] Share of the turning by which two solutions may differ and are the same. Up to some 0.2 rad a substep, the
/// second one is.
inline constexpr double kSame = 0.005;
/// [1] That by which the last two may differ where nothing is done about it.
inline constexpr double kFollowed = 0.02;
/// [1] What joints are damped by beyond that, of their inertia over h: for each kFollowed that the first two solutions
/// differ by, and at most.
inline constexpr double kCalming = 0.1, kMaxCalm = 0.5;

/// One substep of one articulation. Damping and drives add h D + h^2 K to the diagonal; friction, limits and drives
/// that can't give all go by modes, which passes over the whole tree settle.
struct Substep {
  const Batch& b;
  double h;  ///< [s]

  /// The rates at the substep's end, in place of their accelerations. Velocity products are those in the middle of the
  /// substep: the implicit midpoint rule, as each solution tells where the middle is. What turns too fast for this to
  /// close in would be fed energy without end: it has its products scaled back, and its joints damped. A base that
  /// floats is not a joint.
  CAIRN_HD void solve(const Lanes& l, const DofModes& modes) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) begin(l, modes, d);
    move(l, l.v());
    begin_couplings(l, h);
    settle(l, modes);
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.dof(d)[kFirst] = l.dof(d)[kRate];
    double first = 0, differ = 0;
    for (int i = 0; i < kMiddles; ++i) {
      go_by_middle(l, modes, kRate, 1);
      differ = difference(l);
      if (i == 0) first = differ;
      if (differ <= kSame || !(differ <= first)) break;
    }
    if (differ <= kFollowed) return;
    const double times = max(first / kFollowed, 1.0);
    calm(l, min(kCalming * (times - 1), kMaxCalm));
    go_by_middle(l, modes, kFirst, 1 / sqrt(times));
  }

  /// Passes until the modes are settled. True where they stay what they were.
  CAIRN_HD_CALL bool settle(const Lanes& l, const DofModes& modes) const { return Settle{b, h}(l, modes); }

  /// Neither rates nor coordinates beyond kMax, nor NaN.
  CAIRN_HD bool sound(const Lanes& l) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const double rate = l.dof(d)[kRate];
      if (!(abs(rate) <= kMax && abs(fma(h, rate, l.q()[b.dof[d].coordinate])) <= kMax)) return false;
    }
    return true;
  }

  /// Before nodes are advanced.
  CAIRN_HD void begin_advance(const Lanes& l) const { lead_sums_back(l, h); }
  /// A node by its rates at the substep's end. Turns by exp(h w / 2), in the node's axes.
  CAIRN_HD void advance(const Node& node, const Lanes& l) const {
    const Lane q = l.q().from(node.coordinate);
    const auto rate = [&](std::uint32_t k) { return l.dof(node.dof + k)[kRate]; };
    if (node.kind != NodeKind::kBall) {
      for (std::uint32_t k = 0; k < node.dofs; ++k) {
        const JointForces forces = l.forces(node.dof + k);
        double there = fma(h, rate(k), q[k]);
        if (b.couplings != 0) there = there + l.spare()[node.dof + k];
        const double most = h * kMaxJointSpeed;
        q[k] = there + clamp(kPushOut * (clamp(there, forces.lower, forces.upper) - there), -most, most);
      }
      return;
    }
    const Vec half = 0.5 * h * Vec{rate(0), rate(1), rate(2)};
    const double angle = length(half);
    const SinCosd turn = sincos(angle);
    const double s = angle < 1e-9 ? 1.0 : turn.sin / angle;
    const Quatd turned = load_quat(q) * Quatd{s * half.x, s * half.y, s * half.z, turn.cos};
    const double norm =
        sqrt(fma(turned.x, turned.x, fma(turned.y, turned.y, fma(turned.z, turned.z, turned.w * turned.w))));
    store(q, Quatd{turned.x / norm, turned.y / norm, turned.z / norm, turned.w / norm});
  }

 private:
  /// A first guess.
  CAIRN_HD void begin(const Lanes& l, const DofModes& modes, std::uint32_t d) const {
    l.dof(d)[kCalm] = 0;
    modes.set(d, l.bounded() ? law_of(l, d, h).piece_at(l.v()[d]) : Mode{Mode::kNone, 0, 0});
  }

  /// Solves with the products in the middle between the start and the rates `end`, there times `scale`.
  CAIRN_HD void go_by_middle(const Lanes& l, const DofModes& modes, DofWord end, double scale) const {
    const Lane middle = l.given();
    for (std::uint32_t d = 0; d < b.dofs; ++d) middle[d] = scale * (0.5 * (l.v()[d] + l.dof(d)[end]));
    move(l, middle);
    settle(l, modes);
  }

  /// [1] Of the rates from those that `given` is the middle to, of all that turns, by its energy.
  CAIRN_HD double difference(const Lanes& l) const {
    double off = 0, all = 0;
    for (std::uint32_t n = 0; n < b.nodes; ++n) {
      const Node& node = b.node[n];
      if (node.axis >= 3) continue;
      for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) {
        const double v = l.v()[d], rate = l.dof(d)[kRate], weight = l.dof(d)[kWeight];
        const double e = rate - fma(2, l.given()[d], -v);
        off = fma(weight * e, e, off);
        all = fma(weight * v, v, fma(weight * rate, rate, all));
      }
    }
    return off == 0 ? 0.0 : sqrt(off / all);
  }

  CAIRN_HD void calm(const Lanes& l, double share) const {
    for (std::uint32_t n = 0; n < b.nodes; ++n) {
      const Node& node = b.node[n];
      const bool floats =
          node.kind == NodeKind::kShift || (node.parent != kNone && b.node[node.parent].kind == NodeKind::kShift);
      for (std::uint32_t d = node.dof; d < node.dof + node.dofs; ++d) {
        l.dof(d)[kCalm] = floats ? 0.0 : share * l.dof(d)[kWeight] / h;
      }
    }
  }
};

}  // namespace cairn::kernels::articulate
