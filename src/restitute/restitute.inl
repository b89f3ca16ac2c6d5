#pragma once

#include "kernels/restitute/restitute.h"
#include "src/step_context.h"

namespace cairn {

/// Approach speeds -> bounces. The velocity passes of xpbd have seen to them already.
template <class Exec>
void restitute(Exec& exec, const StepContext& s) {
  if (s.solver == SolverKind::kXpbd) return;
  exec.sweep(s.state, kernels::RestituteRow{s.bodies.solve, s.rows});
  exec.mark(Stage::kRestitute);
}

}  // namespace cairn
