#pragma once

#include "kernels/finish/finish.h"
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
  exec.for_each(s.constants.body_count, kernels::FinishBody{s.bodies, s.worlds, s.state});
  exec.each_row(s.parts, s.constants.pair_capacity,
                kernels::FinishRow{s.bodies, s.worlds, s.rows, s.pairs[s.constants.parity], s.work, s.parts, s.rolling,
                                   s.solver == SolverKind::kXpbd});
  exec.mark(Stage::kFinish);
}

template <class Exec>
void end(Exec& exec, const StepContext& s) {
  exec.for_each(s.constants.world_count, kernels::FinishStep{s.constants, s.worlds, s.state});
}

}  // namespace cairn
