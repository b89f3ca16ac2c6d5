#pragma once

#include "kernels/particles/break.h"
#include "kernels/particles/constraint_row.h"
#include "src/step_context.h"

namespace cairn {

/// Predicted positions -> velocities that satisfy the constraints.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void particles(Exec& exec, const StepContext& s, int substep) {
  if (!may_have<Exec>(s.constraints.slots != 0)) return;
  exec.enter(Stage::kParticles);
  for (std::uint32_t sweep = 0; sweep < s.constraints.sweeps; ++sweep) {
    const bool begins = substep == 0;
    if (s.sweep == SweepKind::kGaussSeidel) {
      exec.sweep(s.constraint_parts, s.constraints.slots,
                 kernels::ConstraintRow<SweepKind::kGaussSeidel>{s.constants, s.bodies, s.constraints, sweep, begins});
    } else {
      exec.rows(s.constraint_parts, s.constraints.slots,
                kernels::ConstraintRow<SweepKind::kJacobi>{s.constants, s.bodies, s.constraints, sweep, begins});
      exec.each_body(s.parts, kernels::ConstraintGather{s.bodies, s.constraints});
    }
  }
  exec.mark(Stage::kParticles);
}

/// Impulses of an accepted step -> constraints that are broken from now on.
template <class Exec>
void break_constraints(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kParticles);
  for (const bool following : {false, true}) {
    exec.for_each(s.constraints.count,
                  kernels::BreakConstraint{s.constants, s.bodies, s.worlds, s.constraints, following});
  }
  exec.mark(Stage::kParticles);
}

}  // namespace cairn
