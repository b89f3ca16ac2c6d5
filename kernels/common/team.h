#pragma once
// Who works on one thing: a thread by itself, or on a CUDA device the lanes of a warp (src/exec/cuda_kernels.cuh). A
// call returns when all of it is done, and what it wrote can be read by all. In between each lane goes through the same
// code. Who works on it changes no bit: each number is still made by one lane, from first to last.

#include <cstdint>

#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// The axes [first, first + kCount).
template <std::uint32_t kCount>
struct Slice {
  std::uint32_t first;  ///< [1]
};

struct Alone {
  /// f(i) for i in [0, n), in any order.
  template <class F>
  CAIRN_HD void each(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) f(i);
  }
  /// f(slice) for slices that come to [0, kCount), kCount at most 6.
  template <std::uint32_t kCount, class F>
  CAIRN_HD void each_slice(const F& f) const {
    f(Slice<kCount>{0});
  }
  /// f(i, j) for i in [0, n) and j in [0, of(i)), of(i) at most kMax, in any order.
  template <std::uint32_t kMax, class Of, class F>
  CAIRN_HD void each_of(std::uint32_t n, const Of& of, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0, m = of(i); j < m; ++j) f(i, j);
    }
  }
  /// f(i, j) for j <= i < n, n at most 6: the lower triangle of a matrix, in any order.
  template <class F>
  CAIRN_HD void each_below(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) f(i, j);
    }
  }
  /// The i in [0, n), n at most 6, of which that is true, in their order, to `of`. Returns how many they are.
  template <class Is>
  CAIRN_HD std::uint32_t pick(std::uint32_t n, const Is& is, std::uint32_t* of) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (is(i)) of[count++] = i;
    }
    return count;
  }
  /// f() once.
  template <class F>
  CAIRN_HD void one(const F& f) const {
    f();
  }
  /// Whether x is true of some lane.
  CAIRN_HD bool any(bool x) const { return x; }
  /// Memory that all lanes share. A thread by itself takes its own.
  template <class S>
  CAIRN_HD S& shared(S& own) const {
    return own;
  }
};

}  // namespace cairn::kernels
