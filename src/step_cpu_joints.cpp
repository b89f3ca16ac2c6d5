// Joints, compiled for the CPU (src/step_groups.h).

#include "src/exec/cpu_exec.h"
#include "src/joints/joints.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_MOTION(CAIRN_STEP_ARTICULATIONS, extern)
CAIRN_STEP_MOTION(CAIRN_STEP_JOINTS, )
}  // namespace cairn
