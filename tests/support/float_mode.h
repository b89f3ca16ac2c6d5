#pragma once
// What a caller may have done to its thread's floating point, which must make no difference to the library.

#include <cfenv>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::testing_support {

enum class FloatMode { kUpward, kFlushToZero };

/// Those that this machine has.
inline std::vector<FloatMode> float_modes() {
#if defined(__x86_64__)
  return {FloatMode::kUpward, FloatMode::kFlushToZero};
#else
  return {FloatMode::kUpward};
#endif
}

inline std::string name_of(FloatMode mode) {
  return mode == FloatMode::kUpward ? "rounding upward" : "subnormals flushed to zero";
}

/// f() in a mode of this thread's floating point, which is IEEE's own again afterwards.
template <class F>
void in_mode(FloatMode mode, const F& f) {
  std::fenv_t before;
  std::fegetenv(&before);
  if (mode == FloatMode::kUpward) std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
  // results flushed to zero, and operands taken for it
  if (mode == FloatMode::kFlushToZero) _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
  f();
  std::fesetenv(&before);
}

}  // namespace cairn::testing_support
