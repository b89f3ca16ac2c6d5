#pragma once
// The threads that work on one item: a single thread, or on a CUDA device the lanes of a warp
// (src/exec/cuda_kernels.cuh). A call returns when all of it is done and all lanes can read the results. Between calls
// each lane runs the same code. The choice changes no bit: each number is still computed by one lane, or by all alike,
// from first to last.

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
/// All axes: the compiler knows the first.
template <std::uint32_t kCount>
struct WholeSlice {
  static constexpr std::uint32_t kSize = kCount, first = 0;
};

/// The nodes of a tree by depth: nodes of one depth can be processed at once. Parents have smaller numbers than
/// children.
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
  /// f(slice) for slices that together cover [0, kCount), kCount at most 6.
  template <std::uint32_t kCount, class F>
  CAIRN_HD void each_slice(const F& f) const {
    f(Slice<kCount>{0});
  }
  /// f(i, slice) for i in [0, n) and slices that together cover [0, kCount), in any order.
  template <std::uint32_t kCount, class F>
  CAIRN_HD void each_sliced(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) f(i, WholeSlice<kCount>{});
  }
  /// take(i, make(i)) for i in [0, n), in order; make may run in any order.
  template <class Make, class Take>
  CAIRN_HD void in_turn(std::uint32_t n, const Make& make, const Take& take) const {
    for (std::uint32_t i = 0; i < n; ++i) take(i, make(i));
  }
  /// f(n) for the nodes of a tree, each after its parent.
  template <class F>
  CAIRN_HD void down(const Levels& tree, const F& f) const {
    for (std::uint32_t n = 0; n < tree.nodes; ++n) f(n);
  }
  /// The same as f(n, slice), for slices that together cover [0, kCount).
  template <std::uint32_t kCount, class F>
  CAIRN_HD void down_sliced(const Levels& tree, const F& f) const {
    each_sliced<kCount>(tree.nodes, f);
  }
  /// f(n) for the nodes of a tree, each after its children.
  template <class F>
  CAIRN_HD void up(const Levels& tree, const F& f) const {
    for (std::uint32_t n = tree.nodes; n-- > 0;) f(n);
  }
  /// The sum by fma of the products that f(i, add) adds by add(a, b) for i in [0, n), in their order. kMaxCalls: max calls
  /// of add for one i.
  template <std::uint32_t kMaxCalls, class F>
  CAIRN_HD double sum(std::uint32_t n, const F& f) const {
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) f(i, [&](double a, double b) { sum = fma(a, b, sum); });
    return sum;
  }
  /// f(i) for all i in [0, n); calls after the first false one may be skipped.
  template <class F>
  CAIRN_HD bool all(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!f(i)) return false;
    }
    return true;
  }
  /// f(i, j, make(i)) for i in [0, n) and j in [0, of(i)), of(i) at most kMax, in any order.
  template <std::uint32_t kMax, class Of, class Make, class F>
  CAIRN_HD void each_of(std::uint32_t n, const Of& of, const Make& make, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t m = of(i);
      if (m == 0) continue;
      auto&& made = make(i);
      for (std::uint32_t j = 0; j < m; ++j) f(i, j, made);
    }
  }
  /// f(i, j) for j <= i < n, n at most 6: the lower triangle of a matrix, in any order.
  template <class F>
  CAIRN_HD void each_below(std::uint32_t n, const F& f) const {
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) f(i, j);
    }
  }
  /// Writes the i in [0, n), n at most 6, for which is(i) holds, in order, to `of`. Returns their count.
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
  /// The result of f(), called once: a number or a bool.
  template <class F>
  CAIRN_HD auto ask(const F& f) const {
    return f();
  }
  /// True if x is true in some lane.
  CAIRN_HD bool any(bool x) const { return x; }
  /// Memory that all lanes share. A single thread uses its own.
  template <class S>
  CAIRN_HD S& shared(S& own) const {
    return own;
  }
};

}  // namespace cairn::kernels
