// The step for CUDA devices. Its motion of small worlds: src/move_cuda.cu.

#include "src/exec/cuda.cuh"
#include "src/step.inl"

namespace cairn {

template void step<exec::CudaExec>(exec::CudaExec&, const StepContext&);
template void reset<exec::CudaExec>(exec::CudaExec&, const StepContext&, const ResetContext&);
template void scale<exec::CudaExec>(exec::CudaExec&, const StepContext&, const ScaleContext&);
template void residual<exec::CudaExec>(exec::CudaExec&, const StepContext&, const kernels::Residuals&);
template void exchange<exec::CudaExec>(exec::CudaExec&, const StepContext&, const ExchangeContext&);

}  // namespace cairn
