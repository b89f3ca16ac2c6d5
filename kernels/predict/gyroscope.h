#pragma once

#include "kernels/common/vec.h"

// The tumbling of a body whose principal moments differ. The flip of one that spins about its middle axis depends on
// |L|^2 - 2 E I_2, a difference of a part in 10^6 of its terms: in float it drowns. So the angular velocity of these
// bodies is kept in the principal frame, in double, and contacts add what they change; a body that nothing touches
// keeps energy and |L| to double rounding.

namespace cairn::kernels {

/// [rad] A turn in a substep past which the motion is no longer followed.
inline constexpr double kWildTurn = 1.0;
/// [1] By which energy may grow and the direction of what grew still means something.
inline constexpr double kMaxGain = 1e12;

/// True of what turns too fast to be followed.
CAIRN_HD bool turns_wildly(Vec3d w, double h) { return h * length(w) > kWildTurn; }

/// tan(x) / x for 0 <= x <= 1/2, within 1e-11: Lambert's continued fraction.
CAIRN_HD double tangent_over(double x) {
  const double u = x * x;
  return 1.0 / (1.0 - u / (3.0 - u / (5.0 - u / (7.0 - u / 9.0))));
}

/// Angular velocity after h of torque-free motion, in the principal frame: the implicit midpoint rule
///   I (w1 - w0) + h' wm x I wm = 0,  wm = (w0 + w1) / 2,  h' = tan(h |w0| / 2) / (|w0| / 2),
/// which keeps energy and |L| (both quadratic in w) up to the Newton tolerance. The body turns by h wm meanwhile. A
/// turn by 2 atan(h' |wm| / 2) would keep the direction of L, too (Austin, Krishnaprasad and Wang 1993, with h' = h);
/// with this h' it is that to fourth order, and a spin about a principal axis turns by what it should. Three Newton
/// steps from w0 leave less than rounding for h |w| < 0.1. Past kWildTurn they lead anywhere, and what they gain in
/// energy is taken back. `moments` [kg m^2] are principal.
CAIRN_HD Vec3d gyroscope(Vec3 moments, Vec3d w0, double h) {
  // the equation is homogeneous in I: with the largest moment 1, no product leaves the range
  const double largest = max_component(moments);
  const Vec3d inertia{moments.x / largest, moments.y / largest, moments.z / largest};
  Vec3d w1 = w0;
  const bool wild = turns_wildly(w0, h);
  h *= tangent_over(wild ? 0.5 * kWildTurn : 0.5 * h * length(w0));
  const double g = 0.5 * h;
  for (int iteration = 0; iteration < 3; ++iteration) {
    const Vec3d m = 0.5 * (w0 + w1);
    const Vec3d l = mul(inertia, m);
    const Vec3d f = fma(h, cross(m, l), mul(inertia, w1 - w0));
    // Jacobian I + h/2 ([m]x I - [I m]x), by rows
    const Vec3d r0{inertia.x, g * (l.z - m.z * inertia.y), g * (m.y * inertia.z - l.y)};
    const Vec3d r1{g * (m.z * inertia.x - l.z), inertia.y, g * (l.x - m.x * inertia.z)};
    const Vec3d r2{g * (l.y - m.y * inertia.x), g * (m.x * inertia.y - l.x), inertia.z};
    // Cramer's rule: J^-1 f = (f . (r1 x r2) ...) through the cofactors
    const Vec3d c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const double det = dot(r0, c0);
    if (!(det > 0.0) && !(det < 0.0)) return w1;
    w1 = w1 - (1.0 / det) * fma(f.x, c0, fma(f.y, c1, f.z * c2));
  }
  if (wild) {
    const double before = dot(mul(inertia, w0), w0), after = dot(mul(inertia, w1), w1);
    if (!(after <= before)) return after < kMaxGain * before ? sqrt(before / after) * w1 : w0;
  }
  return w1;
}

/// v turned by the quaternion (x, y, z, side w), made unit: side is 1 from the principal frame to the world, -1 back.
CAIRN_HD Vec3d turned(Quat q, Vec3d v, double side) {
  const Vec3d u{q.x, q.y, q.z};
  const double w = q.w;
  const Vec3d t = (2.0 / fma(w, w, dot(u, u))) * cross(u, v);
  return fma(side * w, t, v + cross(u, t));
}
CAIRN_HD Vec3d to_principal(Quat q, Vec3 w) { return turned(q, widen(w), -1.0); }
CAIRN_HD Vec3 to_world(Quat q, Vec3d w) { return narrow(turned(q, w, 1.0)); }

/// Angular velocity in the principal frame after the solver has changed w~ by `change`.
CAIRN_HD Vec3d with_change(Vec3d w_body, Quat q, const Sym3& inv_sqrt_inertia, Vec3 change) {
  return w_body + widen(rotate_inverse(q, inv_sqrt_inertia * change));
}

}  // namespace cairn::kernels
