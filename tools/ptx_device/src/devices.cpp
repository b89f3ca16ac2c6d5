// The device itself, and errors.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "options.h"
#include "profile.h"
#include "runtime.h"

namespace ptxdev {
namespace {

cudaError_t stuck = cudaSuccess;
thread_local cudaError_t last = cudaSuccess;

void summary() {
  const auto n = [](std::uint64_t v) { return static_cast<unsigned long long>(v); };
  std::fprintf(stderr,
               "ptx-device: %llu launches, %llu warp instructions of %llu functions, %llu findings; %llu sums and "
               "products may be fused\n",
               n(total_launches()), n(total_instructions()), n(decoded_functions), n(findings()),
               n(contractible_operations));
}

}  // namespace

std::recursive_mutex& api_mutex() {
  static auto* mutex = [] {
    if (options().summary) std::atexit(summary);
    if (!options().profile.empty()) std::atexit(write_profile);
    return new std::recursive_mutex;
  }();
  return *mutex;
}

cudaError_t told(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}
cudaError_t sticky() { return stuck; }

void fail(cudaError_t error, const std::string& what) {
  std::fprintf(stderr, "ptx-device: FAULT: %s\n", what.c_str());
  if (options().stop) std::abort();
  if (stuck == cudaSuccess) stuck = error;
}

cudaError_t refuse(cudaError_t error, const char* call, const std::string& what) {
  std::fprintf(stderr, "ptx-device: %s: %s: %s\n", call, cudaGetErrorName(error), what.c_str());
  return told(error);
}

}  // namespace ptxdev

using namespace ptxdev;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t error = stuck != cudaSuccess ? stuck : last;
  last = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() { return stuck != cudaSuccess ? stuck : last; }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorInvalidDeviceFunction:
      return "cudaErrorInvalidDeviceFunction";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorInvalidPtx:
      return "cudaErrorInvalidPtx";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorIllegalState:
      return "cudaErrorIllegalState";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorStreamCaptureInvalidated:
      return "cudaErrorStreamCaptureInvalidated";
    case cudaErrorStreamCaptureImplicit:
      return "cudaErrorStreamCaptureImplicit";
    default:
      return "an error of CUDA";
  }
}
const char* cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : refuse(cudaErrorInvalidDevice, "cudaSetDevice", "there is one device");
}
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  if (device != 0) return refuse(cudaErrorInvalidDevice, "cudaDeviceGetAttribute", "there is one device");
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      *value = 1024;
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = 64;
      break;
    case cudaDevAttrMaxGridDimX:
      *value = 0x7fffffff;
      break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      *value = 65535;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 49152;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = 232448;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = 233472;
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrWarpSize:
      *value = kLanes;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = options().multiprocessors;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = 2048;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = 32;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = 65536;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      break;
    case cudaDevAttrComputeMode:
      *value = 0;
      break;
    case cudaDevAttrL2CacheSize:
      *value = 50 << 20;
      break;
    case cudaDevAttrClockRate:
      *value = 1000000;
      break;
    case cudaDevAttrUnifiedAddressing:
      *value = 1;
      break;
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrIntegrated:
      *value = 0;
      break;
    default:
      return refuse(cudaErrorInvalidValue, "cudaDeviceGetAttribute",
                    "attribute " + std::to_string(which) + " isn't known");
  }
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (device != 0) return refuse(cudaErrorInvalidDevice, "cudaGetDeviceProperties", "there is one device");
  std::memset(p, 0, sizeof *p);
  std::snprintf(p->name, sizeof p->name, "emulated: PTX interpreter on the CPU");
  p->totalGlobalMem = DeviceMemory::get().total();
  p->sharedMemPerBlock = 49152;
  p->sharedMemPerBlockOptin = 232448;
  p->sharedMemPerMultiprocessor = 233472;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = kLanes;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->major = 9;
  p->multiProcessorCount = options().multiprocessors;
  p->unifiedAddressing = 1;
  return cudaSuccess;
}
}
