#pragma once

#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// Applies the impulses that the rows start the step with. Writes v and w~ of the row's bodies (owner by colour). One
/// thread per row slot.
template <bool kRolling, class Links = NoLinks>
struct WarmStartRow {
  BodySolve* solve;
  Rows rows;
  Links links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    with_ends<T>(solve, links, row, slot % kRowLanes, [&](auto& ends, std::uint32_t lane) { start(row, lane, ends); });
  }

 private:
  template <class Ends>
  CAIRN_HD void start(const RowBlock& row, std::uint32_t lane, Ends& ends) const {
    using T = typename Ends::Number;
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const Load<T> load_then = load_of<T>(row, lane, points);
    const Slide<T> slide(row, lane, n, load_then.centre());
    ends.push(load<T>(row.friction_impulse[0], lane), slide.t0, slide.a0, slide.b0);
    ends.push(load<T>(row.friction_impulse[1], lane), slide.t1, slide.a1, slide.b1);
    const Vec3T<T> none{T(0.0f), T(0.0f), T(0.0f)};
    ends.push(load<T>(row.twist_impulse, lane), none, load3<T>(row.axes_a[2], lane), load3<T>(row.axes_b[2], lane));
    if constexpr (kRolling) {
      for (int t = 0; t < 2; ++t) {
        ends.push(load<T>(row.rolling_impulse[t], lane), none, load3<T>(row.axes_a[t], lane),
                  load3<T>(row.axes_b[t], lane));
      }
    }
    const RowArms<T> arms(row, lane);
    push_normals(ends, n, arms, load_then);
    ends.keep(solve, row, lane);
  }
};

}  // namespace cairn::kernels
