#pragma once

#include "kernels/collide/convex.h"

namespace cairn::kernels {

/// A box that moves along a line, with all within `near` of it: the region where a query may find something.
struct Sweep {
  Vec3d lower, upper;  ///< [m] at the start
  Vec3d d;             ///< [1] direction; 0 without motion
  double limit;        ///< [m] length of the motion
  double near;         ///< [m]
};

/// [m] Motion until the sweep first meets a box, or its distance from it; -1 if it doesn't meet it. At most the result
/// of the narrow tests in the box, for any rounding of both.
CAIRN_HD double enters(const Sweep& s, Vec3d lower, Vec3d upper) {
  double in = 0.0, out = s.limit, apart2 = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double d = i == 0 ? s.d.x : (i == 1 ? s.d.y : s.d.z);
    // from where its upper side meets the box's lower one to where its lower side leaves the upper one
    const double to = (i == 0 ? lower.x - s.upper.x : (i == 1 ? lower.y - s.upper.y : lower.z - s.upper.z)) - s.near;
    const double past = (i == 0 ? upper.x - s.lower.x : (i == 1 ? upper.y - s.lower.y : upper.z - s.lower.z)) + s.near;
    if (d == 0.0) {
      if (to > 0.0 || past < 0.0) return -1.0;
    } else {
      const double a = to / d, b = past / d;
      in = max(in, min(a, b));
      out = min(out, max(a, b));
    }
    const double gap = max(max(to + s.near, s.near - past), 0.0);
    apart2 = fma(gap, gap, apart2);
  }
  // a share of the motion for rounding
  in -= 1e-12 * (in + 1e-3);
  if (in > out) return -1.0;
  if (s.near == 0.0) return max(in, 0.0);
  const double apart = sqrt(apart2);
  return apart <= s.near ? (1.0 - 1e-12) * apart : -1.0;
}

/// Sweep of a convex shape, in a frame with origin x and axes r. Grown by its rounding error.
CAIRN_HD Sweep sweep_of(const Convex& a, Vec3d x, const Mat3d& r, Vec3d d, double limit, double near) {
  const double slack = a.round + 1e-6 * a.reach + 1e-12 * length(a.x - x);
  const auto side = [&](Vec3d axis) { return dot(axis, support(a, axis) - x) + slack; };
  return {{-side(-r.x), -side(-r.y), -side(-r.z)}, {side(r.x), side(r.y), side(r.z)}, transpose_mul(r, d), limit, near};
}

}  // namespace cairn::kernels
