#pragma once
// One text for both processors: everything below kernels/ is marked CAIRN_HD and compiled by the host compiler and by
// nvcc. What is large, and rare beside what stands around it, is marked CAIRN_HD_CALL and stays a call: its registers
// and its stack then cost only those who need them.

#if defined(__CUDACC__)
#define CAIRN_HD __host__ __device__ __forceinline__
#define CAIRN_HD_CALL __host__ __device__ __noinline__ inline
#else
#define CAIRN_HD inline __attribute__((always_inline))
#define CAIRN_HD_CALL inline __attribute__((noinline))
#endif

// The pages of src/ that run in a block of a CUDA device as well as on the host. Which of the two depends on the Exec
// that a page is instantiated for, so nvcc must not ask of every Exec that it work on both.
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
// Unrolls loops over the few unknowns of a small system: on a CPU, too.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CAIRN_UNROLL_FEW _Pragma("GCC unroll 6")
#else
#define CAIRN_UNROLL_FEW CAIRN_UNROLL
#endif
