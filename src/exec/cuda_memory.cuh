#pragma once
// A CUDA device's memory, and the stream on which a world's work is ordered.

#include <vector>

#include <cuda_runtime_api.h>

#include "src/exec/kept.h"
#include "src/exec/memory.h"

namespace cairn::exec {

/// Throws DeviceError with the call and CUDA's reason.
void check(cudaError_t error, const char* call);
/// The same for calls that make something, before anything is enqueued: CapacityError if memory runs out.
void check_made(cudaError_t error, const char* call);

/// Throws DeviceError, naming the device and its lack, unless this build can run on it.
void check_usable(int device);

/// Makes a device the calling thread's current one, and restores the former one.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int former_{0};
  bool changed_{false};
};

class CudaStream {
 public:
  /// On `stream`, a cudaStream_t of the user's that outlives this; null makes one.
  explicit CudaStream(int device, void* stream = nullptr);
  ~CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  int device() const { return device_; }
  cudaStream_t get() const { return detour_ != nullptr ? detour_ : stream_; }
  void wait() const;
  /// Work enqueued on `second` from now on comes after the present work of `first`. Both are streams of this device,
  /// and neither or both are being captured; or only `first` is, with `into_capture`, if `second` is this stream and
  /// the user's.
  void order(cudaStream_t first, cudaStream_t second, bool into_capture) const;

  /// True while the user captures the stream in a graph.
  bool capturing() const;
  /// Throws InvalidArgument then: `what` would wait or allocate, which breaks a capture.
  void refuse_capture(const char* what) const;

  /// Work enqueued in between becomes a graph of ours, on our own stream: the user's may be the default stream, which
  /// can't be captured.
  void begin_graph();
  cudaError_t end_graph(cudaGraph_t* graph);  ///< null if it failed

 private:
  int device_;
  bool owned_;
  cudaStream_t stream_{nullptr};
  cudaStream_t detour_{nullptr};
};

class CudaMemory final : public Memory, public KeptMemory {
 public:
  explicit CudaMemory(const CudaStream& stream);
  ~CudaMemory() override;
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  /// The stream has finished all enqueued work: posted data has arrived.
  void settle() { posted_ = 0; }

  void* allocate(std::size_t bytes, kernels::Life life = kernels::Life::kDerived) override;
  void release(void* data) noexcept override;
  void upload(void* device, const void* host, std::size_t bytes) override;
  void post(void* device, const void* host, std::size_t bytes) override;
  void download(void* host, const void* device, std::size_t bytes) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void zero(void* data, std::size_t bytes) override;
  std::shared_ptr<const void> keep() override { return KeptMemory::keep(); }

 private:
  /// Page-locked, so that the device reads it directly.
  struct Staging {
    void* data;
    std::size_t bytes;
  };
  const CudaStream& stream_;
  std::vector<Staging> staging_;
  std::size_t posted_{0};  ///< [1] of them in use
};

}  // namespace cairn::exec
