#pragma once
// Sums of floats over all particles: by blocks of kSumBlock in order, then over the blocks in the same way, in double.
// The tree depends on the count of particles only.

#include "kernels/common/vec.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kSumBlock = 32;  ///< [1] long enough for few launches, short enough for many threads

CAIRN_HD constexpr std::uint32_t sum_blocks(std::uint32_t n) { return n / kSumBlock + (n % kSumBlock != 0 ? 1 : 0); }

/// Writes to[b], the sum of value(i) over block b, or the largest: then they must be at least 0 and no NaN. One thread
/// per block.
template <class Value, bool kLargest>
struct ReduceBlock {
  Value value;
  std::uint32_t count;  ///< [1]
  double* to;           ///< [1] (blocks) in the value's unit
  CAIRN_HD void operator()(std::uint32_t b) const {
    double all = 0.0;
    for (std::uint32_t k = 0; k < kSumBlock && b * kSumBlock + k < count; ++k) {
      const double next = value(b * kSumBlock + k);
      all = kLargest ? max(all, next) : all + next;
    }
    to[b] = all;
  }
};

struct SumOf {
  const double* from;  ///< [1] (count) in the value's unit
  CAIRN_HD double operator()(std::uint32_t i) const { return from[i]; }
};

template <class T>
struct DotOf {
  const Vec3T<T>* a;  ///< [1] (count)
  const Vec3T<T>* b;  ///< [1] (count)
  CAIRN_HD double operator()(std::uint32_t i) const {
    return fma(static_cast<double>(a[i].x), static_cast<double>(b[i].x),
               fma(static_cast<double>(a[i].y), static_cast<double>(b[i].y),
                   static_cast<double>(a[i].z) * static_cast<double>(b[i].z)));
  }
};

/// [J]
template <class T>
struct KineticOf {
  const Vec3T<T>* v;  ///< [m/s] (count)
  const T* mass;      ///< [kg]  (count)
  CAIRN_HD double operator()(std::uint32_t i) const { return 0.5 * static_cast<double>(mass[i]) * DotOf<T>{v, v}(i); }
};

/// [kg m/s] along one axis.
template <class T>
struct MomentumOf {
  const Vec3T<T>* v;  ///< [m/s] (count)
  const T* mass;      ///< [kg]  (count)
  int axis;           ///< [1]
  CAIRN_HD double operator()(std::uint32_t i) const {
    return static_cast<double>(mass[i]) * static_cast<double>(component(v[i], axis));
  }
};

}  // namespace cairn::kernels
