#pragma once

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Notes the approach speed of each point of a bouncing row, after the substep's forces and before its impulses: in
/// every substep, or, with `kUntilPushed`, while the point has not pushed yet in this step. Writes the points'
/// approach. One thread per row slot.
template <bool kUntilPushed>
struct RestituteObserve {
  const BodySolve* solve;
  Rows rows;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    if (!any(load<T>(row.restitution, lane) > T(0.0f))) return;
    RowBody<T> a, b;
    gather_ends(solve, row, lane, a, b);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const std::uint32_t points = most_points(&row.count[lane], T{});
    for (std::uint32_t j = 0; j < points; ++j) {
      RowBlock::Point& p = row.point[j];
      const T vn = dot(n, b.v - a.v, dot(load3<T>(p.angular_b, lane), b.w)) - dot(load3<T>(p.angular_a, lane), a.w);
      if constexpr (kUntilPushed) {
        const T pushed = load<T>(p.total, lane) + load<T>(p.impulse, lane);
        store(p.approach, lane, select(pushed > T(0.0f), load<T>(p.approach, lane), vn));
      } else {
        store(p.approach, lane, vn);
      }
    }
  }
};

/// Newton's law of impact at the end of the step: where a point approached faster than the threshold and pushed,
/// dl = -m (vn + e v_approach), with the impulse kept from pulling. The impulse cached for the next step is 0 there: a
/// contact that left is no support. Writes the row's impulses, and v and w~ of its bodies (owner by colour). One thread
/// per row slot.
template <class Links = NoLinks>
struct RestituteRow {
  BodySolve* solve;
  Rows rows;
  Links links{};

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    if (!any(load<T>(row.restitution, lane) > T(0.0f))) return;
    with_ends<T>(solve, links, row, lane, [&](auto& ends, std::uint32_t at) { bounce(row, at, ends); });
  }

 private:
  template <class Ends>
  CAIRN_HD void bounce(RowBlock& row, std::uint32_t lane, Ends& ends) const {
    using T = typename Ends::Number;
    const auto &a = ends.a, &b = ends.b;
    const T e = load<T>(row.restitution, lane);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const std::uint32_t points = most_points(&row.count[lane], T{});
    for (std::uint32_t j = 0; j < points; ++j) {
      RowBlock::Point& p = row.point[j];
      const T approach = load<T>(p.approach, lane), total = load<T>(p.total, lane), l = load<T>(p.impulse, lane);
      const auto bounces = e > T(0.0f) && approach < -load<T>(row.bounce_speed, lane) && total > T(0.0f);
      const Vec3T<T> j_a = load3<T>(p.angular_a, lane), j_b = load3<T>(p.angular_b, lane);
      const T vn = dot(n, b.v - a.v, dot(j_b, b.w)) - dot(j_a, a.w);
      const T wanted = -(load<T>(p.mass, lane) * fma(e, approach, vn));
      const T dl = select(bounces, max(l + wanted, T(0.0f)) - l, T(0.0f));
      store(p.impulse, lane, select(bounces, T(0.0f), l));
      store(p.total, lane, total + dl);
      ends.push(dl, n, j_a, j_b);
    }
    ends.keep(solve, row, lane);
  }
};

}  // namespace cairn::kernels
