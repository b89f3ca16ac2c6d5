#pragma once
// What acts along a rate in a step, by the rate at the step's end; so that no gain is too high.

#include <limits>

#include "kernels/articulations/forward.h"
#include "kernels/articulations/turn.h"

namespace cairn::kernels::articulate {

/// [N, N m, m/s, rad/s] What has no bound.
inline constexpr double kEndless = std::numeric_limits<double>::infinity();

/// The piece of its Law on which a rate is in one step. Where it is held, its acceleration is known and the force that
/// keeps it is asked for.
struct Mode {
  enum Held : std::uint32_t {
    kNone,
    kStick,  ///< stands still: friction holds it
    kLower,  ///< goes where the limit wants it
    kUpper,
  };
  Held held;
  double rubs;   ///< [1] of its friction; -1, 1; 0: it has none
  double drive;  ///< [1] of the most that the drive can give; -1, 1; 0: it gives what it is asked for
  friend CAIRN_HD bool operator==(const Mode& a, const Mode& b) {
    return a.held == b.held && a.rubs == b.rubs && a.drive == b.drive;
  }
};

/// A mode as a small number beside the doubles of a rate: what holds it, and 4 and 12 times the signs of what acts,
/// from 1.
CAIRN_HD double number_of(const Mode& mode) {
  return fma(12, mode.drive + 1, fma(4, mode.rubs + 1, static_cast<double>(mode.held)));
}
CAIRN_HD Mode mode_of(double number) {
  const auto all = static_cast<std::uint32_t>(number);
  return {static_cast<Mode::Held>(all % 4), static_cast<double>(all / 4 % 3) - 1, static_cast<double>(all / 12) - 1};
}

/// What acts along a rate, by the rate at the step's end: a falling line of straight pieces, some of them upright. The
/// solution of a step is where each rate's line meets what its inertia takes.
struct Law {
  double applied;          ///< [N, N m] of the user's, and the spring's at rate 0
  double damping;          ///< [N s/m, N m s/rad] with kCalm, and what the spring loses with the rate
  double friction;         ///< [N, N m] at most
  double lowest, highest;  ///< [m/s, rad/s] that the limits let it have: up to 0 and from 0 on
  double pull;             ///< [N, N m] of the drive at rate 0: kp (target - q) + kd target rate
  double drag;             ///< [N s/m, N m s/rad] that it loses with the rate: kd + h kp
  double least, most;      ///< [N, N m] of the drive

  /// Seen from below or above where the line is upright; limits are the only ones without a most.
  CAIRN_HD double force(double rate, bool from_above) const {
    if (from_above ? rate < lowest : rate <= lowest) return kEndless;
    if (from_above ? rate >= highest : rate > highest) return -kEndless;
    const double rubs = from_above ? (rate < 0 ? friction : -friction) : (rate <= 0 ? friction : -friction);
    return fma(-damping, rate, applied) + clamp(fma(-drag, rate, pull), least, most) + rubs;
  }
  /// Where the drive stops giving all that it can, and where it starts to give all against the rate.
  CAIRN_HD double bend(double side) const { return drag > 0 ? (pull - bound(side)) / drag : 0; }
  CAIRN_HD double bound(double side) const { return side > 0 ? most : least; }

  /// The piece on which the line meets another, which rises by `inertia` through (rate, force).
  CAIRN_HD Mode piece(double rate, double force_there, double inertia) const {
    double left = -kEndless, right = kEndless;
    // true: the lines meet on the upright piece at x
    const auto meets = [&](double x) {
      const double rising = fma(x - rate, inertia, force_there);
      if (force(x, true) > rising) {
        left = max(left, x);
      } else if (force(x, false) < rising) {
        right = min(right, x);
      } else {
        // what is no number meets nothing, and stays none
        return rising == rising;
      }
      return false;
    };
    if (lowest > -kEndless && meets(lowest)) return {Mode::kLower, 0, 0};
    if (highest < kEndless && meets(highest)) return {Mode::kUpper, 0, 0};
    if (friction > 0 && meets(0)) return {Mode::kStick, 0, 0};
    Mode mode{Mode::kNone, friction > 0 ? (right <= 0 ? 1.0 : -1.0) : 0.0, 0};
    if (drag > 0) {
      const bool above = most<kEndless, below = least> - kEndless;
      if (above) (void)meets(bend(1));
      if (below) (void)meets(bend(-1));
      mode.drive = above && right <= bend(1) ? 1 : (below && left >= bend(-1) ? -1 : 0);
    }
    return mode;
  }
  /// That on which a rate lies, as a first guess.
  CAIRN_HD Mode piece_at(double rate) const {
    if (rate < lowest) return {Mode::kLower, 0, 0};
    if (rate > highest) return {Mode::kUpper, 0, 0};
    if (friction > 0 && rate == 0) return {Mode::kStick, 0, 0};
    const double driven = fma(-drag, rate, pull);
    return {Mode::kNone, friction > 0 ? (rate < 0 ? 1.0 : -1.0) : 0.0,
            driven > most ? 1.0 : (driven < least ? -1.0 : 0.0)};
  }
  /// The rate where that piece meets the rising line.
  CAIRN_HD double meeting(const Mode& mode, double rate, double force_there, double inertia) const {
    if (mode.held != Mode::kNone) return goal(mode);
    return fma(rate, inertia, level(mode) - force_there) / (inertia + slope(mode));
  }
  /// [m/s, rad/s] of a rate that is held.
  CAIRN_HD double goal(const Mode& mode) const {
    return mode.held == Mode::kLower ? lowest : (mode.held == Mode::kUpper ? highest : 0.0);
  }
  /// Of one that isn't: force = level - slope rate. `most` and `least` may be infinite.
  CAIRN_HD double level(const Mode& mode) const {
    return fma(mode.rubs, friction, applied) + (mode.drive == 0 ? pull : bound(mode.drive));
  }
  CAIRN_HD double slope(const Mode& mode) const { return damping + (mode.drive == 0 ? drag : 0.0); }
};

/// [rad] What is left of a ball's turn from q to `target`, along its axes: component `part` of the rotation vector of
/// q* target, the short way round.
CAIRN_HD double turn_left(const Quatd& q, const Quatd& target, std::uint32_t part) {
  return component(rotation_vector(Quatd{-q.x, -q.y, -q.z, q.w} * target), part);
}

/// Without limits. `left` and `spring_left` are what is missing to where the drive and the spring pull to.
CAIRN_HD Law unlimited_law(const JointForces& f, double applied, double damping, double left, double target_rate,
                           double spring_left, double h) {
  Law law{applied, damping, f.friction, -kEndless, kEndless, 0, 0, -kEndless, kEndless};
  if (driven(f)) {
    law.least = f.min_force;
    law.most = f.max_force;
    law.pull = fma(f.stiffness, left, f.drive_damping * target_rate);
    law.drag = fma(h, f.stiffness, f.drive_damping);
  }
  if (f.spring > 0) {
    law.applied = fma(f.spring, spring_left, law.applied);
    law.damping = fma(h, f.spring, law.damping);
  }
  return law;
}

/// [m/s, rad/s] Up to limits that are `up` and `down` away in one step at most. What is beyond one is led back without a
/// rate, which would stay.
CAIRN_HD void set_limits(Law& law, const JointForces& f, double up, double down, double h) {
  law.lowest = max(min(up, 0.0) / h, f.min_rate);
  law.highest = min(max(down, 0.0) / h, f.max_rate);
}

CAIRN_HD_CALL Law law_of(const Lanes& l, std::uint32_t d, double h) {
  const Dof& dof = l.b.dof[d];
  const JointForces f = l.forces(d);
  const Lane target = lane_of(l.b.target, l.b.coordinates, l.b.lanes, l.i).from(dof.coordinate);
  const Lane target_rate = lane_of(l.b.target_rate, l.b.dofs, l.b.lanes, l.i);
  const Lane q = l.q().from(dof.coordinate);
  double left = 0, spring_left = 0;
  if (driven(f)) left = dof.part == kNone ? target[0] - q[0] : turn_left(load_quat(q), load_quat(target), dof.part);
  if (f.spring > 0) {
    spring_left = dof.part == kNone ? f.spring_rest - q[0] : turn_left(load_quat(q), {0, 0, 0, 1}, dof.part);
  }
  Law law = unlimited_law(f, l.force()[d], f.damping + l.dof(d)[kCalm], left, target_rate[d], spring_left, h);
  if (dof.part == kNone) set_limits(law, f, f.lower - q[0], f.upper - q[0], h);
  return law;
}

}  // namespace cairn::kernels::articulate
