#pragma once

#include <cstddef>
#include <vector>

#include "src/exec/memory.h"

namespace cairn {

/// [first, last) of one world's among those of all worlds.
struct IndexRange {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};

/// Reads elements [range) of a device array, calls `change`, and writes them back. `change` accesses them by slot.
template <class T, class F>
void rewrite(exec::Memory& memory, T* field, IndexRange range, F change) {
  if (range.size() == 0) return;
  std::vector<T> values = exec::read(memory, field + range.first, range.size());
  change([&](std::size_t slot) -> T& { return values[slot - range.first]; });
  memory.put(field + range.first, values);
}

}  // namespace cairn
