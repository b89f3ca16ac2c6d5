// A program without a fault. scripts/gpu.sh runs it under compute-sanitizer, to tell a machine on which that can't
// watch kernels from faults of Cairn's.

#include <cstdio>

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return 0;
  std::fprintf(stderr, "probe: %s\n", cudaGetErrorString(error));
  return 1;
}
