#pragma once

#include "kernels/advance/advance.h"
#include "src/step_context.h"

namespace cairn {

/// Velocities -> displacements and orientations of a substep.
template <class Exec>
void advance(Exec& exec, const StepContext& s) {
  exec.for_each(s.constants.body_count, kernels::Advance{s.constants, s.bodies});
  exec.mark(Stage::kAdvance);
}

}  // namespace cairn
