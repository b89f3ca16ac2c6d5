#pragma once
// A processor for Worlds: its memory, and the step instantiated for it.

#include <memory>

#include "cairn/device.h"
#include "src/exec/memory.h"
#include "src/exec/observer.h"
#include "src/task.h"

namespace cairn {
struct ArticulateContext;
}

namespace cairn::exec {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual Memory& memory() = 0;
  /// Enqueues a step. With an observer, waits for every stage and reports it.
  virtual void step(const StepContext& context, StepObserver* observer) = 0;
  /// Enqueues a task; `context` is that of the next step.
  virtual void run(const StepContext& context, const Task& task) = 0;
  /// Enqueues an algorithm of articulations.
  virtual void articulate(const ArticulateContext& context) = 0;
  /// True while the user captures the stream in a graph: nothing may wait or allocate then.
  virtual bool capturing() { return false; }
  /// The cudaStream_t of all work; null on a CPU.
  virtual void* stream() { return nullptr; }
  /// Work enqueued from now on comes after the present work of `other`, or the other way round. `into_capture`: if
  /// `other` is being captured, this stream joins the capture.
  virtual void wait_stream(void* /*other*/, bool /*into_capture*/) {}
  virtual void stream_waits(void* /*other*/) {}
  /// Waits for all that was enqueued. Throws DeviceError if the device failed.
  virtual void wait() = 0;
};

std::unique_ptr<Backend> make_cpu_backend(int threads);

/// `stream`: a cudaStream_t of the user's, or null for an own one. In builds without CUDA (src/exec/cuda_nocuda.cpp)
/// there are no CUDA devices, and making a backend throws DeviceError.
std::unique_ptr<Backend> make_cuda_backend(int index, void* stream = nullptr);
std::vector<DeviceInfo> cuda_devices();

}  // namespace cairn::exec
