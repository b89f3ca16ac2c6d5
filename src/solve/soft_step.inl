#pragma once

#include "kernels/restitute/restitute.h"
#include "kernels/solve/soft_step.h"
#include "kernels/solve/warm_start.h"
#include "src/step_context.h"

namespace cairn {

/// What the substep starts with: approach speeds; and in the first substep of a step the impulses in the cache. Later
/// ones are carried by the bodies (kernels::Predict).
template <class Exec>
void soft_step_start(Exec& exec, const StepContext& s, int substep) {
  if (s.restitution) exec.rows(s.state, s.row_capacity, kernels::RestituteObserve<true>{s.bodies.solve, s.rows});
  if (substep != 0) return;
  if (s.rolling) {
    exec.sweep(s.state, kernels::WarmStartRow<true>{s.bodies.solve, s.rows});
  } else {
    exec.sweep(s.state, kernels::WarmStartRow<false>{s.bodies.solve, s.rows});
  }
}

template <bool kBias, class Exec>
void soft_step_pass(Exec& exec, const StepContext& s) {
  if (s.rolling) {
    exec.sweep(s.state, kernels::SolveRow<kBias, true>{s.constants, s.bodies.solve, s.rows});
  } else {
    exec.sweep(s.state, kernels::SolveRow<kBias, false>{s.constants, s.bodies.solve, s.rows});
  }
}

}  // namespace cairn
