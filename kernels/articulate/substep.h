#pragma once
// A substep of articulations: their rates at its end.

#include "kernels/articulate/law.h"

namespace cairn::kernels::articulate {

/// [1] Passes that look for the modes of rates that rub, stop or saturate. One to three are what it takes: of 64,000
/// solutions for trees of 16 links with all of these, six took six, and none more.
inline constexpr std::uint32_t kPasses = 8;

/// [1] Share of what is beyond a limit that a step takes back.
inline constexpr double kPushOut = 0.2;

/// Modes, small numbers beside the doubles of a rate.
struct DofModes {
  const Lanes& l;
  CAIRN_HD Mode mode(std::uint32_t d) const { return static_cast<Mode>(static_cast<std::uint32_t>(l.dof(d)[kMode])); }
  CAIRN_HD void set(std::uint32_t d, Mode mode) const {
    l.dof(d)[kMode] = static_cast<double>(static_cast<std::uint32_t>(mode));
  }
  CAIRN_HD bool given(std::uint32_t d) const { return is_given(mode(d)); }
};

/// One substep of one articulation. Damping and drives add h D + h^2 K to the diagonal; friction, limits and drives that
/// can't give all go by modes, which passes over the whole tree settle.
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
  CAIRN_HD void settle(const Lanes& l, const DofModes& modes) const {
    for (std::uint32_t pass = 0; pass < kPasses; ++pass) {
      for (std::uint32_t d = 0; d < b.dofs; ++d) load(l, modes, d);
      gather(l, modes);
      scatter(l, modes);
      if (!b.bounded) break;
      bool changed = false;
      for (std::uint32_t d = 0; d < b.dofs; ++d) changed = settle(l, modes, d) || changed;
      if (!changed) break;
    }
    for (std::uint32_t d = 0; d < b.dofs; ++d) l.dof(d)[kRate] = rate_after(l, modes, d);
  }

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
        q[k] = fma(kPushOut, clamp(there, dof.lower, dof.upper) - there, there);
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
    const Lane dof = l.dof(d);
    const double v = l.v()[d];
    dof[kSaturated] = 0;
    Mode mode = v < 0 ? Mode::kDown : Mode::kUp;
    if (b.bounded) {
      const Law law = law_of(l, d, h);
      dof[kSaturated] = saturated(law, v);
      if (law.friction > 0 && v == 0) mode = Mode::kStick;
      if (v < law.lowest) mode = Mode::kLower;
      if (v > law.highest) mode = Mode::kUpper;
    }
    modes.set(d, mode);
  }

  CAIRN_HD static double saturated(const Law& law, double rate) {
    const double driven = law.driven(rate);
    return driven > law.most ? 1.0 : (driven < -law.most ? -1.0 : 0.0);
  }

  CAIRN_HD static double wanted(const Law& law, Mode mode) {
    return mode == Mode::kStick ? 0.0 : (mode == Mode::kLower ? law.lowest : law.highest);
  }

  CAIRN_HD void load(const Lanes& l, const DofModes& modes, std::uint32_t d) const {
    const Lane dof = l.dof(d);
    const Law law = law_of(l, d, h);
    const double v = l.v()[d], full = dof[kSaturated];
    const Mode mode = modes.mode(d);
    if (is_given(mode)) {
      dof[kRate] = (wanted(law, mode) - v) / h;
      return;
    }
    const double friction = mode == Mode::kUp ? -law.friction : law.friction;
    const double drag = full == 0 ? law.drag : 0.0;
    // `most` may be infinite
    const double drive = full == 0 ? fma(-drag, v, law.pull) : (full > 0 ? law.most : -law.most);
    dof[kForce] = fma(-law.damping, v, law.applied) + friction + drive;
    dof[kExtra] = h * (law.damping + drag);
  }

  /// True where the pass went by a wrong mode, which is put right.
  CAIRN_HD bool settle(const Lanes& l, const DofModes& modes, std::uint32_t d) const {
    const Lane dof = l.dof(d);
    const Law law = law_of(l, d, h);
    const Mode mode = modes.mode(d);
    const double rate = is_given(mode) ? wanted(law, mode) : fma(h, dof[kRate], l.v()[d]);
    const double drive = saturated(law, rate);
    const Mode next = settled(law, mode, rate, dof[kReaction]);
    const bool changed = next != mode || (drive != dof[kSaturated] && !is_given(mode));
    dof[kSaturated] = drive;
    modes.set(d, next);
    return changed;
  }

  /// Limits hold even where the passes didn't come to an end: on its own rate each can be kept.
  CAIRN_HD double rate_after(const Lanes& l, const DofModes& modes, std::uint32_t d) const {
    const double rate = fma(h, l.dof(d)[kRate], l.v()[d]);
    if (!b.bounded) return rate;
    const Law law = law_of(l, d, h);
    return modes.given(d) ? wanted(law, modes.mode(d)) : clamp(rate, law.lowest, law.highest);
  }
};

}  // namespace cairn::kernels::articulate
