#pragma once
// Indices of slots, in 32 bits.

#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kNone = 0xffffffffu;  ///< no slot

/// Index of the first of `count` ascending keys that isn't below `key`, or count.
template <class Key>
CAIRN_HD std::uint32_t first_from(const Key* keys, std::uint32_t count, Key key) {
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace cairn::kernels
