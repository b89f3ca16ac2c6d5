#pragma once

#include "kernels/advance/advance.h"
#include "src/articulations/in_world.inl"
#include "src/step_context.h"

namespace cairn {

/// Velocities -> displacements and orientations of a substep.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void advance(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kAdvance);
  exec.each_body(s.parts, kernels::Advance{s.constants, s.bodies});
  articulation_advance(exec, s);
  exec.mark(Stage::kAdvance);
}

}  // namespace cairn
