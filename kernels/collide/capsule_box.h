#pragma once
// A capsule against a box, in the box's frame: by closest points while the segment is outside of the box, by separating
// axes inside.

#include "kernels/collide/box_box_sat.h"
#include "kernels/collide/capsule.h"

namespace cairn::kernels {

/// [1] Squared sine under which a capsule lies along an edge of a box: 0.6 degrees. An end's point is then off the edge
/// by 1 % of the capsule's length at most.
inline constexpr float kAlongEdgeSine2 = 1e-4f;

/// The segment of a capsule as a box sees it: c + t u, |t| <= half.
struct SegmentInBox {
  Vec3 c;      ///< [m]
  Vec3 u;      ///< [1] unit
  float half;  ///< [m]
};

CAIRN_HD Vec3 at(const SegmentInBox& g, float t) { return fma(t, g.u, g.c); }
/// From the closest point of the box of half extents h to p.
CAIRN_HD Vec3 out_of_box(Vec3 p, Vec3 h) { return p - max(min(p, h), -h); }

/// The t where the segment is nearest to the box. Half the slope of the squared distance is u . out_of_box: piecewise
/// linear and never falling, so that its kinks, where the segment passes a face's plane, bracket the root and the last
/// piece gives it.
CAIRN_HD float nearest_to_box(const SegmentInBox& g, Vec3 h) {
  float low = -g.half, high = g.half;
  float slope_low = dot(g.u, out_of_box(at(g, low), h)), slope_high = dot(g.u, out_of_box(at(g, high), h));
  if (slope_low >= 0.0f) return low;
  if (slope_high <= 0.0f) return high;
  for (int i = 0; i < 6; ++i) {
    const int k = i >> 1;
    const float face = (i & 1) != 0 ? component(h, k) : -component(h, k);
    const float t = (face - component(g.c, k)) / component(g.u, k);
    if (!(t > low && t < high)) continue;
    const float slope = dot(g.u, out_of_box(at(g, t), h));
    if (slope > 0.0f) {
      high = t, slope_high = slope;
    } else {
      low = t, slope_low = slope;
    }
  }
  return clamp(fma(-slope_low / (slope_high - slope_low), high - low, low), low, high);
}

/// Cuts the stretch of the segment that lies within |p_k| <= e.
CAIRN_HD void keep_over(const SegmentInBox& g, float e, int k, float& low, float& high) {
  const float c = component(g.c, k), u = component(g.u, k);
  if (abs(u) <= 1e-20f) {
    if (abs(c) > e) high = low - 1.0f;
    return;
  }
  const float t0 = (-e - c) / u, t1 = (e - c) / u;
  low = max(low, min(t0, t1));
  high = min(high, max(t0, t1));
}

/// By how much p is off the box of half extents h along the axes of its feature with normal n.
CAIRN_HD Vec3 beside(Vec3 p, Vec3 n, Vec3 h) {
  const Vec3 out = out_of_box(p, h);
  return {n.x == 0.0f ? out.x : 0.0f, n.y == 0.0f ? out.y : 0.0f, n.z == 0.0f ? out.z : 0.0f};
}

/// Adds the ends of a stretch of the segment over a feature of the box with outward normal n, on which dot(n, x) is
/// n_on_box, both in the box's frame; normals and points are from capsule to box. Returns no points where the stretch is
/// empty, and one where it is short. A point that is beside the feature by more than a hair is brought back to it.
CAIRN_HD ContactPoints touch_along(const CapsulePose& a, const BoxPose& box, const SegmentInBox& g, Vec3 n,
                                   float n_on_box, float low, float high, std::uint32_t feature, float margin) {
  ContactPoints out = no_contact();
  out.normal = -(box.r * n);
  if (!(low <= high)) return out;
  const float hair = kAxisTolerance * min(min_component(box.h), a.radius);
  const std::uint32_t ends = high - low > kLeastOverlap * a.radius ? 2u : 1u;
  for (std::uint32_t end = 0; end < ends; ++end) {
    const float t = end == 0 ? low : high;
    const Vec3 p = at(g, t);
    const float separation = dot(n, p, -n_on_box) - a.radius;
    // so little along n's plane is along the capsule's surface, too
    const Vec3 off = box.r * beside(p, n, box.h + Vec3{hair, hair, hair});
    if (separation > margin) continue;
    add_point(out, fma(a.radius, out.normal, fma(t, a.axis, a.x)) - off, separation, feature | end);
  }
  return out;
}

/// The segment runs through the box: the axis of least overlap, of the 3 face normals and the 3 cross products of the
/// segment with the edges, with the faces preferred. Ties: x before y before z; a middle in the plane of symmetry
/// leaves to the positive side.
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
    // where the segment comes closest to the box's edge along axis j, on that side
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

/// Capsule A against a box; the normal is from the capsule to the box. Over a face, or along an edge, there are two
/// points: the ends of the stretch of the segment that lies over it.
CAIRN_HD ContactPoints collide_capsule_box(const CapsulePose& a, const BoxPose& box, float margin) {
  const SegmentInBox g{transpose_mul(box.r, a.x - box.x), transpose_mul(box.r, a.axis), a.half};
  const float t = nearest_to_box(g, box.h);
  const Vec3 p = at(g, t);
  const Vec3 outside = out_of_box(p, box.h);
  const float distance = length(outside);
  if (distance - a.radius > margin) return no_contact();
  if (!(distance > 1e-6f * (max_component(box.h) + a.half))) return collide_through(a, box, g, t, margin);

  // axes along which the closest point is off the box's face; under 1/500 of the distance it is rounding
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
      // what was taken for rounding counts as over the face, so that the closest point stays in the stretch
      keep_over(g, component(box.h, k) + abs(o), k, low, high);
      n = n - o * axis_of(k);
    }
  }
  // over an edge a stretch touches only if it runs along the edge
  const bool line = off_count == 1 || (off_count == 2 && 1.0f - component(abs(g.u), along) < 0.5f * kAlongEdgeSine2);
  if (line && high - low > kLeastOverlap * a.radius) {
    n = normalized(n, {0, 0, 1});
    return touch_along(a, box, g, n, dot(abs(n), box.h), low, high, (32u + region) << 4, margin);
  }
  n = normalized(outside, {0, 0, 1});
  return touch_along(a, box, g, n, dot(n, p - outside), t, t, off_count == 1 ? (32u + region) << 4 : 0u, margin);
}

}  // namespace cairn::kernels
