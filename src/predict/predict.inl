#pragma once

#include "kernels/predict/predict.h"
#include "src/articulate/in_world.inl"
#include "src/solve/hertz_mindlin.inl"
#include "src/solve/soft_step.inl"
#include "src/step_context.h"

namespace cairn {

/// Forces of a substep -> velocities, and what the solver starts the substep with.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void predict(Exec& exec, const StepContext& s, int substep) {
  exec.enter(Stage::kPredict);
  kernels::Guess guess = kernels::Guess::kForces;
  if (substep != 0 && s.solver == SolverKind::kSoftStep) guess = kernels::Guess::kCarry;
  if (substep != 0 && s.solver == SolverKind::kAvbd) guess = kernels::Guess::kKeep;
  const bool elastic = s.solver == SolverKind::kHertzMindlin;
  if (elastic) hertz_force(exec, s);
  exec.each_body(s.parts, kernels::Predict{s.constants, s.bodies, s.worlds, s.state, guess});
  articulation_predict(exec, s, substep);
  if (elastic) {
    hertz_push(exec, s);
  } else if (s.solver != SolverKind::kXpbd) {
    soft_step_start(exec, s, substep);  // xpbd carries nothing over from the substep before
  }
  exec.mark(Stage::kPredict);
}

}  // namespace cairn
