#pragma once

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Gives the bodies the impulses that the rows start the step with. Writes v and w~ of the row's bodies (owner by
/// colour).
/// One thread per row slot.
template <bool kRolling>
struct WarmStartRow {
  BodySolve* solve;
  const RowBlock* rows;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    RowBody<T> a, b;
    gather_ends(solve, row, lane, a, b);
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane);
    push(a, b, load<T>(row.friction_impulse[0], lane), t0, load3<T>(row.friction_a[0], lane),
         load3<T>(row.friction_b[0], lane));
    push(a, b, load<T>(row.friction_impulse[1], lane), cross(n, t0), load3<T>(row.friction_a[1], lane),
         load3<T>(row.friction_b[1], lane));
    const Vec3T<T> none{T(0.0f), T(0.0f), T(0.0f)};
    push(a, b, load<T>(row.twist_impulse, lane), none, load3<T>(row.twist_a, lane), load3<T>(row.twist_b, lane));
    if constexpr (kRolling) {
      for (int t = 0; t < 2; ++t) {
        push(a, b, load<T>(row.rolling_impulse[t], lane), none, load3<T>(row.rolling_a[t], lane),
             load3<T>(row.rolling_b[t], lane));
      }
    }
    const std::uint32_t points = most_points(&row.count[lane], T{});
    for (std::uint32_t j = 0; j < points; ++j) {
      const RowBlock::Point& p = row.point[j];
      push(a, b, load<T>(p.impulse, lane), n, load3<T>(p.angular_a, lane), load3<T>(p.angular_b, lane));
    }
    scatter(solve, &row.body_a[lane], a);
    scatter(solve, &row.body_b[lane], b);
  }

 private:
  template <class T>
  CAIRN_HD static void push(RowBody<T>& a, RowBody<T>& b, T l, Vec3T<T> linear, Vec3T<T> j_a, Vec3T<T> j_b) {
    a.push(-l, linear, j_a);
    b.push(l, linear, j_b);
  }
};

}  // namespace cairn::kernels
