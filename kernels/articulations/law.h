#pragma once
// Forces along a rate in a step, as functions of the rate at the step's end, so that no gain is too high.

#include <limits>

#include "kernels/articulations/forward.h"
#include "kernels/articulations/turn.h"

namespace cairn::kernels::articulate {

/// [N, N m, m/s, rad/s] Unbounded.
inline constexpr double kEndless = std::numeric_limits<double>::infinity();

/// The piece of its Law on which a rate is in one step. If the rate is held, its acceleration is known, and the force
/// that keeps it is the unknown.
template <class T>
struct ModeT {
  static constexpr double kNone = 0;
  static constexpr double kStick = 1;  ///< at rest: friction holds it
  static constexpr double kLower = 2;  ///< at the rate that the limit sets
  static constexpr double kUpper = 3;
  T held;   ///< [1] one of the above
  T rubs;   ///< [1] sign of its friction; 0: none
  T drive;  ///< [1] 1, -1: the drive is at its max or min force; 0: within its bounds
  CAIRN_HD auto is_held() const { return held > T(kNone); }
  friend CAIRN_HD auto operator==(const ModeT& a, const ModeT& b) {
    return a.held == b.held && a.rubs == b.rubs && a.drive == b.drive;
  }
};
using Mode = ModeT<double>;

/// A mode as a small number, stored with the doubles of a rate: `held`, and 4 and 12 times the signs of `rubs` and
/// `drive`, from 1.
template <class T>
CAIRN_HD T number_of(const ModeT<T>& mode) {
  return fma(T(12.0), mode.drive + T(1.0), fma(T(4.0), mode.rubs + T(1.0), mode.held));
}
/// A whole number from 0 to 100 over another, rounded down.
template <class T>
CAIRN_HD T quotient(T number, double divisor) {
  return floor((number + T(0.5)) * T(1 / divisor));
}
/// The part `held`.
template <class T>
CAIRN_HD T held_of(T number) {
  return number - T(4.0) * quotient(number, 4);
}
template <class T>
CAIRN_HD ModeT<T> mode_of(T number) {
  const T drive = quotient(number, 12), rubs = quotient(number, 4) - T(3.0) * drive;
  return {held_of(number), rubs - T(1.0), drive - T(1.0)};
}

/// Force along a rate, as a function of the rate at the step's end: a falling curve of straight pieces, some of them
/// vertical. The solution of a step is where each rate's curve meets the force that its inertia takes.
template <class T>
struct LawT {
  T applied;               ///< [N, N m] the user's force, and the spring's at rate 0
  T damping;               ///< [N s/m, N m s/rad] with kCalm, and the spring's loss with the rate
  T friction;              ///< [N, N m] max
  T lowest, highest;       ///< [m/s, rad/s] bounds by the limits: at most 0 and at least 0
  T pull;                  ///< [N, N m] of the drive at rate 0: kp (target - q) + kd target rate
  T drag;                  ///< [N s/m, N m s/rad] loss of the drive with the rate: kd + h kp
  T min_drive, max_drive;  ///< [N, N m] bounds of the drive

  /// At a vertical piece, the value from below or above; only limits are unbounded.
  CAIRN_HD T force(T rate, bool from_above) const {
    const auto under = from_above ? rate < lowest : rate <= lowest;
    const auto over = from_above ? rate >= highest : rate > highest;
    const T rubs = select(from_above ? rate < T(0.0) : rate <= T(0.0), friction, -friction);
    const T acts = fma(-damping, rate, applied) + clamp(fma(-drag, rate, pull), min_drive, max_drive) + rubs;
    return select(under, T(kEndless), select(over, T(-kEndless), acts));
  }
  /// Rates where the drive reaches its bounds: the upper one for side 1, the lower one for -1.
  CAIRN_HD T bend(T side) const { return select(drag > T(0.0), (pull - bound(side)) / drag, T(0.0)); }
  CAIRN_HD T bound(T side) const { return select(side > T(0.0), max_drive, min_drive); }

  /// The piece on which the curve meets a line that rises by `inertia` through (rate, force).
  CAIRN_HD ModeT<T> piece(T rate, T force_there, T inertia) const {
    using M = ModeT<T>;
    const T none(0.0), one(1.0), endless(kEndless);
    T left = -endless, right = endless;
    // true: the lines meet on the vertical piece at x. Lanes that aren't asked change nothing
    const auto meets = [&](T x, auto asked) {
      const T rising = fma(x - rate, inertia, force_there);
      const auto behind = asked && force(x, true) > rising;
      const auto ahead = asked && !behind && force(x, false) < rising;
      left = select(behind, max(left, x), left);
      right = select(ahead, min(right, x), right);
      // NaN meets nothing, and stays NaN
      return asked && !behind && !ahead && rising == rising;
    };
    const auto holds = [&](T x, auto asked) { return any(asked) ? meets(x, asked) : asked; };
    const auto lower = holds(lowest, lowest > -endless);
    const auto upper = holds(highest, !lower && highest < endless);
    const auto stick = holds(none, !lower && !upper && friction > none);
    const auto found = lower || upper || stick;
    const T rubs = select(friction > none, select(right <= none, one, -one), none);
    const auto drags = !found && drag > none;
    const auto above = drags && max_drive < endless, below = drags && min_drive > -endless;
    T drive = none;
    if (any(above || below)) {
      const T high = bend(one), low = bend(-one);
      (void)meets(high, above);
      (void)meets(low, below);
      drive = select(above && right <= high, one, select(below && left >= low, -one, none));
    }
    const T held = select(lower, T(M::kLower), select(upper, T(M::kUpper), select(stick, T(M::kStick), none)));
    return {held, select(found, none, rubs), drive};
  }
  /// The piece at a rate, as a first guess.
  CAIRN_HD ModeT<T> piece_at(T rate) const {
    using M = ModeT<T>;
    const T none(0.0), one(1.0);
    const auto rubbed = friction > none;
    const T held = select(rate < lowest, T(M::kLower),
                          select(rate > highest, T(M::kUpper), select(rubbed && rate == none, T(M::kStick), none)));
    const T driven = fma(-drag, rate, pull);
    const T rubs = select(rubbed, select(rate < none, one, -one), none);
    const T drive = select(driven > max_drive, one, select(driven < min_drive, -one, none));
    return {held, select(held > none, none, rubs), select(held > none, none, drive)};
  }
  /// The rate where that piece meets the rising line.
  CAIRN_HD T meeting(const ModeT<T>& mode, T rate, T force_there, T inertia) const {
    return select(mode.is_held(), goal(mode), fma(rate, inertia, level(mode) - force_there) / (inertia + slope(mode)));
  }
  /// [m/s, rad/s] Rate while held.
  CAIRN_HD T goal(const ModeT<T>& mode) const {
    using M = ModeT<T>;
    return select(mode.held == T(M::kLower), lowest, select(mode.held == T(M::kUpper), highest, T(0.0)));
  }
  /// While not held: force = level - slope rate. `max_drive` and `min_drive` may be infinite.
  CAIRN_HD T level(const ModeT<T>& mode) const {
    return fma(mode.rubs, friction, applied) + select(mode.drive == T(0.0), pull, bound(mode.drive));
  }
  CAIRN_HD T slope(const ModeT<T>& mode) const { return damping + select(mode.drive == T(0.0), drag, T(0.0)); }
};
using Law = LawT<double>;

/// [rad] Remaining rotation of a ball from q to `target`, along its axes: component `part` of the rotation vector of q*
/// target, the short way round.
CAIRN_HD double turn_left(const Quatd& q, const Quatd& target, std::uint32_t part) {
  return component(rotation_vector(Quatd{-q.x, -q.y, -q.z, q.w} * target), part);
}

/// A law without limits. `left` and `spring_left` are the distances to the goals of the drive and the spring.
template <class T>
CAIRN_HD LawT<T> unlimited_law(const JointForcesT<T>& f, T applied, T damping, T left, T target_rate, T spring_left,
                               T h) {
  const T none(0.0), endless(kEndless);
  LawT<T> law{applied, damping, f.friction, -endless, endless, none, none, -endless, endless};
  where(
      driven(f),
      [&] {
        law.min_drive = f.min_force;
        law.max_drive = f.max_force;
        law.pull = fma(f.stiffness, left, f.drive_damping * target_rate);
        law.drag = fma(h, f.stiffness, f.drive_damping);
      },
      [] {}, law.min_drive, law.max_drive, law.pull, law.drag);
  where(
      f.spring > none,
      [&] {
        law.applied = fma(f.spring, spring_left, law.applied);
        law.damping = fma(h, f.spring, law.damping);
      },
      [] {}, law.applied, law.damping);
  return law;
}

/// [m/s, rad/s] Bounds of the rate so that a step ends at the limits at most: the lower one at distance `up`, the upper
/// one at `down`. Violations are corrected without a rate, which would remain.
template <class T>
CAIRN_HD void set_limits(LawT<T>& law, const JointForcesT<T>& f, T up, T down, T h) {
  law.lowest = max(min(up, T(0.0)) / h, f.min_rate);
  law.highest = min(max(down, T(0.0)) / h, f.max_rate);
}

template <class T>
CAIRN_HD_CALL LawT<T> law_of(const LanesT<T>& l, std::uint32_t d, double h) {
  const Dof& dof = l.b.dof[d];
  const JointForcesT<T> f = l.forces(d);
  const LaneT<T> target = l.target().from(dof.coordinate), q = l.q().from(dof.coordinate);
  const bool single = dof.part == kNone;
  const auto turn_to = [&](const auto& there) {
    return LaneT<T>::each([&](std::uint32_t i) { return turn_left(load_as<QuatT>(q.one(i)), there(i), dof.part); });
  };
  T left(0.0), spring_left(0.0);
  if (any(driven(f))) {
    left = single ? target[0] - q[0] : turn_to([&](std::uint32_t i) { return load_as<QuatT>(target.one(i)); });
  }
  if (any(f.spring > T(0.0))) {
    spring_left = single ? f.spring_rest - q[0] : turn_to([](std::uint32_t) { return Quatd{0, 0, 0, 1}; });
  }
  LawT<T> law =
      unlimited_law(f, l.force()[d], f.damping + l.dof(d)[kCalm], left, l.target_rate()[d], spring_left, T(h));
  if (single) set_limits(law, f, f.lower - q[0], f.upper - q[0], T(h));
  return law;
}

}  // namespace cairn::kernels::articulate
