#pragma once
// Capsules against spheres, planes and each other. A capsule is a segment with a radius.

#include "kernels/collide/contact_points.h"
#include "kernels/collide/sphere.h"

namespace cairn::kernels {

struct CapsulePose {
  Vec3 x;        ///< [m] middle of the segment
  Vec3 axis;     ///< [1] unit
  float half;    ///< [m] half the segment's length
  float radius;  ///< [m]
};

/// A ball against a capsule. A ball centred on the segment is pushed out at right angles to it.
CAIRN_HD ContactPoints collide_ball_capsule(Vec3 xa, float ra, const CapsulePose& b, float margin) {
  const float t = clamp(dot(b.axis, xa - b.x), -b.half, b.half);
  return collide_balls(xa, ra, fma(t, b.axis, b.x), b.radius, tangent_of(b.axis), margin);
}

/// Capsule A against the plane through x with unit normal n: one point per end. Feature = end.
CAIRN_HD ContactPoints collide_capsule_plane(const CapsulePose& a, Vec3 x, Vec3 n, float margin) {
  ContactPoints out = no_contact();
  out.normal = -n;
  const Vec3 reach = a.half * a.axis;
  for (std::uint32_t end = 0; end < 2; ++end) {
    const Vec3 centre = end == 0 ? a.x - reach : a.x + reach;
    const float separation = dot(n, centre - x) - a.radius;
    if (separation <= margin) add_point(out, fma(-a.radius, n, centre), separation, end);
  }
  return out;
}

/// [1] Squared sine below which two capsules count as parallel and may touch along a line: 2 degrees.
inline constexpr float kParallelCapsuleSine2 = 1.2e-3f;

/// [1] Min overlap of parallel capsules that gets two points, as a share of the smaller radius.
inline constexpr float kMinOverlap = 1e-2f;

/// Two capsules: two points, at the ends of the overlap, if they lie side by side; else one at the closest points of
/// the segments. Segments that cross separate along the cross product of their axes, and parallel ones that coincide at
/// right angles to them. Feature = end of the overlap along A's axis.
CAIRN_HD ContactPoints collide_capsules(const CapsulePose& a, const CapsulePose& b, float margin) {
  const Vec3 d = b.x - a.x;
  const Vec3 across = cross(a.axis, b.axis);
  const float sine2 = dot(across, across), cosine = dot(a.axis, b.axis);
  const float along_a = dot(a.axis, d), along_b = dot(b.axis, d), reach = abs(cosine) * b.half;
  // where they lie side by side if they are parallel, along A from its middle
  const float low = max(-a.half, along_a - reach), high = min(a.half, along_a + reach);

  // closest points of the lines (for parallel lines any: the middle of the overlap), then clamped to the segments, one
  // after the other
  const float free_s = sine2 > 1e-6f ? fma(-cosine, along_b, along_a) / sine2 : 0.5f * (low + high);
  float s = clamp(free_s, -a.half, a.half);
  const float t = clamp(fma(cosine, s, -along_b), -b.half, b.half);
  s = clamp(fma(cosine, t, along_a), -a.half, a.half);
  const Vec3 pa = fma(s, a.axis, a.x);
  const Vec3 gap = fma(t, b.axis, b.x) - pa;

  // a distance within rounding error has no meaningful direction
  const float noise = 1e-6f * (a.half + b.half + a.radius + b.radius);
  const Vec3 fallback = normalized(across, tangent_of(a.axis));
  const Vec3 n = length(gap) > noise ? normalized(gap, fallback) : fallback;

  ContactPoints out = no_contact();
  out.normal = n;
  const float radii = a.radius + b.radius;
  if (sine2 < kParallelCapsuleSine2 && high - low > kMinOverlap * min(a.radius, b.radius)) {
    for (std::uint32_t end = 0; end < 2; ++end) {
      const float station = end == 0 ? low : high;
      // to B's axis, in the plane at right angles to A's
      const Vec3 to_b = fma((station - along_a) / cosine, b.axis, fma(-station, a.axis, d));
      const float separation = dot(n, to_b) - radii;
      if (separation <= margin) add_point(out, fma(a.radius, n, fma(station, a.axis, a.x)), separation, 1 + end);
    }
  } else {
    const float separation = dot(n, gap) - radii;
    if (separation <= margin) add_point(out, fma(a.radius, n, pa), separation, 0);
  }
  return out;
}

}  // namespace cairn::kernels
