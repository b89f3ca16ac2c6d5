#pragma once
// The segment of a capsule in a box's frame, and the contact points of a part of it over a feature of the box.

#include "kernels/collide/box_box_sat.h"
#include "kernels/collide/capsule.h"

namespace cairn::kernels {

/// The segment of a capsule in a box's frame: c + t u, |t| <= half.
struct SegmentInBox {
  Vec3 c;      ///< [m]
  Vec3 u;      ///< [1] unit
  float half;  ///< [m]
};

CAIRN_HD Vec3 at(const SegmentInBox& g, float t) { return fma(t, g.u, g.c); }
/// From the closest point of the box of half extents h to p.
CAIRN_HD Vec3 out_of_box(Vec3 p, Vec3 h) { return p - max(min(p, h), -h); }

/// The t where the segment is nearest to the box. Half the slope of the squared distance is u . out_of_box. It is
/// piecewise linear and never falls, so its kinks, where the segment passes a face's plane, bracket the root, and the
/// last piece gives it.
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

/// Clips the part of the segment to |p_k| <= e.
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

/// Offset of p from the box of half extents h along the axes of its feature with normal n.
CAIRN_HD Vec3 beside(Vec3 p, Vec3 n, Vec3 h) {
  const Vec3 out = out_of_box(p, h);
  return {n.x == 0.0f ? out.x : 0.0f, n.y == 0.0f ? out.y : 0.0f, n.z == 0.0f ? out.z : 0.0f};
}

/// Adds the ends of a part of the segment over a feature of the box with outward normal n, on which dot(n, x) is
/// n_on_box, both in the box's frame; the normal points from capsule to box. Returns no points if the part is empty,
/// and one if it is short. A point beside the feature by more than a hair is moved back to it.
CAIRN_HD ContactPoints touch_along(const CapsulePose& a, const BoxPose& box, const SegmentInBox& g, Vec3 n,
                                   float n_on_box, float low, float high, std::uint32_t feature, float margin) {
  ContactPoints out = no_contact();
  out.normal = -(box.r * n);
  if (!(low <= high)) return out;
  const float hair = kAxisTolerance * min(min_component(box.h), a.radius);
  const std::uint32_t ends = high - low > kMinOverlap * a.radius ? 2u : 1u;
  for (std::uint32_t end = 0; end < ends; ++end) {
    const float t = end == 0 ? low : high;
    const Vec3 p = at(g, t);
    const float separation = dot(n, p, -n_on_box) - a.radius;
    // such a small offset within n's plane stays on the capsule's surface
    const Vec3 off = box.r * beside(p, n, box.h + Vec3{hair, hair, hair});
    if (separation > margin) continue;
    add_point(out, fma(a.radius, out.normal, fma(t, a.axis, a.x)) - off, separation, feature | end);
  }
  return out;
}

}  // namespace cairn::kernels
