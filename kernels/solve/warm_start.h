#pragma once

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Gives the bodies the impulses that the rows start the step with. Writes v and w~ of the row's bodies (owner by
/// colour).
/// One thread per row slot.
template <bool kRolling, class Links = NoLinks>
struct WarmStartRow {
  BodySolve* solve;
  Rows rows;
  Links links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    with_ends<T>(solve, links, row, slot % kRowLanes,
                 [&](auto& ends, std::uint32_t lane) { start(row, lane, ends); });
  }

 private:
  template <class Ends>
  CAIRN_HD void start(const RowBlock& row, std::uint32_t lane, Ends& ends) const {
    using T = typename Ends::Number;
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane);
    ends.push(load<T>(row.friction_impulse[0], lane), t0, load3<T>(row.friction_a[0], lane),
         load3<T>(row.friction_b[0], lane));
    ends.push(load<T>(row.friction_impulse[1], lane), cross(n, t0), load3<T>(row.friction_a[1], lane),
         load3<T>(row.friction_b[1], lane));
    const Vec3T<T> none{T(0.0f), T(0.0f), T(0.0f)};
    ends.push(load<T>(row.twist_impulse, lane), none, load3<T>(row.twist_a, lane), load3<T>(row.twist_b, lane));
    if constexpr (kRolling) {
      for (int t = 0; t < 2; ++t) {
        ends.push(load<T>(row.rolling_impulse[t], lane), none, load3<T>(row.rolling_a[t], lane),
             load3<T>(row.rolling_b[t], lane));
      }
    }
    const std::uint32_t points = most_points(&row.count[lane], T{});
    for (std::uint32_t j = 0; j < points; ++j) {
      const RowBlock::Point& p = row.point[j];
      ends.push(load<T>(p.impulse, lane), n, load3<T>(p.angular_a, lane), load3<T>(p.angular_b, lane));
    }
    ends.keep(solve, row, lane);
  }
};

}  // namespace cairn::kernels
