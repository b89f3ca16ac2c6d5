#pragma once
// One text for both processors: everything below kernels/ is marked CAIRN_HD and compiled by the host compiler and by
// nvcc.

#if defined(__CUDACC__)
#define CAIRN_HD __host__ __device__ __forceinline__
#else
#define CAIRN_HD inline __attribute__((always_inline))
#endif

// Unrolls the short loops over the points of a manifold. Only nvcc's device pass knows the pragma.
#if defined(__CUDA_ARCH__)
#define CAIRN_UNROLL _Pragma("unroll")
#else
#define CAIRN_UNROLL
#endif
