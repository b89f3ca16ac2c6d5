// Sensors on CUDA devices.

#include "src/exec/cuda.cuh"
#include "src/sensors/sensors.inl"

namespace cairn {

template void sense<exec::CudaExec>(exec::CudaExec&, const StepContext&, const SenseContext&);

}  // namespace cairn
