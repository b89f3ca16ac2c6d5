#pragma once
// One source for both processors: everything below kernels/ is marked CAIRN_HD and compiled by the host compiler and by
// nvcc. Code that is large and rarely runs is marked CAIRN_HD_CALL and stays a call, so that only its callers pay for
// its registers and stack.

#if defined(__CUDACC__)
#define CAIRN_HD __host__ __device__ __forceinline__
#define CAIRN_HD_CALL __host__ __device__ __noinline__ inline
#else
#define CAIRN_HD inline __attribute__((always_inline))
#define CAIRN_HD_CALL inline __attribute__((noinline))
#endif

// Pages of src/ that run on the host and in a block of a CUDA device. The Exec that a page is instantiated for decides
// which, so nvcc must not ask that every Exec work on both.
#if defined(__CUDACC__)
#define CAIRN_BOTH __host__ __device__
#define CAIRN_UNCHECKED _Pragma("nv_exec_check_disable")
#else
#define CAIRN_BOTH
#define CAIRN_UNCHECKED
#endif

// Unrolls the short loops over the points of a manifold. Only nvcc's device pass knows the pragma.
#if defined(__CUDA_ARCH__)
#define CAIRN_UNROLL _Pragma("unroll")
#else
#define CAIRN_UNROLL
#endif
// Unrolls loops over the few unknowns of a small system, also on a CPU.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CAIRN_UNROLL_FEW _Pragma("GCC unroll 6")
#else
#define CAIRN_UNROLL_FEW CAIRN_UNROLL
#endif
