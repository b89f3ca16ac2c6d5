#pragma once
// Positions are float pairs: the value and what rounding left of it.

#include "kernels/common/vec.h"

namespace cairn::kernels {

/// x + x_low + dx as a float pair (Knuth's two-sum).
CAIRN_HD void add_to_pair(float& high, float& low, float d) {
  const float t = low + d;
  const float s = high + t;
  const float part = s - high;
  low = (high - (s - part)) + (t - part);
  high = s;
}
CAIRN_HD void add_to_pair(Vec3& high, Vec3& low, Vec3 d) {
  add_to_pair(high.x, low.x, d.x);
  add_to_pair(high.y, low.y, d.y);
  add_to_pair(high.z, low.z, d.z);
}

}  // namespace cairn::kernels
