#pragma once

#include "kernels/restitute/restitute.h"
#include "src/step_context.h"

namespace cairn {

/// Approach speeds -> bounces.
template <class Exec>
void restitute(Exec& exec, const StepContext& s) {
  exec.sweep(s.state, kernels::RestituteRow{s.constants, s.bodies.solve, s.rows});
  exec.mark(Stage::kRestitute);
}

}  // namespace cairn
