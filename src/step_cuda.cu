// The step for CUDA devices, except the groups of src/step_cuda_*.cu. Its motion of small worlds: src/move_cuda.cu.

#include "src/exec/cuda_exec.cuh"
#include "src/step.inl"
#include "src/step_groups.h"

namespace cairn {

CAIRN_STEP_COLLIDE(extern, exec::CudaExec)
CAIRN_STEP_OTHER_SOLVERS(extern, exec::CudaExec)
CAIRN_STEP_JOINTS(extern, exec::CudaExec)
CAIRN_STEP_ARTICULATIONS(extern, exec::CudaExec)
CAIRN_STEP_PARTICLES(extern, exec::CudaExec)
CAIRN_STEP_QUERIES(extern, exec::CudaExec)

template void step<exec::CudaExec>(exec::CudaExec&, const StepContext&);
template void run<exec::CudaExec>(exec::CudaExec&, const StepContext&, const Task&);

}  // namespace cairn
