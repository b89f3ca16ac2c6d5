#include "src/exec/backend.h"
#include "src/exec/cuda_parts.cuh"
#include "tests/exec/color_cases.h"

namespace cairn::exec_cases {
namespace {

class CudaRig {
 public:
  static bool available() { return !exec::cuda_devices().empty(); }
  exec::Memory& memory() { return memory_; }
  template <class F>
  void run(const F& f) {
    const exec::OnDevice on(stream_.device());
    exec_.begin_measure();
    f(exec_);
    if (!exec_.end_measure()) exec_.reserve();
    exec_.guard(nullptr);
    f(exec_);
    stream_.wait();
  }

 private:
  exec::CudaStream stream_{exec::cuda_devices().front().device.index};
  exec::CudaMemory memory_{stream_};
  exec::CudaExec exec_{stream_, memory_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Gpu, Exec, CudaRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Gpu, ExecColors, CudaRig);

}  // namespace
}  // namespace cairn::exec_cases
