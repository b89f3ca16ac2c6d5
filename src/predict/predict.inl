#pragma once

#include "kernels/predict/predict.h"
#include "src/solve/soft_step.inl"
#include "src/solve/xpbd.inl"
#include "src/step_context.h"

namespace cairn {

/// Forces of a substep -> velocities, and what the solver starts the substep with.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void predict(Exec& exec, const StepContext& s, int substep) {
  exec.enter(Stage::kPredict);
  const bool xpbd = s.solver == SolverKind::kXpbd;
  exec.each_body(s.parts,
                 kernels::Predict{s.constants, s.bodies, s.worlds, s.state, !xpbd && substep != 0});
  if (xpbd) {
    xpbd_start(exec, s);
  } else {
    soft_step_start(exec, s, substep);
  }
  exec.mark(Stage::kPredict);
}

}  // namespace cairn
