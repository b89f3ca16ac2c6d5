#pragma once
// Augmented vertex block descent for rigid bodies (Giles, Diaz and Yuksel 2025): body by body, each to the minimum of
// its own share of the augmented Lagrangian of a substep, then the multipliers. The bodies of one colour share no row.

#include "kernels/solve/avbd_force.h"
#include "kernels/solve/block6.h"
#include "kernels/solve/xpbd_share.h"

namespace cairn::kernels {

/// One Newton step of a body: (M + sum rho J J^T) dv = M (v1 - v) + sum J^T p over the rows that may push it (their
/// equations 7 to 9, with v = (x - x_start) / h), in w~, in which the inertia is 1. Rows that don't push add no
/// stiffness.
/// Writes v and w~ of body order[i] (owner by colour), gathers in the order of its ends. One thread per body.
template <bool kRolling>
struct AvbdBody {
  StepConstants k;
  Bodies bodies;
  Rows rows;
  RowEnds ends;
  BodyEnds of_body;
  const std::uint32_t* order;  ///< [1] (bodies) by colour
  bool bounces;                ///< some material bounces

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t body = order[i];
    BodySolve& s = bodies.solve[body];
    const float mass = 1.0f / s.inv_mass;
    Block6 block(mass, 1.0f, mass * (bodies.v1[body] - s.v), bodies.w1[body] - s.w);
    for (std::uint32_t e = of_body.begin[body]; e < of_body.end[body]; ++e) {
      const std::uint32_t slot = ends.sorted[e] / 2;
      add(block, rows[slot / kRowLanes], slot % kRowLanes, ends.sorted[e] % 2 != 0);
    }
    Vec3 dv, dw;
    block.solve(dv, dw);
    s.v = s.v + dv;
    s.w = s.w + dw;
  }

 private:
  CAIRN_HD void add(Block6& block, const RowBlock& row, std::uint32_t lane, bool is_b) const {
    RowBody<float> a, b;
    RowDelta<float> delta_a, delta_b;
    gather_ends(bodies.solve, row, lane, a, b);
    gather_ends(bodies.solve, row, lane, delta_a, delta_b);
    const AvbdForce<float> f =
        avbd_force<kRolling>(k, row, lane, a, b, delta_a, delta_b, bounces ? bodies.v1 : nullptr, bodies.w1);

    const float side = is_b ? 1.0f : -1.0f;
    const Vec3 n = load3<float>(row.normal, lane), none{0, 0, 0};
    const RowArms<float> arms(row, lane);
    const RowArm<float>& arm = is_b ? arms.b : arms.a;
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (!(f.normal[j] > 0.0f)) continue;
      block.add(side * n, side * arm.normal(load2<float>(row.point[j].place, lane)), f.normal[j], f.normal_rate[j]);
    }
    const Slide<float> slide(row, lane, n, f.centre);
    block.add(side * slide.t0, side * (is_b ? slide.b0 : slide.a0), f.slide.x, f.slide_rate);
    block.add(side * slide.t1, side * (is_b ? slide.b1 : slide.a1), f.slide.y, f.slide_rate);
    block.add(none, side * arm.axes[2], f.twist, f.twist_rate);
    if constexpr (kRolling) {
      block.add(none, side * arm.axes[0], f.roll.x, f.roll_rate);
      block.add(none, side * arm.axes[1], f.roll.y, f.roll_rate);
    }
  }
};

/// The multipliers become the impulses of the rows at the velocities reached (their equations 11 and 12), and each end
/// stores the resulting change of its body. The bodies then move by their sum (EndGather, from v1 on): the sweeps push
/// the two ends of a row in turns and don't conserve momentum by themselves; of two balls that met head-on they made
/// half as much again. The error of the sweeps enters through each row of a body, so a multiplier makes the share
/// min(kAvbdRows / n, 1) of its change, n being the count of rows that may push its body with more of them. Without
/// that 400 boxes in one another flew apart at 8 km/s.
/// Writes the row's impulses and the pushes of its ends. One thread per row slot.
template <bool kRolling>
struct AvbdDual {
  StepConstants k;
  const BodySolve* solve;
  Rows rows;
  RowPush* push;        ///<       (ends)
  const float* shares;  ///< [1]   (bodies + 1) of kXpbdRelaxation
  const Vec3 *v1, *w1;  ///< [m/s] (bodies) of Bodies; null if nothing bounces

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    RowBody<T> a, b;
    RowDelta<T> delta_a, delta_b;
    gather_ends(solve, row, lane, a, b);
    gather_ends(solve, row, lane, delta_a, delta_b);
    const AvbdForce<T> f = avbd_force<kRolling>(k, row, lane, a, b, delta_a, delta_b, v1, w1);

    const std::uint32_t points = max_points<T>(&row.count[lane]);
    const Vec3T<T> none{T(0.0f), T(0.0f), T(0.0f)};
    a.v = a.w = b.v = b.w = none;
    const auto give = [&](T l, Vec3T<T> linear, Vec3T<T> j_a, Vec3T<T> j_b) {
      a.push(-l, linear, j_a);
      b.push(l, linear, j_b);
    };
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const T share = min(T(kAvbdRows / kXpbdRelaxation) * min_of<T>(shares, row, lane), T(1.0f));
    const auto take = [&](float* field, T wanted) {
      const T before = load<T>(field, lane);
      const T next = fma(share, wanted - before, before);
      store(field, lane, next);
      return next;
    };
    const RowArms<T> arms(row, lane);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      if (j >= points) break;
      RowBlock::Point& p = row.point[j];
      const Along<T> at = load2<T>(p.place, lane);
      give(take(p.impulse, f.normal[j]), n, arms.a.normal(at), arms.b.normal(at));
    }
    const Slide<T> slide(row, lane, n, f.centre);
    give(take(row.friction_impulse[0], f.slide.x), slide.t0, slide.a0, slide.b0);
    give(take(row.friction_impulse[1], f.slide.y), slide.t1, slide.a1, slide.b1);
    for (int t = 0; kRolling && t < 2; ++t) {
      give(take(row.rolling_impulse[t], t == 0 ? f.roll.x : f.roll.y), none, load3<T>(row.axes_a[t], lane),
           load3<T>(row.axes_b[t], lane));
    }
    give(take(row.twist_impulse, f.twist), none, load3<T>(row.axes_a[2], lane), load3<T>(row.axes_b[2], lane));
    put_push(push, slot, 0, a.v, a.w);
    put_push(push, slot, 1, b.v, b.w);
  }
};

}  // namespace cairn::kernels
