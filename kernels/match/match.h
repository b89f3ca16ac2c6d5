#pragma once
// Pairs that the last step had, too. Their points are matched, and keep their impulses, in
// kernels/collide/update_manifold.h.

#include "kernels/common/annotate.h"
#include "kernels/common/index.h"

namespace cairn::kernels {

/// Finds each pair in the last step's sorted pairs. Writes match[i]. One thread per pair.
struct Match {
  const std::uint64_t* key;
  const std::uint64_t* old_key;    ///< [1] (old_count) of the last step, sorted
  const std::uint32_t* old_count;  ///< [1] one number: pairs of the last step
  std::uint32_t* match;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint64_t wanted = key[i];
    const std::uint32_t n = *old_count;
    if (n == 0) {
      match[i] = kNone;
      return;
    }
    // in a settled scene the pair is at the same index: gallop outwards from there, then bisect
    std::uint32_t low = 0, high = n;
    const std::uint32_t guess = i < n ? i : n - 1;
    if (old_key[guess] <= wanted) {
      low = guess;
      for (std::uint32_t step = 1; low + step < n; step *= 2) {
        if (old_key[low + step] > wanted) {
          high = low + step;
          break;
        }
        low += step;
      }
    } else {
      high = guess;
      for (std::uint32_t step = 1; step < high; step *= 2) {
        if (old_key[high - step] <= wanted) {
          low = high - step;
          break;
        }
        high -= step;
      }
    }
    // invariant: old_key[low] <= wanted (or low is 0) and old_key[high] > wanted (or high is n)
    const std::uint32_t at = low + first_from(old_key + low, high - low, wanted);
    match[i] = at < high && old_key[at] == wanted ? at : kNone;
  }
};

}  // namespace cairn::kernels
