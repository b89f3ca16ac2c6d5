#include "src/exec/cpu_exec.h"
#include "src/exec/cpu_memory.h"
#include "tests/exec/color_cases.h"

namespace cairn::exec_cases {
namespace {

template <int kThreads>
class CpuRig {
 public:
  static bool available() { return true; }
  exec::Memory& memory() { return memory_; }
  template <class F>
  void run(const F& f) {
    exec_.guard(nullptr);
    f(exec_);
  }

 private:
  exec::CpuMemory memory_;
  exec::CpuExec exec_{kThreads};
};

using ThreadCounts = testing::Types<CpuRig<1>, CpuRig<2>, CpuRig<3>, CpuRig<4>, CpuRig<5>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, Exec, ThreadCounts);
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, ExecColors, ThreadCounts);

}  // namespace
}  // namespace cairn::exec_cases
