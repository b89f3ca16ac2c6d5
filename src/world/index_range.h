#pragma once

#include <cstddef>

namespace cairn {

/// [first, last) of one world's among those of all worlds.
struct IndexRange {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};

}  // namespace cairn
