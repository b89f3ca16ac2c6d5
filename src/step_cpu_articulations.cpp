// Articulations among bodies, compiled for the CPU (src/step_groups.h).

#include "src/articulations/in_world.inl"
#include "src/exec/cpu_exec.h"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_MOTION(CAIRN_STEP_ARTICULATIONS, )
}  // namespace cairn
