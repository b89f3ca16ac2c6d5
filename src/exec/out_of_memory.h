#pragma once
// The border of the library: inside it floats are exact, and no std::bad_alloc leaves it.

#include <new>

#include "src/exec/exactly.h"

namespace cairn {

/// Throws CapacityError without allocating.
[[noreturn]] void throw_out_of_memory();

/// Runs f under exec::ExactFloats. Throws CapacityError if the heap is exhausted.
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
