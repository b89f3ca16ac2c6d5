// The motion of small worlds for CUDA devices: one kernel of all passes of all solvers. It has a file of its own since
// it is compiled with options of its own (docs/building.md).

#include "src/exec/cuda_parts.cuh"
#include "src/step.inl"

namespace cairn {

template void exec::CudaExec::launch_parts<false, Move>(const kernels::Parts&, const Move&);

}  // namespace cairn
