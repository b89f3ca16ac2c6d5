#pragma once

#include <cstddef>

namespace cairn {

/// [first, last) of a world's own among those of all worlds.
struct IndexRange {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};

}  // namespace cairn
