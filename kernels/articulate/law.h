#pragma once
// What acts along a rate in a step, by the rate at the step's end; so that no gain is too high.

#include "kernels/articulate/forward.h"
#include "kernels/articulate/turn.h"

namespace cairn::kernels::articulate {

/// What a step knows of a rate before it is solved.
struct Law {
  double applied;          ///< [N, N m] of the user's
  double damping;          ///< [N s/m, N m s/rad]
  double friction;         ///< [N, N m] at most
  double lowest, highest;  ///< [m/s, rad/s] that the limits let it have: up to 0 and from 0 on
  double pull;             ///< [N, N m] of the drive at rate 0: kp (target - q) + kd target rate
  double drag;             ///< [N s/m, N m s/rad] that it loses with the rate: kd + h kp
  double most;             ///< [N, N m] of the drive

  CAIRN_HD double driven(double rate) const { return fma(-drag, rate, pull); }
  /// All but friction and limits.
  CAIRN_HD double acting(double rate) const {
    return fma(-damping, rate, applied) + clamp(driven(rate), -most, most);
  }
};

/// [rad] What is left of a ball's turn from q to `target`, along its axes: component `part` of the rotation vector of
/// q* target, the short way round.
CAIRN_HD double turn_left(const Quatd& q, const Quatd& target, std::uint32_t part) {
  return component(rotation_vector(Quatd{-q.x, -q.y, -q.z, q.w} * target), part);
}

CAIRN_HD Law law_of(const Lanes& l, std::uint32_t d, double h) {
  const Dof& dof = l.b.dof[d];
  const Lane target = lane_of(l.b.target, l.b.coordinates, l.b.lanes, l.i).from(dof.coordinate);
  const Lane target_rate = lane_of(l.b.target_rate, l.b.dofs, l.b.lanes, l.i);
  const Lane q = l.q().from(dof.coordinate);
  Law law{l.force()[d], dof.damping, dof.friction, dof.lower, dof.upper, 0, 0, dof.most_force};
  if (dof.stiffness > 0 || dof.drive_damping > 0) {
    const double left =
        dof.part == kNone ? target[0] - q[0] : turn_left(load_quat(q), load_quat(target), dof.part);
    law.pull = fma(dof.stiffness, left, dof.drive_damping * target_rate[d]);
    law.drag = fma(h, dof.stiffness, dof.drive_damping);
  }
  if (dof.part == kNone) {
    // up to a limit in one step at most; what is beyond is led back without a rate, which would stay
    law.lowest = min(dof.lower - q[0], 0.0) / h;
    law.highest = max(dof.upper - q[0], 0.0) / h;
  }
  return law;
}

/// How a rate that goes one way comes out of a pass: the mode that it should have had.
CAIRN_HD Mode settled(const Law& law, Mode mode, double rate, double reaction) {
  const double f = law.friction;
  if (!is_given(mode)) {
    if (rate < law.lowest) return Mode::kLower;
    if (rate > law.highest) return Mode::kUpper;
    return f > 0 && (mode == Mode::kUp ? rate < 0 : rate > 0) ? Mode::kStick : mode;
  }
  // what friction and limit give together; a limit only pushes, and friction goes against the rate
  const double kept = reaction - law.acting(rate);
  if (mode == Mode::kLower) {
    if (rate < 0) return kept < f ? Mode::kDown : mode;
    return kept < -f ? Mode::kUp : mode;
  }
  if (mode == Mode::kUpper) {
    if (rate > 0) return kept > -f ? Mode::kUp : mode;
    return kept > f ? Mode::kDown : mode;
  }
  return kept > f ? Mode::kDown : (kept < -f ? Mode::kUp : mode);
}

}  // namespace cairn::kernels::articulate
