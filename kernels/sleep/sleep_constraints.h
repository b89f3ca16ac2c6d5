#pragma once
// Particles sleep and wake with the bodies of their constraints.

#include "kernels/particles/measure_constraint.h"
#include "kernels/sleep/sleep.h"

namespace cairn::kernels {

/// Joins the islands of a constraint's ends. One thread per constraint.
struct SleepJoinConstraint {
  SleepJoin islands;
  Constraints constraints;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Constraint& constraint = constraints.constraint[at];
    if (!holds(constraints, constraint)) return;
    const Bodies& bodies = islands.bodies;
    const auto pushed = [&](std::uint32_t body) { return is_awake_dynamic(bodies.flags[body]); };
    const ConstraintBodies ends = bodies_of(constraints, constraint);
    // each with each, since a body that doesn't move supports all the others; of a cluster, which may be large, all
    // with one that can be pushed, through which the others are supported, too
    std::uint32_t first = 0;
    while (ends.member != nullptr && first < ends.count && !pushed(ends[first])) ++first;
    for (std::uint32_t i = 0; i < ends.count; ++i) {
      const std::uint32_t begin = ends.member != nullptr ? first : 0, end = ends.member != nullptr ? first + 1 : i;
      for (std::uint32_t j = begin; j < end && j < ends.count; ++j) {
        const std::uint32_t a = ends[j], b = ends[i];
        if (a != b) islands.join({a, b, pushed(a), pushed(b)});
      }
    }
  }
};

/// An awake body that moves wakes the other bodies of a constraint. Writes wake[island]: 1, from any thread. One thread
/// per constraint.
struct WakeConstrained {
  Bodies bodies;
  Constraints constraints;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Constraint& constraint = constraints.constraint[at];
    if (!holds(constraints, constraint)) return;
    const ConstraintBodies ends = bodies_of(constraints, constraint);
    bool wakes = false;
    for (std::uint32_t i = 0; i < ends.count; ++i) wakes = wakes || wakes_others(bodies, ends[i]);
    for (std::uint32_t i = 0; i < ends.count && wakes; ++i) {
      const std::uint32_t body = ends[i];
      if ((bodies.flags[body] & kBodyAsleep) != 0) atomic_store(&bodies.wake[bodies.island[body]], 1u);
    }
  }
};

}  // namespace cairn::kernels
