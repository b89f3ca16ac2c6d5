#pragma once
// Contact points over a face: the part of a feature above another one with an area, or above a plane.

#include "kernels/collide/feature.h"
#include "kernels/pair/grid.h"

namespace cairn::kernels {

/// A face to clip by, with its own axes.
struct Reference {
  const Feature* face;  ///< null for a plane, which has no edges
  Vec3d origin;         ///< [m] a point of it
  Vec3d n, e1, e2;      ///< [1] outwards; along it
  double hair;          ///< [m] by which it is enlarged, so that flush features keep their points

  CAIRN_HD Vec3d local(Vec3d p) const {
    const Vec3d d = p - origin;
    return {dot(e1, d), dot(e2, d), dot(n, d)};
  }
  CAIRN_HD Vec3d world(Vec3d p) const { return fma(p.x, e1, fma(p.y, e2, fma(p.z, n, origin))); }
};

CAIRN_HD Vec3d tangent_of(Vec3d n) {
  const Vec3d t = cross(n, smallest_axis(n));
  return (1.0 / length(t)) * t;
}

CAIRN_HD Reference reference_on(const Feature* face, Vec3d origin, Vec3d n, double hair) {
  Reference r{face, origin, n, tangent_of(n), {}, hair};
  r.e2 = cross(n, r.e1);
  return r;
}
CAIRN_HD Reference reference_on(const Feature& face, double hair) {
  return reference_on(&face, face.kind == FeatureKind::kDisc ? face.centre : face.corner(0), face.normal, hair);
}

/// The part of a line p + t d over a reference.
struct Stretch {
  double enter, leave;                   ///< [1] t
  std::uint32_t enter_side, leave_side;  ///< [1] the side that cuts it; 0 for none
};

/// Clips by a half-plane. The distance inside it is `at` at p and grows by `rate` along the line.
CAIRN_HD void cut(Stretch& s, double at, double rate, std::uint32_t side) {
  if (rate == 0.0) {
    if (at < 0.0) s.leave = s.enter - 1.0;
    return;
  }
  const double t = -at / rate;
  if (rate > 0.0) {
    if (t > s.enter) s.enter = t, s.enter_side = side;
  } else if (t < s.leave) {
    s.leave = t, s.leave_side = side;
  }
}

CAIRN_HD_CALL Stretch over(const Reference& ref, Vec3d p, Vec3d d) {
  Stretch s{0.0, 1.0, 0, 0};
  if (ref.face == nullptr) return s;
  if (ref.face->kind == FeatureKind::kDisc) {
    const double radius = ref.face->radius + ref.hair;
    const double a = fma(d.x, d.x, d.y * d.y), b = fma(p.x, d.x, p.y * d.y);
    const double c = fma(p.x, p.x, fma(p.y, p.y, -(radius * radius)));
    const double root = fma(b, b, -(a * c));
    if (!(a > 0.0) || !(root > 0.0)) {
      if (!(a > 0.0) && c <= 0.0) return s;
      s.leave = -1.0;
      return s;
    }
    const double reach = sqrt(root), t0 = (-b - reach) / a, t1 = (-b + reach) / a;
    if (t0 > s.enter) s.enter = t0, s.enter_side = 1;
    if (t1 < s.leave) s.leave = t1, s.leave_side = 2;
    return s;
  }
  Vec3d from = ref.local(ref.face->corner(ref.face->count - 1));
  for (std::uint32_t i = 0; i < ref.face->count; ++i) {
    const Vec3d to = ref.local(ref.face->corner(i));
    const double ex = to.x - from.x, ey = to.y - from.y, l = sqrt(fma(ex, ex, ey * ey));
    // inside is to the left of a side that runs counter-clockwise
    if (l > 0.0) {
      const double at = (ex * (p.y - from.y) - ey * (p.x - from.x)) / l + ref.hair;
      cut(s, at, (ex * d.y - ey * d.x) / l, 1 + i);
    }
    from = to;
  }
  return s;
}

/// Height of an incident feature above a point (u, v) of the reference, if it covers that point.
CAIRN_HD_CALL bool lies_at(const Reference& ref, const Feature& inc, double u, double v, double& height) {
  const Vec3d m{dot(ref.e1, inc.normal), dot(ref.e2, inc.normal), dot(ref.n, inc.normal)};
  // it has to face the reference
  if (!(m.z < -1e-6)) return false;
  const Vec3d c = ref.local(inc.kind == FeatureKind::kDisc ? inc.centre : inc.corner(0));
  height = c.z - (m.x * (u - c.x) + m.y * (v - c.y)) / m.z;
  if (inc.kind == FeatureKind::kDisc) {
    const Vec3d off = Vec3d{u, v, height} - c;
    return length2(off) < inc.radius * inc.radius;
  }
  // seen along -n the corners run clockwise
  Vec3d from = ref.local(inc.corner(inc.count - 1));
  for (std::uint32_t i = 0; i < inc.count; ++i) {
    const Vec3d to = ref.local(inc.corner(i));
    if ((to.x - from.x) * (v - from.y) - (to.y - from.y) * (u - from.x) >= 0.0) return false;
    from = to;
  }
  return true;
}

/// Calls f(p, id) for every point of `inc` that bounds its part over the reference: p in the reference's axes, the
/// third the height. The ids name the sides that cross, and are all different.
template <class F>
CAIRN_HD void visit_over(const Reference& ref, const Feature& inc, const F& f) {
  if (inc.kind == FeatureKind::kPoint) {
    const Vec3d p = ref.local(inc.centre);
    const Stretch s = over(ref, p, {0, 0, 0});
    if (s.leave >= s.enter) f(p, 1u);
    return;
  }
  const bool line = inc.kind == FeatureKind::kSegment;
  const std::uint32_t sides = line ? 1u : inc.count;
  for (std::uint32_t i = 0; i < sides; ++i) {
    const Vec3d p = ref.local(inc.corner(i)), d = ref.local(inc.corner(i + 1 == inc.count ? 0 : i + 1)) - p;
    const Stretch s = over(ref, p, d);
    if (!(s.enter <= s.leave)) continue;
    f(fma(s.enter, d, p), mix32(i << 16 | s.enter_side << 1));
    if ((line || s.leave < 1.0) && s.leave > s.enter) f(fma(s.leave, d, p), mix32(i << 16 | s.leave_side << 1 | 1u));
  }
  if (line || ref.face == nullptr) return;
  for (std::uint32_t i = 0; i < ref.face->count; ++i) {
    Vec3d p = ref.local(ref.face->corner(i));
    double height = 0.0;
    if (lies_at(ref, inc, p.x, p.y, height)) f(Vec3d{p.x, p.y, height}, mix32(0x80000000u | i));
  }
}

}  // namespace cairn::kernels
