#pragma once

#include "kernels/ccd/ccd.h"
#include "kernels/ccd/ccd_pair.h"
#include "src/pair/pair.inl"
#include "src/step_context.h"

namespace cairn {

/// Displacements of bodies that moved far -> displacements up to their first hit.
template <class Exec>
void ccd(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kCcd);
  exec.for_each(s.constants.body_count, kernels::CcdStart{s.constants, s.bodies, s.state});
  exec.single(kernels::CcdCount{s.constants, s.state});
  if constexpr (Exec::kKeepsCandidates) {
    if (s.state->ccd_shapes != 0 && !exec.grid_stands()) renew_grid(exec, s);
  }
  for (int pass = 0; pass < kernels::kCcdPasses; ++pass) {
    exec.for_each(&s.state->ccd_shapes, s.constants.shape_count,
                  kernels::CcdShape{pair_query(s, kernels::PairUse::kStops),
                                    s.surfaces,
                                    {s.constants, s.bodies, s.shapes, s.solids, s.state, pass}});
  }
  exec.for_each(s.constants.body_count, kernels::CcdBody{s.bodies});
  exec.mark(Stage::kCcd);
}

}  // namespace cairn
