#pragma once
// One text for both processors: everything below kernels/ is marked CAIRN_HD and compiled by the host compiler and by nvcc.

#if defined(__CUDACC__)
#define CAIRN_HD __host__ __device__ __forceinline__
#else
#define CAIRN_HD inline __attribute__((always_inline))
#endif
