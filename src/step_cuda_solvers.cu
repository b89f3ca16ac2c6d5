// xpbd, avbd, hertz_mindlin, constraints of particles and fluids, compiled for CUDA devices (src/step_groups.h).

#include "src/exec/cuda_exec.cuh"
#include "src/fluids/fluids.inl"
#include "src/particles/particles.inl"
#include "src/solve/avbd.inl"
#include "src/solve/dissipate.inl"
#include "src/solve/hertz_mindlin.inl"
#include "src/solve/xpbd.inl"
#include "src/step_groups.h"

namespace cairn {
CAIRN_STEP_OTHER_SOLVERS(, exec::CudaExec)
CAIRN_STEP_PARTICLES(, exec::CudaExec)
}  // namespace cairn
