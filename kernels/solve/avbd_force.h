#pragma once

#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// [1] Penalty of contacts, in effective masses over h^2; the minimum in AVBD is 1. The paper lets penalties grow from
/// there with the overlap, with ten and more sweeps per step. With two sweeps per substep, 4 is already too much, and
/// walls shake.
inline constexpr float kAvbdPenalty = 2.0f;
/// [1] The same for friction; with 2, tall towers creep.
inline constexpr float kAvbdFrictionPenalty = 1.0f;
/// [1] Sweeps over the bodies of a substep: with one, walls are never still, and 100:1 on 5 boxes falls.
inline constexpr int kAvbdSweeps = 2;
/// [1] Rows of a body up to which multipliers change without a reduction. Equal balls have at most 12 neighbours (the
/// kissing number), and bodies packed without overlap hardly more.
inline constexpr float kAvbdRows = 12.0f;

/// The impulses [N s, N s m] of a row at given velocities of its bodies, and their stiffness against these velocities
/// [kg, kg m^2].
template <class T>
struct AvbdForce {
  T normal[4];       ///< [N s]
  T normal_rate[4];  ///< [kg]
  Along<T> centre;   ///< [m]   of the normal impulses: friction acts there
  Along<T> slide;    ///< [N s]
  T slide_rate;      ///< [kg]
  T twist;           ///< [N s m]
  T twist_rate;      ///< [kg m^2]
  Along<T> roll;     ///< [N s m]
  T roll_rate;       ///< [kg m^2]
};

/// A pair of impulses l - rho u, shortened to `bound`. Its stiffness is that of the chord, in proportion to the length.
template <class T>
CAIRN_HD Along<T> bounded_pair(Along<T> l, Along<T> u, T rho, T bound, T& rate) {
  const Along<T> free = l - rho * u, next = shortened(free, bound);
  rate = rho * sqrt(dot(next, next) / max(dot(free, free), T(1e-30f)));
  return next;
}

/// Replaces a body's motion by the start of the substep's impulses; a body that nothing may push keeps its own.
template <class T>
CAIRN_HD void start_of(const Vec3* v1, const Vec3* w1, const std::uint32_t* body, RowBody<T>& to) {
  Vec3T<T> v, w;
  gather(v1, body, to.movable, v);
  gather(w1, body, to.movable, w);
  const auto pushed = to.movable > T(0.0f);
  to.v = select(pushed, v, to.v);
  to.w = select(pushed, w, to.w);
}

/// Impulses of row `lane` at the velocities of a and b: the clamped augmented Lagrangian force (Giles, Diaz, Yuksel
/// 2025, sections 3.1 and 3.2) over a substep, where the displacement of the substep is h v, a multiplier times h an
/// impulse, and a penalty times h^2 a mass rho. Normal: p = (l - rho (vn + b)) / (1 + rho gamma), at least 0, with b =
/// s / h while apart and else the soft contact of soft step, b = max(rate s, -max_depenetration_speed), gamma = leak /
/// (scale m): a multiplier of a stiff contact keeps the impulse of an earlier depenetration, and shakes towers.
/// Bouncing points that separate at the start of the substep (at v1; null if nothing bounces) have no impulse. Friction
/// |p| <= mu sum p_n, a true cone; twist |p| <= mu sum lever p_n; rolling |p| <= reach sum p_n.
template <bool kRolling, class T>
CAIRN_HD AvbdForce<T> avbd_force(const StepConstants& k, const RowBlock& row, std::uint32_t lane, const RowBody<T>& a,
                                 const RowBody<T>& b, const RowDelta<T>& delta_a, const RowDelta<T>& delta_b,
                                 const Vec3* v1, const Vec3* w1) {
  AvbdForce<T> f;
  RowBody<T> start_a = a, start_b = b;
  if (v1 != nullptr) {
    start_of(v1, w1, &row.body_a[lane], start_a);
    start_of(v1, w1, &row.body_b[lane], start_b);
  }
  const std::uint32_t points = max_points<T>(&row.count[lane]);
  const Vec3T<T> n = load3<T>(row.normal, lane);
  const T softness(1.0f / (1.0f + kAvbdPenalty * (k.contact.impulse_scale / k.contact.mass_scale)));
  const RowArms<T> arms(row, lane);
  const NormalMotion<T> moved = arms.moved(n, delta_a, delta_b), speed = arms.speed(n, a, b);
  NormalMotion<T> start;
  if (v1 != nullptr) start = arms.speed(n, start_a, start_b);
  Load<T> before, now;
  CAIRN_UNROLL
  for (std::uint32_t j = 0; j < 4; ++j) {
    f.normal[j] = f.normal_rate[j] = T(0.0f);
    if (j >= points) continue;
    const RowBlock::Point& p = row.point[j];
    const Along<T> at = load2<T>(p.place, lane);
    const T s = load<T>(p.separation, lane) + moved.at(at);
    const T vn = speed.at(at);
    const auto open = s > T(0.0f);
    const T bias = select(open, s * T(k.inv_h), max(T(k.contact.bias_rate) * s, T(-k.max_depenetration_speed)));
    const T soft = select(open, T(1.0f), softness);
    const T rho = soft * (T(kAvbdPenalty) * load<T>(p.mass, lane));
    const T l0 = load<T>(p.impulse, lane);
    T l = soft * l0 - rho * (vn + bias);
    if (v1 != nullptr) {
      const T first = start.at(at);
      l = select(leave_to_impacts<false>(row, lane, first), T(0.0f), l);
    }
    f.normal[j] = max(l, T(0.0f));
    f.normal_rate[j] = select(l > T(0.0f), rho, T(0.0f));
    before.add(p, lane, l0);
    now.add(p, lane, f.normal[j]);
  }
  const Along<T> from = before.centre();
  f.centre = now.centre(from);
  T lever_sum(0.0f);
  CAIRN_UNROLL
  for (std::uint32_t j = 0; j < 4; ++j) {
    if (j < points) lever_sum = fma(lever(row, j, lane, f.centre), f.normal[j], lever_sum);
  }

  const T mu = load<T>(row.mu, lane), penalty(kAvbdFrictionPenalty);
  const Along<T> slid = load2<T>(row.friction_impulse, lane);
  const Slide<T> slide(row, lane, n, f.centre);
  f.slide = bounded_pair(slid, slide.speed(row, lane, a, b, k.belts), penalty * slide.mass(row, lane).harmonic_mean(),
                         mu * now.sum, f.slide_rate);

  const T turn = rotation(row.axes_a[2], row.axes_b[2], lane, a.w, b.w);
  const T rho = penalty * twist_mass<T>(row, lane);
  const T free = load<T>(row.twist_impulse, lane) + turn_of_shift(from, f.centre, slid) - rho * turn;
  f.twist = clamp(free, -(mu * lever_sum), mu * lever_sum);
  f.twist_rate = rho * ((f.twist * free) / max(free * free, T(1e-30f)));

  f.roll.x = f.roll.y = f.roll_rate = T(0.0f);
  if constexpr (kRolling) {
    const Along<T> u{rotation(row.axes_a[0], row.axes_b[0], lane, a.w, b.w),
                     rotation(row.axes_a[1], row.axes_b[1], lane, a.w, b.w)};
    f.roll = bounded_pair(load2<T>(row.rolling_impulse, lane), u, penalty * rolling_mass<T>(row, lane).harmonic_mean(),
                          load<T>(row.rolling_reach, lane) * now.sum, f.roll_rate);
  }
  return f;
}

}  // namespace cairn::kernels
