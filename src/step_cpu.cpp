// The step, instantiated for the CPU.

#include <new>
#include <string>

#include "cairn/errors.h"
#include "src/exec/backend.h"
#include "src/exec/cpu.h"
#include "src/exec/cpu_memory.h"
#include "src/exec/exact_floats.h"
#include "src/step.inl"

namespace cairn::exec {
namespace {

int checked(int threads) {
  if (threads < 1 || threads > 256) {
    throw DeviceError("cpu: the number of threads must be within 1..256, is " + std::to_string(threads));
  }
#if defined(__AVX2__) && defined(__FMA__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    throw DeviceError(
        "cpu: this build needs AVX2 and FMA (x86-64-v3), which this processor lacks; build with -DCAIRN_ARCH=x86-64");
  }
#endif
  return threads;
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(int threads) : exec_(checked(threads)) {}
  Memory& memory() override { return memory_; }
  void step(const StepContext& context, StepObserver* observer) override {
    const ExactFloats exact;
    exec_.observe(observer);
    try {
      cairn::step(exec_, context);
    } catch (const std::bad_alloc&) {
      throw CapacityError("out of memory: the CPU has no room to sort in; the step was not taken");
    }
  }
  void reset(const StepContext& context, const ResetContext& reset) override {
    exec_.observe(nullptr);
    cairn::reset(exec_, context, reset);
  }
  void wait() override {}

 private:
  CpuMemory memory_;
  CpuExec exec_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) { return std::make_unique<CpuBackend>(threads); }

}  // namespace cairn::exec
