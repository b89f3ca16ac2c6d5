#pragma once

#include <cstdint>

namespace cairn::exec {

/// Sets this thread's floating point to IEEE: rounding to nearest, subnormals kept, no traps. Callers may have set
/// another rounding, and a program linked with -ffast-math flushes subnormals from its start: both would give other
/// bits. The destructor restores the former state, exception flags included. Every public call that computes with
/// floats, or reads or writes them as text, begins with one, and so does every thread of ours.
///
/// Constructor and destructor can't be inlined. Compilers move arithmetic past a write of the control register, since
/// they don't model it, but they don't carry its operands or results across a call for that.
class ExactFloats {
 public:
  ExactFloats() noexcept;
  ~ExactFloats();
  ExactFloats(const ExactFloats&) = delete;
  ExactFloats& operator=(const ExactFloats&) = delete;

 private:
  std::uint64_t control_{0};  ///< MXCSR, or FPCR
  std::uint64_t second_{0};   ///< the x87's control word, which rounds the C library's text to number; or FPSR
};

}  // namespace cairn::exec
