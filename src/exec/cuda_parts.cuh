#pragma once
// Parts on a CUDA device. Only files that define launch_parts for a page include this: a kernel of the whole page takes
// long to compile, and no other file should compile it, too.

#include "src/exec/cuda_exec.cuh"

namespace cairn::exec {

/// f(PartExec) for each part but part 0, a block a part. Data that a block reads repeatedly stays in its
/// multiprocessor's first-level cache, which is the same memory as its shared memory.
template <bool kOnlyContacts, class F>
__global__ void __launch_bounds__(kOnlyContacts ? kContactPartThreads : kPartThreads)
    part_kernel(const std::uint32_t* guard, const __grid_constant__ kernels::Parts parts, const __grid_constant__ F f) {
  if (is_up(guard)) return;
  for (std::uint32_t p = 1 + blockIdx.x; p < parts.swept; p += gridDim.x) {
    PartExec<BlockTeam, kOnlyContacts> part(BlockTeam{}, p);
    f(part);
  }
}

template <bool kOnlyContacts, class F>
void CudaExec::launch_parts(const kernels::Parts& parts, const F& f) {
  constexpr std::uint32_t kTeam = kOnlyContacts ? kContactPartThreads : kPartThreads;
  launch(part_kernel<kOnlyContacts, F>, kTeam, (parts.swept - 1) * kTeam, guard_, parts, f);
}

}  // namespace cairn::exec
