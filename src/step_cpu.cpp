// The step, instantiated for the CPU.

#include <string>

#include "src/exec/cpu.h"
#include "src/exec/host_backend.h"

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

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) {
  return std::make_unique<HostBackend<CpuExec>>(checked(threads));
}

}  // namespace cairn::exec
