// Queries and sensors, compiled for CUDA devices (src/step_groups.h).

#include "src/exec/cuda_exec.cuh"
#include "src/queries/queries.inl"
#include "src/sensors/sensors.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_QUERIES(, exec::CudaExec)
}  // namespace cairn
