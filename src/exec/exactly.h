#pragma once

#include "src/exec/exact_floats.h"

namespace cairn::exec {

/// f(), which can't be inlined and isn't taken for a function without effects.
template <class F>
[[gnu::noinline]] decltype(auto) called(const F& f) {
  asm volatile("" : : : "memory");
  return f();
}

/// f() under ExactFloats, its result included. What returns a number in a register needs this: compilers work such a
/// result out after the destructors (g++ 12 does).
template <class F>
auto exactly(const F& f) {
  const ExactFloats exact;
  return called(f);
}

}  // namespace cairn::exec
