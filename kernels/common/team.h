#pragma once
// Who works on one thing: a thread by itself, or on a CUDA device the lanes of a warp (src/exec/cuda_kernels.cuh). A
// call returns when all of it is done, and what it wrote can be read by all. In between each lane goes through the same
// code. Who works on it changes no bit: each number is still made by one lane, or by all alike, from first to last.

#include <cstdint>

#include "kernels/common/annotate.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

/// The axes [first, first + kSize).
template <std::uint32_t kCount>
struct Slice {
  static constexpr std::uint32_t kSize = kCount;
  std::uint32_t first;  ///< [1]
};
/// All of them: the compiler knows the first.
template <std::uint32_t kCount>
struct WholeSlice {
  static constexpr std::uint32_t kSize = kCount, first = 0;
};

/// The nodes of a tree by depth: those of one depth can be done at once. Parents have smaller numbers than children.
struct Levels {
  const std::uint32_t* node;    ///< [1] (nodes) by depth
  const std::uint32_t* begin;   ///< [1] (depths + 1) of each depth in `node`
  std::uint32_t nodes, depths;  ///< [1]
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
  /// f(i, slice) for i in [0, n) and slices that come to [0, kCount), in any order.
  template <std::uint32_t kCount, class F>
  CAIRN_HD void each_sliced(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) f(i, WholeSlice<kCount>{});
  }
  /// take(i, make(i)) for i in [0, n), each after the one before it; what is made doesn't ask for the order.
  template <class Make, class Take>
  CAIRN_HD void in_turn(std::uint32_t n, const Make& make, const Take& take) const {
    for (std::uint32_t i = 0; i < n; ++i) take(i, make(i));
  }
  /// f(n) for the nodes of a tree, each after its parent.
  template <class F>
  CAIRN_HD void down(const Levels& tree, const F& f) const {
    for (std::uint32_t n = 0; n < tree.nodes; ++n) f(n);
  }
  /// The same as f(n, slice), for slices that come to [0, kCount).
  template <std::uint32_t kCount, class F>
  CAIRN_HD void down_sliced(const Levels& tree, const F& f) const {
    each_sliced<kCount>(tree.nodes, f);
  }
  /// f(n) for the nodes of a tree, each after its children.
  template <class F>
  CAIRN_HD void up(const Levels& tree, const F& f) const {
    for (std::uint32_t n = tree.nodes; n-- > 0;) f(n);
  }
  /// The sum of the products that f(i, add) adds for i in [0, n), in their order, by fma: add(a, b), at most kMost
  /// times.
  template <std::uint32_t kMost, class F>
  CAIRN_HD double sum(std::uint32_t n, const F& f) const {
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) f(i, [&](double a, double b) { sum = fma(a, b, sum); });
    return sum;
  }
  /// f(i) for all i in [0, n); those after one that isn't may be left out.
  template <class F>
  CAIRN_HD bool all(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!f(i)) return false;
    }
    return true;
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
  /// What f() says, once; a number or a truth.
  template <class F>
  CAIRN_HD auto ask(const F& f) const {
    return f();
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
