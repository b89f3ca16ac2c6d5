#pragma once
// What a World asks of its processor, beside steps.

#include <variant>

#include "kernels/residual/residual.h"
#include "src/sensors/sense_context.h"
#include "src/step_context.h"

namespace cairn {

/// A reset of worlds, a change of scales, the residuals of the last step, queries or the tree that they need, an
/// exchange of states with the user's arrays, or readings of sensors; beside the context of the next step.
using Task = std::variant<ResetContext, ScaleContext, kernels::Residuals, QueryContext, ExchangeContext, SenseContext>;

/// In src/step.inl.
template <class Exec>
void step(Exec& exec, const StepContext& s);
template <class Exec>
void run(Exec& exec, const StepContext& s, const Task& task);

}  // namespace cairn
