// Constraints of particles, and fluids, compiled for the CPU (src/step_groups.h).

#include "src/press/press.inl"
#include "src/step_groups.h"
#include "src/strain/strain.inl"

namespace cairn {
CAIRN_STEP_MOTION(CAIRN_STEP_PARTICLES, )
}  // namespace cairn
