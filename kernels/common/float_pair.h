#pragma once
// Positions are float pairs: the value and its rounding error.

#include "kernels/common/vec.h"

namespace cairn::kernels {

/// x + x_low + dx as a float pair (Knuth's two-sum).
template <class T>
CAIRN_HD void add_to_pair(T& high, T& low, T d) {
  const T t = low + d;
  const T s = high + t;
  const T part = s - high;
  low = (high - (s - part)) + (t - part);
  high = s;
}
template <class T>
CAIRN_HD void add_to_pair(Vec3T<T>& high, Vec3T<T>& low, Vec3T<T> d) {
  add_to_pair(high.x, low.x, d.x);
  add_to_pair(high.y, low.y, d.y);
  add_to_pair(high.z, low.z, d.z);
}

}  // namespace cairn::kernels
