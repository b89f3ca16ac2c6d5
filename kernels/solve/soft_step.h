#pragma once

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// A vector along the tangents, shortened to `bound`.
template <class T>
CAIRN_HD void clamp_length(T& x, T& y, T bound) {
  const T length2 = fma(x, x, y * y);
  const T scale = select(length2 > bound * bound, bound / sqrt(max(length2, T(1e-30f))), T(1.0f));
  x = x * scale;
  y = y * scale;
}

/// One pass over a row: friction, then the normal points one after the other (plain Gauss-Seidel; over-relaxation and Jacobi inside a
/// manifold both explode with a warm start).
/// Normal: s = s0 + n . (dx_b - dx_a) + j_b . dtheta~_b - j_a . dtheta~_a; bias s / h while apart (speculative), else, with `bias` on, the
/// soft constraint max(mass_scale * bias_rate * s, -push_out_speed): dl = -m (mass_scale vn + b) - impulse_scale l, l >= 0.
/// Friction: 2x2 block, |f| <= mu sum l; twist |t| <= mu sum lever l; rolling |r| <= reach sum l. (Soft constraints: Catto 2011;
/// soft step with relaxation: Catto 2024, solver2d.)
/// Writes the row's impulses, and v and w~ of its bodies (owner by colour). One thread per row slot.
template <bool kBias, bool kRolling>
struct SolveRow {
  StepConstants k;
  BodySolve* solve;
  RowBlock* rows;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    const std::uint32_t points = most_points(&row.count[lane], T{});
    RowBody<T> a, b;
    RowDelta<T> delta_a, delta_b;
    gather(solve, &row.body_a[lane], a);
    gather(solve, &row.body_b[lane], b);
    gather(solve, &row.body_a[lane], delta_a);
    gather(solve, &row.body_b[lane], delta_b);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const Vec3T<T> apart = delta_b.dx - delta_a.dx;

    T sum(0.0f), lever_sum(0.0f);
    for (std::uint32_t j = 0; j < points; ++j) {
      const T impulse = load<T>(row.point[j].impulse, lane);
      sum = sum + impulse;
      lever_sum = fma(load<T>(row.point[j].lever, lane), impulse, lever_sum);
    }
    const T mu = load<T>(row.mu, lane);
    if constexpr (kRolling) roll<T>(row, lane, a, b, load<T>(row.rolling_reach, lane) * sum);
    twist<T>(row, lane, a, b, mu * lever_sum);
    slide<T>(row, lane, n, a, b, mu * sum);

    for (std::uint32_t j = 0; j < points; ++j) {
      RowBlock::Point& p = row.point[j];
      const Vec3T<T> j_a = load3<T>(p.angular_a, lane), j_b = load3<T>(p.angular_b, lane);
      const T s = dot(n, apart, dot(j_b, delta_b.dtheta, load<T>(p.separation, lane))) - dot(j_a, delta_a.dtheta);
      const T vn = dot(n, b.v - a.v, dot(j_b, b.w)) - dot(j_a, a.w);
      const T l = load<T>(p.impulse, lane);
      const auto open = s > T(0.0f);
      T dl;
      if constexpr (kBias) {
        const T push = max(T(k.mass_scale * k.bias_rate) * s, T(-k.push_out_speed));
        const T bias = select(open, s * T(k.inv_h), push);
        const T scale = select(open, T(1.0f), T(k.mass_scale));
        const T leak = select(open, T(0.0f), T(k.impulse_scale));
        dl = -(load<T>(p.mass, lane) * fma(scale, vn, bias)) - leak * l;
      } else {
        dl = -(load<T>(p.mass, lane) * (vn + select(open, s * T(k.inv_h), T(0.0f))));
      }
      const T next = max(l + dl, T(0.0f));
      dl = next - l;
      store(p.impulse, lane, next);
      if constexpr (!kBias) store(p.total, lane, load<T>(p.total, lane) + next);
      a.push(-dl, n, j_a);
      b.push(dl, n, j_b);
    }
    scatter(solve, &row.body_a[lane], a);
    scatter(solve, &row.body_b[lane], b);
  }

 private:
  template <class T>
  CAIRN_HD void slide(RowBlock& row, std::uint32_t lane, Vec3T<T> n, RowBody<T>& a, RowBody<T>& b, T bound) const {
    const Vec3T<T> t0 = load3<T>(row.tangent, lane), t1 = cross(n, t0);
    const Vec3T<T> a0 = load3<T>(row.friction_a[0], lane), a1 = load3<T>(row.friction_a[1], lane);
    const Vec3T<T> b0 = load3<T>(row.friction_b[0], lane), b1 = load3<T>(row.friction_b[1], lane);
    const Vec3T<T> v = b.v - a.v;
    const T v0 = dot(t0, v, dot(b0, b.w)) - dot(a0, a.w);
    const T v1 = dot(t1, v, dot(b1, b.w)) - dot(a1, a.w);
    const T l0 = load<T>(row.friction_impulse[0], lane), l1 = load<T>(row.friction_impulse[1], lane);
    const T m00 = load<T>(row.friction_mass[0], lane), m01 = load<T>(row.friction_mass[1], lane);
    const T m11 = load<T>(row.friction_mass[2], lane);
    T f0 = l0 - fma(m00, v0, m01 * v1);
    T f1 = l1 - fma(m01, v0, m11 * v1);
    clamp_length(f0, f1, bound);
    store(row.friction_impulse[0], lane, f0);
    store(row.friction_impulse[1], lane, f1);
    if constexpr (!kBias) {
      store(row.friction_total[0], lane, load<T>(row.friction_total[0], lane) + f0);
      store(row.friction_total[1], lane, load<T>(row.friction_total[1], lane) + f1);
    }
    const T d0 = f0 - l0, d1 = f1 - l1;
    a.push(-d0, t0, a0);
    a.push(-d1, t1, a1);
    b.push(d0, t0, b0);
    b.push(d1, t1, b1);
  }

  template <class T>
  CAIRN_HD void twist(RowBlock& row, std::uint32_t lane, RowBody<T>& a, RowBody<T>& b, T bound) const {
    const Vec3T<T> j_a = load3<T>(row.twist_a, lane), j_b = load3<T>(row.twist_b, lane);
    const T l = load<T>(row.twist_impulse, lane);
    const T free = l - load<T>(row.twist_mass, lane) * (dot(j_b, b.w) - dot(j_a, a.w));
    const T next = clamp(free, -bound, bound);
    store(row.twist_impulse, lane, next);
    turn(a, l - next, j_a);
    turn(b, next - l, j_b);
  }

  template <class T>
  CAIRN_HD void roll(RowBlock& row, std::uint32_t lane, RowBody<T>& a, RowBody<T>& b, T bound) const {
    const Vec3T<T> a0 = load3<T>(row.rolling_a[0], lane), a1 = load3<T>(row.rolling_a[1], lane);
    const Vec3T<T> b0 = load3<T>(row.rolling_b[0], lane), b1 = load3<T>(row.rolling_b[1], lane);
    const T w0 = dot(b0, b.w) - dot(a0, a.w), w1 = dot(b1, b.w) - dot(a1, a.w);
    const T l0 = load<T>(row.rolling_impulse[0], lane), l1 = load<T>(row.rolling_impulse[1], lane);
    const T m01 = load<T>(row.rolling_mass[1], lane);
    T r0 = l0 - fma(load<T>(row.rolling_mass[0], lane), w0, m01 * w1);
    T r1 = l1 - fma(m01, w0, load<T>(row.rolling_mass[2], lane) * w1);
    clamp_length(r0, r1, bound);
    store(row.rolling_impulse[0], lane, r0);
    store(row.rolling_impulse[1], lane, r1);
    turn(a, l0 - r0, a0);
    turn(a, l1 - r1, a1);
    turn(b, r0 - l0, b0);
    turn(b, r1 - l1, b1);
  }

  template <class T>
  CAIRN_HD static void turn(RowBody<T>& body, T l, Vec3T<T> angular) {
    body.w = fma(l * body.turnable, angular, body.w);
  }
};

/// Gives the bodies the impulses that the rows start the step with. Writes v and w~ of the row's bodies (owner by colour).
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
    gather(solve, &row.body_a[lane], a);
    gather(solve, &row.body_b[lane], b);
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane);
    push(a, b, load<T>(row.friction_impulse[0], lane), t0, load3<T>(row.friction_a[0], lane), load3<T>(row.friction_b[0], lane));
    push(a, b, load<T>(row.friction_impulse[1], lane), cross(n, t0), load3<T>(row.friction_a[1], lane),
         load3<T>(row.friction_b[1], lane));
    const Vec3T<T> none{T(0.0f), T(0.0f), T(0.0f)};
    push(a, b, load<T>(row.twist_impulse, lane), none, load3<T>(row.twist_a, lane), load3<T>(row.twist_b, lane));
    if constexpr (kRolling) {
      for (int t = 0; t < 2; ++t) {
        push(a, b, load<T>(row.rolling_impulse[t], lane), none, load3<T>(row.rolling_a[t], lane), load3<T>(row.rolling_b[t], lane));
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
