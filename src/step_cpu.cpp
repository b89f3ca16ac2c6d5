// The step, instantiated for the CPU.

#include "src/exec/cpu_exec.h"
#include "src/exec/host_backend.h"
#include "src/exec/usable_cpu.h"

namespace cairn::exec {

std::unique_ptr<Backend> make_cpu_backend(int threads) {
  check_usable_cpu(threads);
  return std::make_unique<HostBackend<CpuExec>>(threads);
}

}  // namespace cairn::exec
