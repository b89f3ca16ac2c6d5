#include "src/exec/exact_floats.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cairn::exec {

#if defined(__x86_64__)

namespace {

constexpr unsigned kMxcsr = 0x1f80;     // no traps, to nearest, subnormals kept, no flags
constexpr std::uint16_t kX87 = 0x037f;  // no traps, to nearest, the widest format

std::uint16_t x87() {
  std::uint16_t word = 0;
  asm volatile("fnstcw %0" : "=m"(word));
  return word;
}
void set_x87(std::uint16_t word) { asm volatile("fldcw %0" : : "m"(word)); }

}  // namespace

ExactFloats::ExactFloats() noexcept : control_(_mm_getcsr()), second_(x87()) {
  _mm_setcsr(kMxcsr);
  if (second_ != kX87) set_x87(kX87);
}

ExactFloats::~ExactFloats() {
  _mm_setcsr(static_cast<unsigned>(control_));
  if (second_ != kX87) set_x87(static_cast<std::uint16_t>(second_));
}

#elif defined(__aarch64__)

ExactFloats::ExactFloats() noexcept {
  asm volatile("mrs %0, fpcr" : "=r"(control_));
  asm volatile("mrs %0, fpsr" : "=r"(second_));
  asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
}

ExactFloats::~ExactFloats() {
  asm volatile("msr fpcr, %0" : : "r"(control_));
  asm volatile("msr fpsr, %0" : : "r"(second_));
}

#else
#error "ExactFloats: how is floating point set on this processor?"
#endif

}  // namespace cairn::exec
