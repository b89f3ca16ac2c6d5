// The step, instantiated for the CPU.

#include "src/exec/backend.h"
#include "src/exec/cpu.h"
#include "src/exec/cpu_memory.h"
#include "src/step.inl"

namespace cairn::exec {
namespace {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(int threads) : exec_(threads) {}
  Memory& memory() override { return memory_; }
  void step(const StepContext& context, StepObserver* observer) override {
    exec_.observe(observer);
    cairn::step(exec_, context);
  }
  void wait() override {}

 private:
  CpuMemory memory_;
  CpuExec exec_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) { return std::make_unique<CpuBackend>(threads); }

}  // namespace cairn::exec
