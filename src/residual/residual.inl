#pragma once

#include "kernels/residual/residual.h"
#include "src/step_context.h"

namespace cairn {

/// Rows and bodies after the last step -> residuals of the contact laws, by world.
template <class Exec>
void residual(Exec& exec, const StepContext& s, const kernels::Residuals& of) {
  exec.guard(&s.state->overflow);
  exec.for_each(s.constants.world_count, kernels::ResidualClear{of});
  exec.for_each(&s.state->row_count, s.row_capacity, kernels::ResidualRow{s.constants, s.bodies, s.worlds, s.rows, of});
}

}  // namespace cairn
