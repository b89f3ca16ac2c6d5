#pragma once
// A capsule against a box, in the box's frame: by closest points while the segment is outside of the box, by separating
// axes inside.

#include "kernels/collide/capsule_box_clip.h"

namespace cairn::kernels {

/// [1] Squared sine below which a capsule lies along an edge of a box: 0.6 degrees. An end's point is then off the edge
/// by 1 % of the capsule's length at most.
inline constexpr float kAlongEdgeSine2 = 1e-4f;

/// The segment runs through the box. Takes the axis of min overlap, of the 3 face normals and the 3 cross products of
/// the segment with the edges; faces are preferred. Ties: x before y before z; a middle in the plane of symmetry leaves
/// to the positive side.
CAIRN_HD ContactPoints collide_through(const CapsulePose& a, const BoxPose& box, const SegmentInBox& g, float t,
                                       float margin) {
  const Vec3 by_face = abs(g.c) - box.h - g.half * abs(g.u);
  const int k = static_cast<int>(largest_of(by_face));
  float best = component(by_face, k) + kAxisTolerance * min_component(box.h);
  int edge = -1;
  Vec3 n;
  for (int j = 0; j < 3; ++j) {
    const Vec3 across = cross(axis_of(j), g.u);
    const float sine2 = dot(across, across);
    if (!(sine2 > kParallelSine2)) continue;
    const Vec3 m = (sign_of(dot(across, g.c)) / sqrt(sine2)) * across;
    const float separation = dot(m, g.c) - dot(abs(m), box.h);
    if (separation > best) best = separation, edge = j, n = m;
  }
  if (edge >= 0) {
    // the point of the segment closest to the box's edge along axis j, on that side
    const Vec3 corner{sign_of(n.x) * box.h.x, sign_of(n.y) * box.h.y, sign_of(n.z) * box.h.z};
    const Vec3 off = g.c - corner;
    const Vec3 flat = g.u - component(g.u, edge) * axis_of(edge);
    const float s = clamp(-dot(flat, off) / dot(flat, flat), -g.half, g.half);
    return touch_along(a, box, g, n, dot(n, corner), s, s, static_cast<std::uint32_t>(16 + edge) << 4, margin);
  }

  n = sign_of(component(g.c, k)) * axis_of(k);
  float low = -g.half, high = g.half;
  const int k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
  keep_over(g, component(box.h, k1), k1, low, high);
  keep_over(g, component(box.h, k2), k2, low, high);
  if (!(low <= high)) low = high = t;
  const std::uint32_t face = static_cast<std::uint32_t>(2 * k) | sign_bit(component(g.c, k));
  return touch_along(a, box, g, n, component(box.h, k), low, high, (1u + face) << 4, margin);
}

/// Capsule A against a box; the normal points from the capsule to the box. Over a face, or along an edge, there are two
/// points: the ends of the part of the segment over it.
CAIRN_HD ContactPoints collide_capsule_box(const CapsulePose& a, const BoxPose& box, float margin) {
  const SegmentInBox g{transpose_mul(box.r, a.x - box.x), transpose_mul(box.r, a.axis), a.half};
  const float t = nearest_to_box(g, box.h);
  const Vec3 p = at(g, t);
  const Vec3 outside = out_of_box(p, box.h);
  const float distance = length(outside);
  if (distance - a.radius > margin) return no_contact();
  if (!(distance > 1e-6f * (max_component(box.h) + a.half))) return collide_through(a, box, g, t, margin);

  // axes along which the closest point is off the box's face; below 1/500 of the distance it is rounding
  float low = -g.half, high = g.half;
  int off_count = 0, along = 0;
  Vec3 n = outside;
  std::uint32_t region = 0;
  for (int k = 0; k < 3; ++k) {
    const float o = component(outside, k);
    if (abs(o) > 2e-3f * distance) {
      ++off_count;
      region |= (1u + sign_bit(o)) << (2 * k);
    } else {
      along = k;
      // an offset taken for rounding counts as over the face, so that the closest point stays in the part
      keep_over(g, component(box.h, k) + abs(o), k, low, high);
      n = n - o * axis_of(k);
    }
  }
  // over an edge the part touches only if it runs along the edge
  const bool line = off_count == 1 || (off_count == 2 && 1.0f - component(abs(g.u), along) < 0.5f * kAlongEdgeSine2);
  if (line && high - low > kMinOverlap * a.radius) {
    n = normalized(n, {0, 0, 1});
    return touch_along(a, box, g, n, dot(abs(n), box.h), low, high, (32u + region) << 4, margin);
  }
  n = normalized(outside, {0, 0, 1});
  return touch_along(a, box, g, n, dot(n, p - outside), t, t, off_count == 1 ? (32u + region) << 4 : 0u, margin);
}

}  // namespace cairn::kernels
