#pragma once

#include "src/exec/exact_floats.h"

namespace cairn::exec {

/// f(), never inlined, and never treated as a function without effects.
template <class F>
[[gnu::noinline]] decltype(auto) called(const F& f) {
  asm volatile("" : : : "memory");
  return f();
}

/// f() under ExactFloats, its result included. Functions that return a number in a register need this: compilers may
/// compute such a result after the destructors (g++ 12 does).
template <class F>
auto exactly(const F& f) {
  const ExactFloats exact;
  return called(f);
}

}  // namespace cairn::exec
