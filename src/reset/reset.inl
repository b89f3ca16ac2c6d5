#pragma once

#include "kernels/articulations/in_world.h"
#include "kernels/particles/break.h"
#include "kernels/reset/reset.h"
#include "src/events/events.inl"
#include "src/step_context.h"

namespace cairn {

/// Chosen worlds -> their start. Like a step, it does nothing while an earlier step waits for more capacity.
template <class Exec>
void reset(Exec& exec, const StepContext& s, const ResetContext& r) {
  exec.guard(&s.state->overflow);
  const std::uint32_t last = s.constants.parity ^ 1u;
  exec.for_each(&s.state->pair_count[last], s.constants.pair_capacity,
                kernels::ResetPair{s.bodies, s.shapes, s.pairs[last], {r.chosen}});
  exec.for_each(s.joint_layout.count, kernels::ResetJoint{s.joints, {r.chosen}, r.contacts_alone});
  if (r.contacts_alone) return;
  if (s.events.counts != nullptr) forget_events(exec, s, {r.chosen});
  if (s.constraints.breakable.count != 0) {
    exec.for_each(s.constraints.count, kernels::RepairConstraint{s.bodies, s.constraints, {r.chosen}});
  }
  exec.for_each(s.constants.body_count, kernels::ResetBody{s.bodies, r.starts, {r.chosen}});
  exec.for_each(s.links.count, kernels::ArticulationReset{s.bodies, s.links, {r.chosen}});
  exec.for_each(s.constants.world_count, kernels::ResetWorld{s.worlds, {r.chosen}});
}

}  // namespace cairn
