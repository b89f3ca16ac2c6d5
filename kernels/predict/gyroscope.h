#pragma once

#include "kernels/common/vec.h"

// The tumbling of a body with different principal moments. Whether it flips when it spins about its middle axis depends
// on |L|^2 - 2 E I_2, a difference of a part in 10^6 of its terms, which float can't resolve. So the angular velocity
// of these bodies is kept in the principal frame, in double, and contacts add their changes. A body without contacts
// keeps energy and |L| to double rounding.

namespace cairn::kernels {

/// [rad] Max rotation in a substep at which the motion is still followed.
inline constexpr double kWildTurn = 1.0;
/// [1] Newton steps.
inline constexpr int kGyroscopeSteps = 3;
/// [1] Max growth of energy at which the direction of the result still has a meaning.
inline constexpr double kMaxGain = 1e12;

/// True for a body that turns too fast to be followed.
template <class D>
CAIRN_HD auto turns_wildly(Vec3T<D> w, double h) {
  return D(h) * length(w) > D(kWildTurn);
}

/// tan(x) / x for 0 <= x <= 1/2, within 1e-11: Lambert's continued fraction.
template <class D>
CAIRN_HD D tangent_over(D x) {
  const D u = x * x;
  return D(1.0) / (D(1.0) - u / (D(3.0) - u / (D(5.0) - u / (D(7.0) - u / D(9.0)))));
}

/// [1] Moments over the largest: the equation below is homogeneous in I, so no product leaves the range.
template <class D>
CAIRN_HD Vec3T<D> relative_moments(Vec3T<D> moments) {
  const D largest = max_component(moments);
  return {moments.x / largest, moments.y / largest, moments.z / largest};
}
/// A Newton step of that equation, from w1 to `next`. Returns the determinant of its Jacobian; if 0 or NaN, there is no
/// step.
template <class D>
CAIRN_HD D gyroscope_step(Vec3T<D> inertia, Vec3T<D> w0, D h, Vec3T<D> w1, Vec3T<D>& next) {
  const D g = D(0.5) * h;
  const Vec3T<D> m = D(0.5) * (w0 + w1);
  const Vec3T<D> l = mul(inertia, m);
  const Vec3T<D> f = fma(h, cross(m, l), mul(inertia, w1 - w0));
  // Jacobian I + h/2 ([m]x I - [I m]x), by rows
  const Vec3T<D> r0{inertia.x, g * (l.z - m.z * inertia.y), g * (m.y * inertia.z - l.y)};
  const Vec3T<D> r1{g * (m.z * inertia.x - l.z), inertia.y, g * (l.x - m.x * inertia.z)};
  const Vec3T<D> r2{g * (l.y - m.y * inertia.x), g * (m.x * inertia.y - l.x), inertia.z};
  // Cramer's rule: J^-1 f = (f . (r1 x r2) ...) through the cofactors
  const Vec3T<D> c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
  const D det = dot(r0, c0);
  next = w1 - (D(1.0) / det) * fma(f.x, c0, fma(f.y, c1, f.z * c2));
  return det;
}

/// Angular velocity after h of torque-free motion, in the principal frame: the implicit midpoint rule
///   I (w1 - w0) + h' wm x I wm = 0, wm = (w0 + w1) / 2, h' = tan(h |w0| / 2) / (|w0| / 2),
/// which keeps energy and |L| (both quadratic in w) up to the Newton tolerance. The body turns by h wm meanwhile. A
/// rotation by 2 atan(h' |wm| / 2) would keep the direction of L, too (Austin, Krishnaprasad and Wang 1993, with h' =
/// h). With this h' it equals that to fourth order, and a spin about a principal axis turns by the exact angle. Three
/// Newton steps from w0 leave less than rounding for h |w| < 0.1. Beyond kWildTurn they lead anywhere, and any gain in
/// energy is removed. `moments` [kg m^2] are principal.
CAIRN_HD Vec3d gyroscope(Vec3 moments, Vec3d w0, double h) {
  const Vec3d inertia = relative_moments(widen(moments));
  Vec3d w1 = w0;
  const bool wild = turns_wildly(w0, h);
  h *= tangent_over(wild ? 0.5 * kWildTurn : 0.5 * h * length(w0));
  for (int i = 0; i < kGyroscopeSteps; ++i) {
    Vec3d next;
    const double det = gyroscope_step(inertia, w0, h, w1, next);
    if (!(det > 0.0) && !(det < 0.0)) return w1;
    w1 = next;
  }
  if (wild) {
    const double before = dot(mul(inertia, w0), w0), after = dot(mul(inertia, w1), w1);
    if (!(after <= before)) return after < kMaxGain * before ? sqrt(before / after) * w1 : w0;
  }
  return w1;
}

/// v rotated by the quaternion (x, y, z, side w), made unit: side is 1 from the principal frame to the world, -1 back.
template <class F, class D>
CAIRN_HD Vec3T<D> turned(const QuatT<F>& q, Vec3T<D> v, double side) {
  const QuatT<D> in_double = widen(q);
  const Vec3T<D> u = vector_of(in_double);
  const D w = in_double.w;
  const Vec3T<D> t = (D(2.0) / fma(w, w, dot(u, u))) * cross(u, v);
  return fma(D(side) * w, t, v + cross(u, t));
}
CAIRN_HD Vec3d to_principal(Quat q, Vec3 w) { return turned(q, widen(w), -1.0); }
template <class F, class D>
CAIRN_HD Vec3T<F> to_world(const QuatT<F>& q, Vec3T<D> w) {
  return narrow(turned(q, w, 1.0));
}

/// Angular velocity in the principal frame after the solver has changed w~ by `change`.
template <class F, class D>
CAIRN_HD Vec3T<D> with_change(Vec3T<D> w_body, const QuatT<F>& q, const Sym3T<F>& inv_sqrt_inertia, Vec3T<F> change) {
  return w_body + widen(rotate_inverse(q, inv_sqrt_inertia * change));
}

}  // namespace cairn::kernels
