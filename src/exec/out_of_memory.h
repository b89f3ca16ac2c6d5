#pragma once
// The border of the library: inside it floats are exact, and what the host's heap throws never leaves it.

#include <new>

#include "src/exec/exactly.h"

namespace cairn {

/// Throws CapacityError, and takes no memory for it.
[[noreturn]] void throw_out_of_memory();

/// Runs f, under exec::ExactFloats. Where the heap has no room for it, it throws CapacityError.
template <class F>
decltype(auto) with_heap(const F& f) {
  const exec::ExactFloats exact;
  try {
    return exec::called(f);
  } catch (const std::bad_alloc&) {
    throw_out_of_memory();
  }
}

}  // namespace cairn
