#pragma once
// A substep of articulations: their rates at its end.

#include "kernels/articulate/settle.h"
#include "kernels/solve/joint_law.h"

namespace cairn::kernels::articulate {

/// [1] Share of what is beyond a limit that a substep takes back, no faster than kMostJointSpeed, and without a rate.
inline constexpr double kPushOut = 0.2;

/// One substep of one articulation. Damping and drives add h D + h^2 K to the diagonal; friction, limits and drives
/// that can't give all go by modes, which passes over the whole tree settle.
struct Substep {
  const Batch& b;
  double h;  ///< [s]

  /// The rates at the substep's end, in place of their accelerations. Velocity products are those in the middle of the
  /// substep, as far as a first solution with those at its start tells: these alone feed energy to what turns fast.
  CAIRN_HD void solve(const Lanes& l, const DofModes& modes) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) begin(l, modes, d);
    move(l, l.v());
    settle(l, modes);
    const Lane middle = l.given();
    for (std::uint32_t d = 0; d < b.dofs; ++d) middle[d] = 0.5 * (l.v()[d] + l.dof(d)[kRate]);
    move(l, middle);
    settle(l, modes);
  }

  /// Passes until the modes are settled.
  CAIRN_HD void settle(const Lanes& l, const DofModes& modes) const { Settle{b, h}(l, modes); }

  /// Neither rates nor coordinates beyond kMost, nor NaN.
  CAIRN_HD bool sound(const Lanes& l) const {
    for (std::uint32_t d = 0; d < b.dofs; ++d) {
      const double rate = l.dof(d)[kRate];
      if (!(abs(rate) <= kMost && abs(fma(h, rate, l.q()[b.dof[d].coordinate])) <= kMost)) return false;
    }
    return true;
  }

  /// A node by its rates at the substep's end. Turns by exp(h w / 2), in the node's axes.
  CAIRN_HD void advance(const Node& node, const Lanes& l) const {
    const Lane q = l.q().from(node.coordinate);
    const auto rate = [&](std::uint32_t k) { return l.dof(node.dof + k)[kRate]; };
    if (node.kind != NodeKind::kBall) {
      for (std::uint32_t k = 0; k < node.dofs; ++k) {
        const Dof& dof = b.dof[node.dof + k];
        const double there = fma(h, rate(k), q[k]);
        const double most = h * kMostJointSpeed;
        q[k] = there + clamp(kPushOut * (clamp(there, dof.lower, dof.upper) - there), -most, most);
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
    modes.set(d, b.bounded ? law_of(l, d, h).piece_at(l.v()[d]) : Mode{Mode::kNone, 0, 0});
  }
};

}  // namespace cairn::kernels::articulate
