#pragma once

#include "kernels/stop/stop.h"
#include "kernels/stop/stop_pair.h"
#include "src/pair/pair.inl"
#include "src/step_context.h"

namespace cairn {

/// Displacements of bodies that moved far -> those up to where they meet something.
template <class Exec>
void stop(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kStop);
  exec.for_each(s.constants.body_count, kernels::StopStart{s.constants, s.bodies, s.state});
  exec.single(kernels::StopCount{s.constants, s.state});
  for (int pass = 0; pass < kernels::kStopPasses; ++pass) {
    exec.for_each(&s.state->stop_shapes, s.constants.shape_count,
                  kernels::StopShape{pair_query(s, kernels::PairUse::kStops),
                                     s.surfaces,
                                     {s.constants, s.bodies, s.shapes, s.solids, s.state, pass}});
  }
  exec.for_each(s.constants.body_count, kernels::StopBody{s.bodies});
  exec.mark(Stage::kStop);
}

}  // namespace cairn
