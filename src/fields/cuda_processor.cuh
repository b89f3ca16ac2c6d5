#pragma once

#include <string>

#include "cairn/device.h"
#include "cairn/field.h"
#include "src/exec/cuda_exec.cuh"
#include "src/exec/cuda_memory.cuh"

namespace cairn::ode {

/// A CUDA device, for fields of particles: CpuProcessor's names.
class CudaProcessor {
 public:
  /// On `stream`, a cudaStream_t that outlives this; null makes one.
  explicit CudaProcessor(const Device& device, void* stream = nullptr)
      : index_((exec::check_usable(device.index), device.index)),
        stream_(index_, stream),
        memory_(stream_),
        exec_(stream_, memory_) {}

  exec::Memory& memory() { return memory_; }
  exec::CudaExec& exec() { return exec_; }

  struct Scope {
    explicit Scope(const CudaProcessor& of) : on(of.index_) {}
    exec::OnDevice on;
  };

  template <class T>
  std::string refusal(const FieldCode<T>& code) const {
    if (code.launch != nullptr) return {};
    return "was compiled without nvcc, and can't run on cuda:" + std::to_string(index_);
  }

  template <class F>
  void make_room(std::size_t, const F& f) {
    exec_.begin_measure();
    f(exec_);
    if (!exec_.end_measure()) exec_.reserve();
  }

  template <class T>
  void run(const FieldCode<T>& code, const void* functor, const FieldJob<T>& job) {
    code.launch(functor, job, stream_.get());
    exec::check(cudaGetLastError(), "kernel launch of a field");
  }

 private:
  // in this order: later members use earlier ones
  int index_;
  exec::CudaStream stream_;
  exec::CudaMemory memory_;
  exec::CudaExec exec_;
};

}  // namespace cairn::ode
