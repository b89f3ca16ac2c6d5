// Joints and articulations among bodies, compiled for CUDA devices (src/step_groups.h).

#include "src/exec/cuda_exec.cuh"
#include "src/joints/joints.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_JOINTS(, exec::CudaExec)
CAIRN_STEP_ARTICULATIONS(, exec::CudaExec)
}  // namespace cairn
