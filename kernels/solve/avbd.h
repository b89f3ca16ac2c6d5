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
    const AvbdForce<float> f = avbd_force<kRolling>(k, row, lane, a, b, delta_a, delta_b);

    const float side = is_b ? 1.0f : -1.0f;
    const auto angular = [&](const float(&of_a)[3][kRowLanes], const float(&of_b)[3][kRowLanes]) {
      return side * load3<float>(is_b ? of_b : of_a, lane);
    };
    const Vec3 n = load3<float>(row.normal, lane), t0 = load3<float>(row.tangent, lane), none{0, 0, 0};
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < 4; ++j) {
      if (!(f.normal[j] > 0.0f)) continue;
      block.add(side * n, angular(row.point[j].angular_a, row.point[j].angular_b), f.normal[j], f.normal_rate[j]);
    }
    block.add(side * t0, angular(row.friction_a[0], row.friction_b[0]), f.slide[0], f.slide_rate);
    block.add(side * cross(n, t0), angular(row.friction_a[1], row.friction_b[1]), f.slide[1], f.slide_rate);
    block.add(none, angular(row.twist_a, row.twist_b), f.twist, f.twist_rate);
    if constexpr (kRolling) {
      for (int t = 0; t < 2; ++t) {
        block.add(none, angular(row.rolling_a[t], row.rolling_b[t]), f.roll[t], f.roll_rate);
      }
    }
  }
};

/// The multipliers become the impulses that the rows give at the velocities reached (their equations 11 and 12), and
/// each end notes what they do to its body. The bodies then move by their sum (EndGather, from v1 on): the sweeps push
/// the two ends of a row in turns, and by themselves would keep no momentum; of two balls that met head-on they made
/// half as much again. Writes the row's impulses and the pushes of its ends. One thread per row slot.
template <bool kRolling>
struct AvbdDual {
  StepConstants k;
  const BodySolve* solve;
  Rows rows;
  RowPush* push;  ///<       (ends)

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    RowBody<T> a, b;
    RowDelta<T> delta_a, delta_b;
    gather_ends(solve, row, lane, a, b);
    gather_ends(solve, row, lane, delta_a, delta_b);
    const AvbdForce<T> f = avbd_force<kRolling>(k, row, lane, a, b, delta_a, delta_b);

    const std::uint32_t points = most_points(&row.count[lane], T{});
    const Vec3T<T> none{T(0.0f), T(0.0f), T(0.0f)};
    a.v = a.w = b.v = b.w = none;
    const auto give = [&](T l, Vec3T<T> linear, Vec3T<T> j_a, Vec3T<T> j_b) {
      a.push(-l, linear, j_a);
      b.push(l, linear, j_b);
    };
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane), t1 = cross(n, t0);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      if (j >= points) break;
      RowBlock::Point& p = row.point[j];
      store(p.impulse, lane, f.normal[j]);
      store(p.total, lane, load<T>(p.total, lane) + f.normal[j]);
      give(f.normal[j], n, load3<T>(p.angular_a, lane), load3<T>(p.angular_b, lane));
    }
    for (int t = 0; t < 2; ++t) {
      store(row.friction_impulse[t], lane, f.slide[t]);
      store(row.friction_total[t], lane, load<T>(row.friction_total[t], lane) + f.slide[t]);
      give(f.slide[t], t == 0 ? t0 : t1, load3<T>(row.friction_a[t], lane), load3<T>(row.friction_b[t], lane));
      if constexpr (kRolling) {
        store(row.rolling_impulse[t], lane, f.roll[t]);
        give(f.roll[t], none, load3<T>(row.rolling_a[t], lane), load3<T>(row.rolling_b[t], lane));
      }
    }
    store(row.twist_impulse, lane, f.twist);
    give(f.twist, none, load3<T>(row.twist_a, lane), load3<T>(row.twist_b, lane));
    put_push(push, slot, 0, a.v, a.w);
    put_push(push, slot, 1, b.v, b.w);
  }
};

}  // namespace cairn::kernels
