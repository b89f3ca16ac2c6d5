#include <string>

#include "cairn/errors.h"
#include "src/exec/cuda_memory.cuh"

namespace cairn::exec {

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  // an error that isn't sticky would otherwise be told again by the next call
  cudaGetLastError();
  throw DeviceError(std::string("CUDA: ") + call + " failed: " + cudaGetErrorString(error));
}

OnDevice::OnDevice(int device) {
  check(cudaGetDevice(&former_), "cudaGetDevice");
  // setting a device makes a context on it
  changed_ = former_ != device;
  if (changed_) check(cudaSetDevice(device), "cudaSetDevice");
}

OnDevice::~OnDevice() {
  if (changed_) cudaSetDevice(former_);
}

CudaStream::CudaStream(int device) : device_(device) {
  const OnDevice on(device);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

CudaStream::~CudaStream() {
  // after a failure of the device these fail too, and there is no one left to tell
  cudaStreamSynchronize(stream_);
  cudaStreamDestroy(stream_);
}

void CudaStream::wait() const {
  const OnDevice on(device_);
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

void* CudaMemory::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const OnDevice on(stream_.device());
  void* data = nullptr;
  const cudaError_t error = cudaMalloc(&data, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    throw CapacityError("cuda:" + std::to_string(stream_.device()) + " has no room for " + std::to_string(bytes) +
                        " bytes more: " + std::to_string(free) + " of its " + std::to_string(total) +
                        " bytes are free");
  }
  check(error, "cudaMalloc");
  try {
    check(cudaMemsetAsync(data, 0, bytes, stream_.get()), "cudaMemsetAsync");
  } catch (...) {
    cudaFree(data);
    throw;
  }
  return data;
}

void CudaMemory::release(void* data) noexcept {
  if (data == nullptr) return;
  // what was enqueued may still use it
  cudaStreamSynchronize(stream_.get());
  cudaFree(data);
}

void CudaMemory::upload(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  const OnDevice on(stream_.device());
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()), "cudaMemcpyAsync (upload)");
  // the source may die after the call. Uploads come with edits and overflows alone, never inside a settled step
  check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize (upload)");
}

void CudaMemory::download(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  const OnDevice on(stream_.device());
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_.get()), "cudaMemcpyAsync (download)");
  check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize (download)");
}

void CudaMemory::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const OnDevice on(stream_.device());
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_.get()), "cudaMemcpyAsync (copy)");
}

void CudaMemory::zero(void* data, std::size_t bytes) {
  if (bytes == 0) return;
  const OnDevice on(stream_.device());
  check(cudaMemsetAsync(data, 0, bytes, stream_.get()), "cudaMemsetAsync");
}

}  // namespace cairn::exec
