#pragma once

#include "kernels/common/exact.h"
#include "kernels/common/state.h"
#include "kernels/predict/gyroscope.h"

namespace cairn::kernels {

/// exp(theta / 2) as a quaternion: the turn by the vector theta [rad].
CAIRN_HD Quat turn_by(Vec3 theta) {
  const float half = 0.5f * length(theta);
  float s, c;  // sin(half) / |theta|, cos(half)
  if (half < 0.05f) {
    // series to the float's precision: the next terms are under half^6 / 5040 = 3e-12
    const float u = half * half;
    s = 0.5f * fma(u, fma(u, 1.0f / 120.0f, -1.0f / 6.0f), 1.0f);
    c = fma(u, fma(u, 1.0f / 24.0f, -0.5f), 1.0f);
  } else {
    const SinCos sc = sincos(half);
    s = 0.5f * (sc.sin / half);
    c = sc.cos;
  }
  return {s * theta.x, s * theta.y, s * theta.z, c};
}

/// The orientation q after the turn t. In double, and kept in double from step to step: a body that lies still trembles
/// by less than float tells apart, along its contacts' constraints; if the shifts were kept and the turns that belong
/// to them were lost, it would walk (by 6 um/s, when orientations were floats). One Newton step for the root makes it
/// unit.
CAIRN_HD Quatd composed(Quat t, const Quatd& q) {
  const Quatd r = widen(t) * q;
  const double scale = fma(-0.5, fma(r.x, r.x, fma(r.y, r.y, fma(r.z, r.z, r.w * r.w))), 1.5);
  return {scale * r.x, scale * r.y, scale * r.z, scale * r.w};
}

/// Positions of a substep: dx += h v, dtheta~ += h w~, and the orientation q1 = exp(h w) q1, composed anew each substep
/// because summed angle vectors get the Dzhanibekov period wrong. Writes solve.dx, solve.dtheta, q1, w_body and w_seen
/// of body i. One thread per body slot.
struct Advance {
  StepConstants k;
  Bodies bodies;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i];
    const bool pushed = is_awake_free(flags);
    if (!pushed && !(is_kinematic(flags) && (flags & kBodyAlive) != 0)) return;
    BodySolve& s = bodies.solve[i];
    s.dx = fma(k.h, s.v, s.dx);
    s.dtheta = fma(k.h, s.w, s.dtheta);
    const Vec3 w = pushed ? bodies.inv_sqrt_inertia[i] * s.w : s.w;
    if (pushed && (flags & kBodyGyroscopic) != 0) {
      // what the solver changed so far, in the frame of this very orientation
      bodies.w_body[i] =
          with_change(bodies.w_body[i], narrow(bodies.q1[i]), bodies.inv_sqrt_inertia[i], s.w - bodies.w_seen[i]);
      bodies.w_seen[i] = s.w;
    }
    bodies.q1[i] = composed(turn_by(k.h * w), bodies.q1[i]);
  }
};

}  // namespace cairn::kernels
