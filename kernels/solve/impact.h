#pragma once
// The impulse with which a point first pushes stops a motion; it is no guess for the next substep, when nothing is left to stop. Carried along
// like the others it would throw the body up, and two passes can't take all of it back where points share a body.

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Mark in RowBlock::Point::total of a point that has not pushed in this step, and didn't in the last one.
inline constexpr float kNotPushed = -1.0f;

/// How much of an impulse stays if it may be at most `bound` long.
CAIRN_HD float kept_share(float x, float y, float bound) {
  const float length2 = fma(x, x, y * y);
  return length2 > bound * bound ? bound / sqrt(length2) : 1.0f;
}

/// Takes the impulses of points that pushed for the first time in this substep, and the friction that rested on them, out of what the next
/// substep starts with: out of the row's impulses, and out of the carry (v_end - v1) by adding them to v1.
/// Writes the lane's impulses and totals, and v1 and w1 of its bodies (owner by colour).
template <bool kRolling>
CAIRN_HD void spend_impact(const Bodies& bodies, RowBlock& row, std::uint32_t lane) {
  const Vec3 n = load3<float>(row.normal, lane), t0 = load3<float>(row.tangent, lane), t1 = cross(n, t0);
  Vec3 linear{0, 0, 0}, turn_a{0, 0, 0}, turn_b{0, 0, 0};
  float kept = 0.0f, kept_lever = 0.0f;
  for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
    RowBlock::Point& p = row.point[j];
    const float l = p.impulse[lane];
    if (p.total[lane] < 0.0f && l > 0.0f) {
      linear = fma(l, n, linear);
      turn_a = fma(l, load3<float>(p.angular_a, lane), turn_a);
      turn_b = fma(l, load3<float>(p.angular_b, lane), turn_b);
      p.total[lane] = l;
      p.impulse[lane] = 0.0f;
    } else {
      kept += l;
      kept_lever = fma(p.lever[lane], l, kept_lever);
    }
  }
  float& f0 = row.friction_impulse[0][lane];
  float& f1 = row.friction_impulse[1][lane];
  const float share = kept_share(f0, f1, row.mu[lane] * kept);
  const float spent0 = f0 - share * f0, spent1 = f1 - share * f1;
  f0 = share * f0;
  f1 = share * f1;
  linear = fma(spent0, t0, fma(spent1, t1, linear));
  turn_a = fma(spent0, load3<float>(row.friction_a[0], lane), fma(spent1, load3<float>(row.friction_a[1], lane), turn_a));
  turn_b = fma(spent0, load3<float>(row.friction_b[0], lane), fma(spent1, load3<float>(row.friction_b[1], lane), turn_b));
  float& t = row.twist_impulse[lane];
  const float twist = clamp(t, -(row.mu[lane] * kept_lever), row.mu[lane] * kept_lever);
  turn_a = fma(t - twist, load3<float>(row.twist_a, lane), turn_a);
  turn_b = fma(t - twist, load3<float>(row.twist_b, lane), turn_b);
  t = twist;
  if constexpr (kRolling) {
    float& r0 = row.rolling_impulse[0][lane];
    float& r1 = row.rolling_impulse[1][lane];
    const float rolls = kept_share(r0, r1, row.rolling_reach[lane] * kept);
    const float over0 = r0 - rolls * r0, over1 = r1 - rolls * r1;
    r0 = rolls * r0;
    r1 = rolls * r1;
    turn_a = fma(over0, load3<float>(row.rolling_a[0], lane), fma(over1, load3<float>(row.rolling_a[1], lane), turn_a));
    turn_b = fma(over0, load3<float>(row.rolling_b[0], lane), fma(over1, load3<float>(row.rolling_b[1], lane), turn_b));
  }

  const std::uint32_t a = row.body_a[lane], b = row.body_b[lane];
  if (bodies.solve[a].turnable > 0.0f) {
    bodies.v1[a] = fma(-bodies.solve[a].inv_mass, linear, bodies.v1[a]);
    bodies.w1[a] = bodies.w1[a] - turn_a;
  }
  if (bodies.solve[b].turnable > 0.0f) {
    bodies.v1[b] = fma(bodies.solve[b].inv_mass, linear, bodies.v1[b]);
    bodies.w1[b] = bodies.w1[b] + turn_b;
  }
}

template <bool kRolling>
CAIRN_HD void spend_impacts(const Bodies& bodies, RowBlock& row, std::uint32_t lane, float) {
  spend_impact<kRolling>(bodies, row, lane);
}
#if !defined(__CUDA_ARCH__)
template <bool kRolling>
CAIRN_HD void spend_impacts(const Bodies& bodies, RowBlock& row, std::uint32_t lane, Pack impact) {
  const std::uint32_t lanes = lanes_of(impact > Pack(0.0f));
  for (std::uint32_t i = 0; i < kPackLanes; ++i) {
    if ((lanes >> i & 1u) != 0) spend_impact<kRolling>(bodies, row, lane + i);
  }
}
#endif

}  // namespace cairn::kernels
