// Constraints of particles, and fluids, compiled for the CPU (src/step_groups.h).

#include "src/exec/cpu_exec.h"
#include "src/fluids/fluids.inl"
#include "src/particles/particles.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_MOTION(CAIRN_STEP_PARTICLES, )
}  // namespace cairn
