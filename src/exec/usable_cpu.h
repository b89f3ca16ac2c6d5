#pragma once

#include <string>

#include "cairn/errors.h"

namespace cairn::exec {

/// Throws DeviceError for an invalid number of threads, and for a processor that can't run this build.
inline void check_usable_cpu(int threads) {
  if (threads < 1 || threads > 256) {
    throw DeviceError("cpu: the number of threads must be within 1..256, is " + std::to_string(threads));
  }
#if defined(__AVX2__) && defined(__FMA__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    throw DeviceError(
        "cpu: this build needs AVX2 and FMA (x86-64-v3), which this processor lacks; build with -DCAIRN_ARCH=x86-64");
  }
#endif
}

}  // namespace cairn::exec
