#pragma once

#include "kernels/collide/cold.h"
#include "kernels/solve/articulated_ends.h"
#include "kernels/solve/repeated_rows.h"
#include "kernels/solve/soft_step.h"
#include "kernels/solve/warm_start.h"
#include "src/step_context.h"

namespace cairn {

/// Start values of the step: the cached impulses. In later substeps the bodies carry them (kernels::Predict).
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void soft_step_start(Exec& exec, const StepContext& s, int substep) {
  if (substep != 0) return;
  if (may_have<Exec>(s.links.count != 0)) {
    exec.sweep(s.parts, s.row_capacity, kernels::WarmStartRow<true, kernels::Links>{s.bodies.solve, s.rows, s.links});
  } else if (may_have<Exec>(s.rolling)) {
    exec.sweep(s.parts, s.row_capacity, kernels::WarmStartRow<true>{s.bodies.solve, s.rows});
  } else {
    exec.sweep(s.parts, s.row_capacity, kernels::WarmStartRow<false>{s.bodies.solve, s.rows});
  }
}

/// Additional passes over the repeated rows, then one over all.
CAIRN_UNCHECKED
template <class Row, class Exec>
CAIRN_BOTH void warm_sweep(Exec& exec, const StepContext& s, const Row& row) {
  Row first = row;
  first.adds = false;
  std::uint32_t passes = solver_of<Exec>(s).keeps_push ? kernels::kColdPassesOfSequential : kernels::kColdPasses;
  // in most steps no row is cold
  std::uint32_t usual = s.many_repeats ? passes - 1 : 0;
  if (s.constants.residual_target > 0.0f) {
    passes = kernels::kMaxPasses;
    usual = passes / 4;
  }
  const kernels::RepeatRounds rounds{s.parts.repeats + exec.part(), s.worlds.repeat_round, passes - 1};
  exec.sweep_rounds(s.parts, s.row_capacity, usual, kernels::RepeatedRows<Row>{first, rounds});
  exec.sweep(s.parts, s.row_capacity, row);
}

CAIRN_UNCHECKED
template <kernels::RowPass kPass, class Exec>
CAIRN_BOTH void row_pass(Exec& exec, const StepContext& s) {
  if (may_have<Exec>(s.links.count != 0)) {
    warm_sweep(exec, s,
               kernels::SolveRow<kPass, true, kernels::Links>{s.constants, s.bodies.solve, s.rows, s.bodies.radius,
                                                              s.restitution, s.links});
  } else if (may_have<Exec>(s.rolling)) {
    warm_sweep(exec, s,
               kernels::SolveRow<kPass, true>{s.constants, s.bodies.solve, s.rows, s.bodies.radius, s.restitution});
  } else {
    warm_sweep(exec, s,
               kernels::SolveRow<kPass, false>{s.constants, s.bodies.solve, s.rows, s.bodies.radius, s.restitution});
  }
}

}  // namespace cairn
