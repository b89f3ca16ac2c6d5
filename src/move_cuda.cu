// The motion of small worlds for CUDA devices: one kernel of all passes of all solvers. It has its own file because it
// is compiled with its own options (docs/building.md).

#include "src/exec/cuda_parts.cuh"
#include "src/step.inl"

namespace cairn {

template void exec::CudaExec::launch_parts<false, Move>(const kernels::Parts&, const Move&);

}  // namespace cairn
