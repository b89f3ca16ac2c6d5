// Kernel launches.

#include <cstdio>
#include <cstring>

#include "options.h"
#include "ranges.h"
#include "runtime.h"

namespace ptxdev {

std::string demangled(std::string_view name);

namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

void run(Launch launch) {
  if (sticky() != cudaSuccess) return;
  static std::uint64_t serial = 0;
  launch.serial = ++serial;
  const std::uint64_t before = total_instructions();
  try {
    execute(launch);
  } catch (const Fault& fault) {
    fail(cudaErrorIllegalAddress, std::string("launch ") + std::to_string(launch.serial) + ": " + fault.what());
    return;
  }
  if (options().trace) {
    std::fprintf(stderr, "ptx-device: launch %llu grid %u,%u,%u block %u,%u,%u: %llu warp instructions, %s\n",
                 static_cast<unsigned long long>(launch.serial), launch.grid.x, launch.grid.y, launch.grid.z,
                 launch.block.x, launch.block.y, launch.block.z,
                 static_cast<unsigned long long>(total_instructions() - before),
                 demangled(launch.kernel->name).c_str());
  }
}

}  // namespace

cudaError_t launch_kernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                          cudaStream_t stream) {
  const Lock lock(api_mutex());
  if (sticky() != cudaSuccess) return told(sticky());
  if (kernel == nullptr) return refuse(cudaErrorInvalidDeviceFunction, "kernel launch", "no such kernel");
  try {
    decode(*kernel);
  } catch (const Fault& fault) {
    fail(cudaErrorInvalidPtx, fault.what());
    return told(cudaErrorInvalidPtx);
  }
  const auto threads = std::uint64_t{block.x} * block.y * block.z;
  const auto name = [&] { return demangled(kernel->name); };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) {
    return refuse(cudaErrorInvalidConfiguration, "kernel launch",
                  "grid of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                      std::to_string(grid.z) + " blocks: " + name());
  }
  if (threads == 0 || threads > 1024 || threads > kernel->max_threads || block.z > 64) {
    return refuse(cudaErrorInvalidConfiguration, "kernel launch",
                  "blocks of " + std::to_string(threads) + " threads, of " + std::to_string(kernel->max_threads) +
                      " at most: " + name());
  }
  if (kernel->shared_bytes + shared > 232448) {
    return refuse(cudaErrorInvalidValue, "kernel launch",
                  std::to_string(shared) + " bytes of shared memory: " + name());
  }
  Launch launch;
  launch.kernel = kernel;
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.dynamic_shared = static_cast<std::uint32_t>(shared);
  launch.params.resize(kernel->param_bytes);
  for (std::size_t i = 0; i < kernel->params.size(); ++i) {
    const Parameter& p = kernel->params[i];
    if (p.bytes != 0) std::memcpy(launch.params.data() + p.offset, arguments[i], p.bytes);
  }
  launch.range = open_range();
  return enqueue(stream, "kernel launch", [launch = std::move(launch)] { run(launch); });
}

}  // namespace ptxdev

using namespace ptxdev;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}

// the handle is the host function: the module is read on demand
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

static Kernel* find_kernel(const void* function) {
  const Lock lock(api_mutex());
  try {
    return kernel_of(function);
  } catch (const Fault& fault) {
    fail(cudaErrorInvalidPtx, fault.what());
    return nullptr;
  }
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return launch_kernel(find_kernel(kernel), grid, block, arguments, shared, stream);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t stream) {
  return launch_kernel(find_kernel(kernel), grid, block, arguments, shared,
                       stream == nullptr ? cudaStreamPerThread : stream);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return launch_kernel(find_kernel(function), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* function, void** arguments) {
  return launch_kernel(find_kernel(function), c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream);
}
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) { return __cudaGetKernel(kernel, function); }

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const Lock lock(api_mutex());
  if (sticky() != cudaSuccess) return told(sticky());
  Kernel* kernel = find_kernel(function);
  if (kernel == nullptr) return refuse(cudaErrorInvalidDeviceFunction, "cudaFuncGetAttributes", "no such kernel");
  try {
    decode(*kernel);
  } catch (const Fault& fault) {
    fail(cudaErrorInvalidPtx, fault.what());
    return told(cudaErrorInvalidPtx);
  }
  *attributes = {};
  attributes->sharedSizeBytes = kernel->shared_bytes;
  attributes->localSizeBytes = kernel->local_bytes;
  attributes->maxThreadsPerBlock = static_cast<int>(kernel->max_threads);
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = ptx_version(*kernel);
  attributes->maxDynamicSharedSizeBytes =
      49152 - static_cast<int>(std::min<std::uint32_t>(kernel->shared_bytes, 49152));
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, std::size_t,
                                                                   unsigned) {
  *blocks = threads <= 0 ? 0 : std::min(32, 2048 / threads);
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
}
