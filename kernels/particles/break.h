#pragma once

#include "kernels/common/atomic.h"
#include "kernels/common/state.h"
#include "kernels/particles/measure_constraint.h"

namespace cairn::kernels {

/// Breaks constraints from the next step on, once the step is accepted: first those of two ends whose mean pull over
/// the step exceeded their breaking force; then, with `following`, those that break with a broken one. Their ends
/// aren't quiet, so that they don't fall asleep where the break left them. Writes broken of its entry of
/// BreakableConstraints, and quiet_time of its ends: 0, from any thread. One thread per constraint.
struct BreakConstraint {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Constraints constraints;
  bool following;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Constraint& constraint = constraints.constraint[at];
    if (constraint.breakable == kNone || !holds(constraints, constraint)) return;
    if (worlds.status[bodies.world[constraint.body[0]]] != 0) return;
    if (following ? !goes_with_broken(constraint) : !pulls_too_hard(at, constraint)) return;
    constraints.breakable.broken[constraint.breakable] = 1;
    const std::uint32_t ends = ends_of(constraints.law[constraint.law].kind);
    for (std::uint32_t i = 0; i < ends; ++i) atomic_store(&bodies.quiet_time[constraint.body[i]], 0.0f);
  }

 private:
  CAIRN_HD bool pulls_too_hard(std::uint32_t at, const Constraint& constraint) const {
    // an impulse under 0 pulls
    const float pull = -(constraints.breakable.total[constraint.breakable] + constraints.impulse[at]) / k.dt;
    return pull > constraints.law[constraint.law].breaking_force;
  }
  CAIRN_HD bool goes_with_broken(const Constraint& constraint) const {
    const BreakableConstraints& breakable = constraints.breakable;
    for (std::uint32_t i = breakable.begin[constraint.breakable]; i < breakable.begin[constraint.breakable + 1]; ++i) {
      if (breakable.broken[breakable.with[i]] != 0) return true;
    }
    return false;
  }
};

/// Repairs constraints of chosen worlds. Writes broken of its entry of BreakableConstraints. One thread per constraint.
struct RepairConstraint {
  Bodies bodies;
  Constraints constraints;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Constraint& constraint = constraints.constraint[at];
    if (constraint.breakable != kNone && selection(bodies.world[constraint.body[0]]))
      constraints.breakable.broken[constraint.breakable] = 0;
  }
};

}  // namespace cairn::kernels
