// Queries and sensors, compiled for the CPU (src/step_groups.h).

#include "src/exec/cpu_exec.h"
#include "src/queries/queries.inl"
#include "src/sensors/sensors.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_QUERIES(, exec::CpuExec)
}  // namespace cairn
