#pragma once

#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Angular velocity after h of torque-free motion, in the principal frame: the implicit midpoint rule
///   I (w1 - w0) + h wm x I wm = 0,  wm = (w0 + w1) / 2,
/// which keeps energy and |L| (both quadratic in w) up to the Newton tolerance. Three Newton steps from w0 leave less than rounding for
/// h |w| < 0.5. `moments` [kg m^2] are principal.
CAIRN_HD Vec3 gyroscope(Vec3 moments, Vec3 w0, float h) {
  // the equation is homogeneous in I: with the largest moment 1, no product leaves the float's range
  const float largest = max_component(moments);
  const Vec3 inertia{moments.x / largest, moments.y / largest, moments.z / largest};
  Vec3 w1 = w0;
  const float g = 0.5f * h;
  for (int iteration = 0; iteration < 3; ++iteration) {
    const Vec3 m = 0.5f * (w0 + w1);
    const Vec3 l = mul(inertia, m);
    const Vec3 f = fma(h, cross(m, l), mul(inertia, w1 - w0));
    // Jacobian I + h/2 ([m]x I - [I m]x), by rows
    const Vec3 r0{inertia.x, g * (l.z - m.z * inertia.y), g * (m.y * inertia.z - l.y)};
    const Vec3 r1{g * (m.z * inertia.x - l.z), inertia.y, g * (l.x - m.x * inertia.z)};
    const Vec3 r2{g * (l.y - m.y * inertia.x), g * (m.x * inertia.y - l.x), inertia.z};
    // Cramer's rule: J^-1 f = (f . (r1 x r2) ...) through the cofactors
    const Vec3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const float det = dot(r0, c0);
    if (!(abs(det) > 0.0f)) return w1;
    const Vec3 step = fma(f.x, c0, fma(f.y, c1, f.z * c2));
    w1 = w1 - (1.0f / det) * step;
  }
  return w1;
}

}  // namespace cairn::kernels
