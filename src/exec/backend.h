#pragma once
// A processor that a World can live on: its memory, and the step instantiated for it.

#include <memory>

#include "cairn/device.h"
#include "kernels/residual/residual.h"
#include "src/articulations/articulate_context.h"
#include "src/exec/memory.h"
#include "src/exec/observer.h"
#include "src/sensors/sense_context.h"
#include "src/step_context.h"

namespace cairn::exec {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual Memory& memory() = 0;
  /// Enqueues a step. With an observer every stage is waited for and reported to it.
  virtual void step(const StepContext& context, StepObserver* observer) = 0;
  /// Enqueues a reset of worlds.
  virtual void reset(const StepContext& context, const ResetContext& reset) = 0;
  /// Enqueues scales of worlds.
  virtual void scale(const StepContext& context, const ScaleContext& scale) = 0;
  /// Enqueues the residuals of the last step.
  virtual void residual(const StepContext& context, const kernels::Residuals& of) = 0;
  /// Enqueues queries, or the tree that they need.
  virtual void query(const StepContext& context, const QueryContext& query) = 0;
  /// Enqueues an exchange of states with arrays of the user's.
  virtual void exchange(const StepContext& context, const ExchangeContext& exchange) = 0;
  /// Enqueues readings of sensors.
  virtual void sense(const StepContext& context, const SenseContext& sense) = 0;
  /// Enqueues an algorithm of articulations.
  virtual void articulate(const ArticulateContext& context) = 0;
  /// True while what is enqueued is captured in a graph of the user's: nothing may wait or allocate then.
  virtual bool capturing() { return false; }
  /// What that is enqueued on, a cudaStream_t; null on a CPU.
  virtual void* stream() { return nullptr; }
  /// What is enqueued from now on comes after what `other` has to do, or the other way round. `into_capture`: where
  /// that is being captured, this joins it.
  virtual void wait_stream(void* /*other*/, bool /*into_capture*/) {}
  virtual void stream_waits(void* /*other*/) {}
  /// Waits for all that was enqueued. Throws DeviceError if the device failed.
  virtual void wait() = 0;
};

std::unique_ptr<Backend> make_cpu_backend(int threads);

/// `stream`: a cudaStream_t of the user's, or null for one of our own.
/// In builds without CUDA (src/exec/cuda_nocuda.cpp) there are no CUDA devices, and making a backend throws
/// DeviceError.
std::unique_ptr<Backend> make_cuda_backend(int index, void* stream = nullptr);
std::vector<DeviceInfo> cuda_devices();

}  // namespace cairn::exec
