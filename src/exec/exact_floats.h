#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace cairn::exec {

/// Sets this thread's floating point to IEEE: rounding to nearest, subnormals kept. A program linked with -ffast-math
/// flushes them from its start, and its threads would give other bits. The destructor puts back what was there.
class ExactFloats {
 public:
#if defined(__x86_64__)
  ExactFloats() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~ExactFloats() { _mm_setcsr(saved_); }
#elif defined(__aarch64__)
  ExactFloats() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
  }
  ~ExactFloats() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }
#endif
  ExactFloats(const ExactFloats&) = delete;
  ExactFloats& operator=(const ExactFloats&) = delete;

 private:
#if defined(__x86_64__)
  unsigned saved_;
#elif defined(__aarch64__)
  std::uint64_t saved_;
#endif
};

}  // namespace cairn::exec
