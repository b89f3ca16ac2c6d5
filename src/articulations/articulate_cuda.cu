// Articulations on CUDA devices.

#include "src/articulations/articulate.inl"
#include "src/exec/cuda_exec.cuh"

namespace cairn {

template void articulate<exec::CudaExec>(exec::CudaExec&, const ArticulateContext&);

}  // namespace cairn
