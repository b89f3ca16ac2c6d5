#pragma once

#include "kernels/predict/predict.h"
#include "kernels/restitute/restitute.h"
#include "kernels/solve/soft_step.h"
#include "src/step_context.h"

namespace cairn {

/// Forces of a substep -> velocities, with the contact impulses of the substep before carried along; the first substep of a step takes
/// them from the cache.
template <class Exec>
void predict(Exec& exec, const StepContext& s, int substep) {
  exec.for_each(s.constants.body_count, kernels::Predict{s.constants, s.bodies, substep == 0});
  if (s.restitution) exec.rows(s.state, s.row_capacity, kernels::RestituteObserve{s.bodies.solve, s.rows});
  if (substep == 0) {
    if (s.rolling) {
      exec.sweep(s.state, kernels::WarmStartRow<true>{s.bodies.solve, s.rows});
    } else {
      exec.sweep(s.state, kernels::WarmStartRow<false>{s.bodies.solve, s.rows});
    }
  }
  exec.mark(Stage::kPredict);
}

}  // namespace cairn
