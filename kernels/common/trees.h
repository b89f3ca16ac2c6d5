#pragma once

#include "kernels/common/atomic.h"

namespace cairn::kernels {

/// The root of entry i of a forest; the parent of a root is itself. While others join trees it may return an entry that
/// is no longer a root. That is fine: entries never leave a tree, so its path still leads to the root.
CAIRN_HD std::uint32_t root_of(const std::uint32_t* parent, std::uint32_t i) {
  for (std::uint32_t up = atomic_load(&parent[i]); up != i; up = atomic_load(&parent[i])) i = up;
  return i;
}

/// Joins the trees of a and b: union-find where a root is only linked to a smaller one, so that in the end every root
/// is the lowest entry of its tree (Jaiganesh and Burtscher 2018). Integer min.
CAIRN_HD void join_trees(std::uint32_t* parent, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b) return;
    const std::uint32_t high = a > b ? a : b, low = a > b ? b : a;
    // if another thread linked `high` elsewhere meanwhile, join that parent
    const std::uint32_t was = atomic_min(&parent[high], low);
    if (was == high) return;
    a = was;
    b = low;
  }
}

}  // namespace cairn::kernels
