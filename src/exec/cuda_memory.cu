#include <cstring>
#include <string>
#include <utility>

#include "cairn/errors.h"
#include "src/exec/cuda_memory.cuh"

namespace cairn::exec {

void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  // clear the error: the next call would report one that isn't sticky again
  cudaGetLastError();
  throw DeviceError(std::string("CUDA: ") + call + " failed: " + cudaGetErrorString(error));
}

void check_made(cudaError_t error, const char* call) {
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw CapacityError(std::string("CUDA: ") + call + " failed: the device, or its driver, is out of memory");
  }
  check(error, call);
}

namespace {
bool captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(stream, &status);
  if (error == cudaErrorStreamCaptureImplicit) {
    cudaGetLastError();
    throw InvalidArgument(
        "the default stream can't be used while a stream that waits for it is being captured in a graph");
  }
  check(error, "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}
}  // namespace

OnDevice::OnDevice(int device) {
  check(cudaGetDevice(&former_), "cudaGetDevice");
  // setting a device makes a context on it
  changed_ = former_ != device;
  if (changed_) check(cudaSetDevice(device), "cudaSetDevice");
}

OnDevice::~OnDevice() {
  if (changed_) cudaSetDevice(former_);
}

CudaStream::CudaStream(int device, void* stream)
    : device_(device), owned_(stream == nullptr), stream_(static_cast<cudaStream_t>(stream)) {
  const OnDevice on(device);
  if (owned_) {
    check_made(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return;
  }
  refuse_capture("making a World");
#if CUDART_VERSION >= 12080
  int of = 0;
  check(cudaStreamGetDevice(stream_, &of), "cudaStreamGetDevice (WorldOptions::stream)");
  // the default streams belong to the current device
  if (of != device) {
    throw InvalidArgument("WorldOptions::stream must be a stream of cuda:" + std::to_string(device) +
                          ", is one of cuda:" + std::to_string(of));
  }
#endif
}

CudaStream::~CudaStream() {
  // after a device failure these fail too, and nothing can report it any more
  cudaStreamSynchronize(stream_);
  if (owned_) cudaStreamDestroy(stream_);
}

void CudaStream::order(cudaStream_t first, cudaStream_t second, bool into_capture) const {
  if (first == second) return;
  const OnDevice on(device_);
  const bool one = captured(first), two = captured(second);
  if (one != two && !(one && into_capture && !owned_)) {
    throw InvalidArgument(
        "DeviceArrays::wait_stream, stream_waits: one of the two streams is being captured in a graph, and the other "
        "isn't");
  }
  cudaEvent_t done = nullptr;
  check_made(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  const cudaError_t recorded = cudaEventRecord(done, first);
  const cudaError_t waits = recorded == cudaSuccess ? cudaStreamWaitEvent(second, done, 0) : cudaSuccess;
  // a pending event is freed when it completes
  cudaEventDestroy(done);
  check(recorded, "cudaEventRecord");
  check(waits, "cudaStreamWaitEvent");
}

bool CudaStream::capturing() const { return !owned_ && captured(stream_); }

void CudaStream::refuse_capture(const char* what) const {
  if (!capturing()) return;
  throw InvalidArgument(std::string(what) +
                        " waits or takes memory, and WorldOptions::stream is being captured in a graph: do it before");
}

void CudaStream::begin_graph() {
  check_made(cudaStreamCreateWithFlags(&detour_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  const cudaError_t error = cudaStreamBeginCapture(detour_, cudaStreamCaptureModeThreadLocal);
  if (error == cudaSuccess) return;
  cudaStreamDestroy(std::exchange(detour_, nullptr));
  check_made(error, "cudaStreamBeginCapture");
}

cudaError_t CudaStream::end_graph(cudaGraph_t* graph) {
  *graph = nullptr;
  const cudaError_t error = cudaStreamEndCapture(detour_, graph);
  cudaStreamDestroy(std::exchange(detour_, nullptr));
  if (error != cudaSuccess) cudaGetLastError();
  return error;
}

void CudaStream::wait() const {
  refuse_capture("a call that reads");
  const OnDevice on(device_);
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

void* CudaMemory::allocate(std::size_t bytes, kernels::Life) {
  if (bytes == 0) return nullptr;
  stream_.refuse_capture("growing an array");
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
  // nothing may rely on zeros, but a mistake with them is then the same every time
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
  // enqueued work may still use it
  cudaStreamSynchronize(stream_.get());
  give_back(data);
}

void CudaMemory::upload(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  stream_.refuse_capture("a call that writes");
  const OnDevice on(stream_.device());
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()), "cudaMemcpyAsync (upload)");
  // the source may end with this call. Uploads happen only with edits and overflows, never inside a settled step
  check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize (upload)");
  settle();
}

CudaMemory::CudaMemory(const CudaStream& stream) : KeptMemory([](void* data) { cudaFree(data); }), stream_(stream) {}

CudaMemory::~CudaMemory() {
  for (const Staging& s : staging_) cudaFreeHost(s.data);
}

void CudaMemory::post(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  stream_.refuse_capture("a call that writes");
  const OnDevice on(stream_.device());
  if (posted_ == staging_.size()) staging_.push_back({nullptr, 0});
  Staging& s = staging_[posted_];
  if (s.bytes < bytes) {
    cudaFreeHost(s.data);
    s = {nullptr, 0};
    void* data = nullptr;
    const cudaError_t error = cudaMallocHost(&data, bytes);
    if (error == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw CapacityError("out of memory: " + std::to_string(bytes) + " page-locked bytes could not be allocated");
    }
    check(error, "cudaMallocHost");
    s = {data, bytes};
  }
  std::memcpy(s.data, host, bytes);
  check(cudaMemcpyAsync(device, s.data, bytes, cudaMemcpyHostToDevice, stream_.get()), "cudaMemcpyAsync (post)");
  ++posted_;
}

void CudaMemory::download(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  stream_.refuse_capture("a call that reads");
  const OnDevice on(stream_.device());
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_.get()), "cudaMemcpyAsync (download)");
  check(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize (download)");
  settle();
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
