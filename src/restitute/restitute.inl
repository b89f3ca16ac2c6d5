#pragma once

#include "kernels/restitute/restitute.h"
#include "kernels/solve/articulated_ends.h"
#include "src/step_context.h"

namespace cairn {

/// Approach speeds -> bounces. The velocity passes of xpbd and the laws of hertz_mindlin have seen to them already.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void restitute(Exec& exec, const StepContext& s) {
  if (s.solver == SolverKind::kXpbd || s.solver == SolverKind::kHertzMindlin) return;
  exec.enter(Stage::kRestitute);
  if (s.links.count != 0) {
    exec.sweep(s.parts, s.row_capacity, kernels::RestituteRow<kernels::Links>{s.bodies.solve, s.rows, s.links});
  } else {
    exec.sweep(s.parts, s.row_capacity, kernels::RestituteRow<>{s.bodies.solve, s.rows});
  }
  exec.mark(Stage::kRestitute);
}

}  // namespace cairn
