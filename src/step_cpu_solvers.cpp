// xpbd, avbd and hertz_mindlin, compiled for the CPU (src/step_groups.h).

#include "src/exec/cpu_exec.h"
#include "src/solve/avbd.inl"
#include "src/solve/dissipate.inl"
#include "src/solve/hertz_mindlin.inl"
#include "src/solve/xpbd.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_MOTION(CAIRN_STEP_OTHER_SOLVERS, )
}  // namespace cairn
