#pragma once

#include "kernels/finish/finish.h"
#include "kernels/finish/mirror.h"
#include "src/articulations/in_world.inl"
#include "src/events/events.inl"
#include "src/joints/joints.inl"
#include "src/solve/hertz_mindlin.inl"
#include "src/step_context.h"

namespace cairn {

template <class Exec>
void begin(Exec& exec, const StepContext& s) {
  exec.single(kernels::BeginStep{s.state});
}

/// Displacements -> poses; row impulses -> the contact cache; counters.
template <class Exec>
void finish(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kFinish);
  exec.for_each(s.constants.body_count, kernels::FinishCheck{s.bodies, s.worlds, s.state});
  if (s.joint_layout.slots != 0) finish_joints(exec, s);
  exec.for_each(s.links.count, kernels::ArticulationFinish{articulation_pass(s)});
  exec.for_each(s.constants.body_count, kernels::FinishBody{s.bodies, s.worlds, s.state});
  exec.each_row(s.parts, s.constants.pair_capacity,
                kernels::FinishRow{s.constants, s.bodies, s.worlds, s.rows, s.pairs[s.constants.parity], s.work,
                                   s.parts, s.rolling, s.solver.positional, s.solver.keeps_push});
  if (s.solver.elastic) hertz_finish(exec, s);
  exec.mark(Stage::kFinish);
}

/// This step's pairs -> the last step's, if every step uses the same tables.
template <class Exec>
void mirror(Exec& exec, const StepContext& s) {
  const std::uint32_t now = s.constants.parity;
  exec.for_each(&s.state->pair_count[now], s.constants.pair_capacity,
                kernels::MirrorTable<kernels::Pairs>{s.pairs[now], s.pairs[now ^ 1u]});
  exec.single(kernels::MirrorCount{s.state->pair_count, now});
  if (s.events.counts != nullptr) mirror_events(exec, s);
}

template <class Exec>
void end(Exec& exec, const StepContext& s) {
  exec.for_each(s.constants.world_count, kernels::FinishStep{s.constants, s.worlds, s.state});
}

}  // namespace cairn
