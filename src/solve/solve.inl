#pragma once

#include "kernels/solve/soft_step.h"
#include "src/step_context.h"

namespace cairn {

template <bool kBias, class Exec>
void soft_step_pass(Exec& exec, const StepContext& s) {
  if (s.rolling) {
    exec.sweep(s.state, kernels::SolveRow<kBias, true>{s.constants, s.bodies.solve, s.rows});
  } else {
    exec.sweep(s.state, kernels::SolveRow<kBias, false>{s.constants, s.bodies.solve, s.rows});
  }
}

/// Rows and velocities -> impulses and velocities, overlap pushed out by soft constraints.
template <class Exec>
void solve(Exec& exec, const StepContext& s) {
  soft_step_pass<true>(exec, s);
  exec.mark(Stage::kSolve);
}

/// The same without the push: takes back the velocity that the push gave.
template <class Exec>
void relax(Exec& exec, const StepContext& s) {
  soft_step_pass<false>(exec, s);
  exec.mark(Stage::kRelax);
}

}  // namespace cairn
