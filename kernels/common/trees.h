#pragma once

#include "kernels/common/atomic.h"

namespace cairn::kernels {

/// The root of entry i of a forest, `parent` of which is itself. While others join trees it may find an entry that was
/// one; its way up leads to the root then, too, since entries are never taken out of a tree.
CAIRN_HD std::uint32_t root_of(const std::uint32_t* parent, std::uint32_t i) {
  for (std::uint32_t up = atomic_load(&parent[i]); up != i; up = atomic_load(&parent[i])) i = up;
  return i;
}

/// Joins the trees of a and b: union-find in which a root is only ever hung under a smaller one, so that in the end
/// every root is the lowest entry of its tree (Jaiganesh and Burtscher 2018). Integer min.
CAIRN_HD void join_trees(std::uint32_t* parent, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b) return;
    const std::uint32_t high = a > b ? a : b, low = a > b ? b : a;
    // if somebody hung `high` elsewhere meanwhile, join what it hung under
    const std::uint32_t was = atomic_min(&parent[high], low);
    if (was == high) return;
    a = was;
    b = low;
  }
}

}  // namespace cairn::kernels
