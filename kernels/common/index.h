#pragma once
// Indices of slots, in 32 bits.

#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kNone = 0xffffffffu;  ///< no slot

/// Keys that are sorted by their own value.
struct AsItIs {
  template <class Key>
  CAIRN_HD Key operator()(Key key) const {
    return key;
  }
};

/// Index of the first of `count` entries with ascending keys of(entry) whose key isn't below `key`, or count.
template <class Entry, class Key, class Of = AsItIs>
CAIRN_HD std::uint32_t first_from(const Entry* entries, std::uint32_t count, Key key, const Of& of = {}) {
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (of(entries[middle]) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Writes to[i], from[of[i]], or from[i] if `of` is null. One thread per entry.
struct GatherIndices {
  const std::uint32_t* from;  ///< [1]
  const std::uint32_t* of;    ///< [1]
  std::uint32_t* to;          ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const { to[i] = from[of == nullptr ? i : of[i]]; }
};

/// to[i] = value. One thread per entry.
template <class V>
struct Fill {
  V* to;    ///< [1] (count)
  V value;  ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const { to[i] = value; }
};

}  // namespace cairn::kernels
