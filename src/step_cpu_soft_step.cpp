// soft_step and sequential_impulse, compiled for the CPU (src/step_groups.h).

#include "src/exec/cpu_exec.h"
#include "src/restitute/restitute.inl"
#include "src/solve/soft_step.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_MOTION(CAIRN_STEP_SOFT_STEP, )
}  // namespace cairn
