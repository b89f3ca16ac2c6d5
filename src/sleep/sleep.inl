#pragma once

#include "kernels/sleep/sleep_articulations.h"
#include "kernels/sleep/sleep_constraints.h"
#include "src/step_context.h"

namespace cairn {

/// Manifolds -> islands that were touched are awake.
template <class Exec>
void wake(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kSleep);
  const std::uint32_t now = s.constants.parity;
  exec.for_each(&s.state->pair_count[now], s.constants.pair_capacity,
                kernels::WakeTouched{s.bodies, s.shapes, s.worlds, s.pairs[now]});
  exec.for_each(s.joint_layout.count, kernels::WakeJoined{s.bodies, s.joints});
  exec.for_each(s.constraints.count, kernels::WakeConstrained{s.bodies, s.constraints});
  exec.for_each(s.constants.body_count, kernels::WakeIsland{s.bodies, kernels::kBodyWoken});
  exec.mark(Stage::kSleep);
}

/// Manifolds and velocities -> islands at rest are asleep.
template <class Exec>
void sleep(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kSleep);
  const kernels::SleepJoin join{s.bodies, s.shapes, s.pairs[s.constants.parity]};
  exec.for_each(s.constants.body_count, kernels::SleepStart{s.constants, s.bodies, s.worlds, s.fluids});
  exec.for_each(&s.state->pair_count[s.constants.parity], s.constants.pair_capacity, join);
  if (s.belts.any()) {
    exec.for_each(&s.state->pair_count[s.constants.parity], s.constants.pair_capacity,
                  kernels::SleepCarried{s.bodies, s.shapes, s.pairs[s.constants.parity], s.belts});
  }
  exec.for_each(s.joint_layout.count, kernels::SleepJoinJoint{join, s.joints});
  exec.for_each(s.constraints.count, kernels::SleepJoinConstraint{join, s.constraints});
  exec.for_each(s.links.count, kernels::SleepJoinArticulation{join, s.worlds, s.links});
  exec.for_each(s.constants.body_count, kernels::SleepLabel{s.bodies, s.worlds});
  exec.for_each(s.constants.body_count, kernels::SleepFall{s.bodies, s.state});
  exec.for_each(s.links.count, kernels::SleepArticulation{s.bodies, s.links});
  exec.mark(Stage::kSleep);
}

}  // namespace cairn
