#pragma once

#include "kernels/predict/predict.h"
#include "kernels/prepare/prepare.h"
#include "src/solve/xpbd.inl"
#include "src/step_context.h"

namespace cairn {

/// State and manifolds -> bodies as the solver sees them, and rows; for xpbd also the rows of each body.
template <class Exec>
void prepare(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kPrepare);
  exec.for_each(s.constants.body_count + 1, kernels::PredictStart{s.constants, s.bodies});
  exec.each_row(s.parts, s.constants.pair_capacity,
                kernels::Prepare{s.constants, s.bodies, s.shapes, s.worlds, s.pairs[s.constants.parity], s.work,
                                 s.materials, s.rows, s.parts, s.rolling});
  if (s.solver == SolverKind::kXpbd) xpbd_list_ends(exec, s);
  exec.mark(Stage::kPrepare);
}

}  // namespace cairn
