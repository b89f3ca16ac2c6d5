#pragma once
// Capsules against spheres, planes and each other. A capsule is a segment with a radius.

#include "kernels/collide/contact_points.h"
#include "kernels/collide/round.h"

namespace cairn::kernels {

struct CapsulePose {
  Vec3 x;      ///< [m] middle of the segment
  Vec3 axis;   ///< [1] unit
  float half;  ///< [m] half the segment's length
  float radius;
};

/// A ball against a capsule. A ball centred on the segment leaves at right angles to it.
CAIRN_HD ContactPoints collide_ball_capsule(Vec3 xa, float ra, const CapsulePose& b, float margin) {
  const float t = clamp(dot(b.axis, xa - b.x), -b.half, b.half);
  return collide_balls(xa, ra, fma(t, b.axis, b.x), b.radius, tangent_of(b.axis), margin);
}

/// Capsule A against the plane through x with unit normal n: one point an end. Feature = end.
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

/// [1] Squared sine under which two capsules count as parallel and may touch along a line: 2 degrees.
inline constexpr float kParallelCapsuleSine2 = 1.2e-3f;

/// [1] Of the smaller radius: shortest overlap of parallel capsules that gets two points.
inline constexpr float kLeastOverlap = 1e-2f;

/// Two points of parallel capsules, at the ends (on A's axis) of the stretch where they lie side by side; none if that is too short.
/// Capsules whose axes coincide part at right angles to them. Feature = end, by A's axis.
CAIRN_HD ContactPoints collide_side_by_side(const CapsulePose& a, const CapsulePose& b, float margin) {
  const Vec3 d = b.x - a.x;
  const float cosine = dot(a.axis, b.axis), middle = dot(a.axis, d), reach = abs(cosine) * b.half;
  const float low = max(-a.half, middle - reach), high = min(a.half, middle + reach);
  ContactPoints out = no_contact();
  if (!(high - low > kLeastOverlap * min(a.radius, b.radius))) return out;

  // B's axis over a station t of A's: x_b + axis_b (t - middle) / cosine
  const float centre = 0.5f * (low + high);
  const Vec3 across = fma((centre - middle) / cosine, b.axis, fma(-centre, a.axis, d));
  const Vec3 fallback = tangent_of(a.axis);
  out.normal = normalized(fma(-dot(a.axis, across), a.axis, across), fallback);
  for (std::uint32_t end = 0; end < 2; ++end) {
    const float t = end == 0 ? low : high;
    const Vec3 gap = fma((t - middle) / cosine, b.axis, fma(-t, a.axis, d));
    const float separation = dot(out.normal, gap) - a.radius - b.radius;
    if (separation <= margin) add_point(out, fma(a.radius, out.normal, fma(t, a.axis, a.x)), separation, 1 + end);
  }
  return out;
}

/// Two capsules: two points when they lie side by side, else one at the closest points of the segments. Segments that cross part
/// along the cross product of their axes.
CAIRN_HD ContactPoints collide_capsules(const CapsulePose& a, const CapsulePose& b, float margin) {
  const Vec3 d = b.x - a.x;
  const Vec3 across = cross(a.axis, b.axis);
  const float sine2 = dot(across, across), cosine = dot(a.axis, b.axis);
  if (sine2 < kParallelCapsuleSine2) {
    const ContactPoints out = collide_side_by_side(a, b, margin);
    if (out.count == 2) return out;
  }

  // closest points of the lines, then kept on the segments, one after the other
  const float along_a = dot(a.axis, d), along_b = dot(b.axis, d);
  float s = sine2 > 1e-6f ? clamp(fma(-cosine, along_b, along_a) / sine2, -a.half, a.half) : 0.0f;
  const float t = clamp(fma(cosine, s, -along_b), -b.half, b.half);
  s = clamp(fma(cosine, t, along_a), -a.half, a.half);
  const Vec3 fallback = normalized(across, tangent_of(a.axis));
  // where rounding is all that is left of the distance, its direction means nothing
  const Vec3 pa = fma(s, a.axis, a.x), pb = fma(t, b.axis, b.x);
  const Vec3 gap = pb - pa;
  const float noise = 1e-6f * (a.half + b.half + a.radius + b.radius);
  const Vec3 n = length(gap) > noise ? normalized(gap, fallback) : fallback;
  const float separation = dot(n, gap) - a.radius - b.radius;
  return separation <= margin ? one_contact(n, fma(a.radius, n, pa), separation) : no_contact();
}

}  // namespace cairn::kernels
