// Broad and narrow phase, rows and continuous collision, compiled for CUDA devices (src/step_groups.h).

#include "src/ccd/ccd.inl"
#include "src/collide/collide.inl"
#include "src/exec/cuda_exec.cuh"
#include "src/pair/pair.inl"
#include "src/prepare/prepare.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_COLLIDE(, exec::CudaExec)
}  // namespace cairn
