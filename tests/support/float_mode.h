#pragma once
// What a caller may have done to its thread's floating point, which must make no difference to the library.

#include <cfenv>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::testing_support {

enum class FloatMode { kUpward, kDownward, kTowardZero, kFlushToZero };

/// Those that this machine has.
inline std::vector<FloatMode> float_modes() {
  std::vector<FloatMode> all{FloatMode::kUpward, FloatMode::kDownward, FloatMode::kTowardZero};
#if defined(__x86_64__)
  all.push_back(FloatMode::kFlushToZero);
#endif
  return all;
}

inline std::string name_of(FloatMode mode) {
  const char* const names[] = {"rounding upward", "rounding downward", "rounding toward zero",
                               "subnormals flushed to zero"};
  return names[static_cast<int>(mode)];
}

/// What sets this thread's floating point to a mode, and back to what it was.
class InMode {
 public:
  explicit InMode(FloatMode mode) {
    std::fegetenv(&before_);
    const int rounding[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    std::fesetround(rounding[static_cast<int>(mode)]);
#if defined(__x86_64__)
    // results flushed to zero, and operands taken for it
    if (mode == FloatMode::kFlushToZero) _mm_setcsr(_mm_getcsr() | 0x8040u);
#endif
  }
  ~InMode() { std::fesetenv(&before_); }
  InMode(const InMode&) = delete;
  InMode& operator=(const InMode&) = delete;

 private:
  std::fenv_t before_;
};

/// f() in a mode of this thread's floating point, which is IEEE's own again afterwards.
template <class F>
void in_mode(FloatMode mode, const F& f) {
  const InMode now(mode);
  f();
}

}  // namespace cairn::testing_support
