// Queries for CUDA devices.

#include "src/exec/cuda.cuh"
#include "src/queries/queries.inl"

namespace cairn {

template void query<exec::CudaExec>(exec::CudaExec&, const StepContext&, const QueryContext&);

}  // namespace cairn
