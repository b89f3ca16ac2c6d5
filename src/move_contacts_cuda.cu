// The motion of small worlds with contacts only, for CUDA devices.

#include "src/exec/cuda_parts.cuh"
#include "src/step.inl"

namespace cairn {

template void exec::CudaExec::launch_parts<true, Move>(const kernels::Parts&, const Move&);

}  // namespace cairn
