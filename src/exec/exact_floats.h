#pragma once

#include <cstdint>

namespace cairn::exec {

/// Sets this thread's floating point to IEEE: rounding to nearest, subnormals kept, no traps. What called us may have
/// set another rounding, and a program linked with -ffast-math flushes subnormals from its start: both would give other
/// bits. The destructor puts back what was there, the flags of exceptions included. Every public call that computes
/// with floats, reads or writes them as text begins with one, and every thread of our own.
///
/// Both ends are calls that can't be inlined. A compiler moves arithmetic past a write of the control register, of
/// which it thinks nothing, but doesn't carry its operands or results across a call for that.
class ExactFloats {
 public:
  ExactFloats() noexcept;
  ~ExactFloats();
  ExactFloats(const ExactFloats&) = delete;
  ExactFloats& operator=(const ExactFloats&) = delete;

 private:
  std::uint64_t control_{0};  ///< MXCSR, or FPCR
  std::uint64_t second_{0};   ///< the x87's control word, by which the C library's text to number rounds; or FPSR
};

}  // namespace cairn::exec
