#pragma once

#include "kernels/bound/bound.h"
#include "src/step_context.h"

namespace cairn {

/// Poses and shapes -> boxes and grid cells.
template <class Exec>
void bound(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kBound);
  exec.for_each(s.constants.shape_count,
                kernels::Bound{s.constants, s.bodies, s.shapes, s.worlds, s.solids, s.state, s.fluids});
  exec.mark(Stage::kBound);
}

}  // namespace cairn
