#pragma once

#include "kernels/predict/predict.h"
#include "src/articulations/in_world.inl"
#include "src/solve/hertz_mindlin.inl"
#include "src/solve/soft_step.inl"
#include "src/step_context.h"

namespace cairn {

/// Forces of a substep -> velocities, and the solver's start values of the substep.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void predict(Exec& exec, const StepContext& s, int substep) {
  exec.enter(Stage::kPredict);
  const SolverTraits solver = solver_of<Exec>(s);
  const kernels::Guess guess = substep != 0 ? solver.later : kernels::Guess::kForces;
  if (solver.elastic) hertz_force(exec, s);
  exec.each_body(s.parts, kernels::Predict{s.constants, s.bodies, s.worlds, s.state, guess});
  articulation_predict(exec, s, substep);
  if (solver.elastic) hertz_push(exec, s);
  if (solver.starts_warm) soft_step_start(exec, s, substep);
  exec.mark(Stage::kPredict);
}

}  // namespace cairn
