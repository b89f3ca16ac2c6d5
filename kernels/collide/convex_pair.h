#pragma once
// Two convex shapes of any kind. The normal of min overlap comes from GJK or EPA; a face of one of them replaces it if
// it is nearly as good, and the points lie over that face. A face is preferred as in box_box.h.

#include "kernels/collide/box_box_sat.h"
#include "kernels/collide/capsule.h"
#include "kernels/collide/epa.h"
#include "kernels/collide/face_contact.h"

namespace cairn::kernels {

/// [1] Cosine of 3 degrees: within that angle of a face's normal, two polygons touch along the face.
inline constexpr double kNearFaceCosine = 0.99862953475457387;

/// Contact of two shapes: along n from A to B, with B at distance `separation`.
struct Touch {
  bool any;           ///< false if they are farther apart than the margin
  Vec3d n;            ///< [1]
  double separation;  ///< [m] including `round`
  Vec3d on_a;         ///< [m] of A's core
};

CAIRN_HD ContactPoints one_contact(const Touch& touch, double round) {
  return one_contact(narrow(touch.n), narrow(fma(round, touch.n, touch.on_a)), static_cast<float>(touch.separation));
}

/// Moves B away along n until the cores are apart; the direction between them is then a better n. This is a step of a
/// descent on the overlap, which ends where the two surfaces are parallel. For curved ones EPA's normal is off by the
/// square root of its tolerance; this one isn't.
CAIRN_HD void polish(const Convex& a, const Convex& b, Touch& touch) {
  const double gap = 0.01 * (a.min_extent + b.min_extent);
  for (int round = 0; round < 4; ++round) {
    const double depth = dot(touch.n, support(a, touch.n) - support(b, -touch.n));
    Convex away = b;
    away.x = fma(depth + gap, touch.n, b.x);
    const Closest c = closest_points(a, away, touch.n);
    if (!c.apart) return;
    const double then = dot(c.n, support(a, c.n) - support(b, -c.n));
    if (!(then <= depth)) return;
    touch.n = c.n;
    touch.separation = -then - a.round - b.round;
    touch.on_a = closest_on_a(c.simplex);
    if (!(then < depth - 1e-12 * (a.reach + b.reach))) return;
  }
}

CAIRN_HD bool is_curved(const Convex& s) { return s.core == Core::kFrustum || s.core == Core::kEllipsoid; }

/// The normal of min overlap. Cores that meet without volume, such as a segment that crosses a point, separate along
/// `fallback`.
CAIRN_HD_CALL Touch min_overlap(const Convex& a, const Convex& b, Vec3d fallback, double margin, Epa& epa) {
  Touch out{false, fallback, 0.0, {}};
  Closest near = closest_points(a, b, fallback);
  if (near.apart) {
    out.n = near.n;
    out.separation = near.distance - a.round - b.round;
    out.on_a = closest_on_a(near.simplex);
    out.any = out.separation <= margin;
    return out;
  }
  out.any = true;
  const Penetration deep = penetrate(a, b, near.simplex, epa);
  if (!deep.found) {
    out.separation = separation_along(a, b, fallback);
    out.on_a = support(a, fallback);
    return out;
  }
  out.n = deep.n;
  out.separation = -deep.depth - a.round - b.round;
  out.on_a = deep.on_a;
  if (is_curved(a) || is_curved(b) || !deep.least) polish(a, b, out);
  return out;
}

/// A face of A or B that replaces the normal.
struct FaceChoice {
  bool any, is_b;
};

/// A face is eligible if it separates by as much as the normal to within the tolerance, or if both sides have a face
/// and the normal is within 3 degrees of it. If both are, A's is taken, unless B's is better by the tolerance or
/// preferred.
CAIRN_HD FaceChoice choose_face(const Convex& a, const Feature& on_a, const Convex& b, const Feature& on_b,
                                const Touch& touch, double tolerance, bool prefers_b) {
  const bool both = on_a.has_area() && on_b.has_area();
  const auto serves = [&](const Feature& f, double along, double looks) {
    return f.has_area() && (along >= touch.separation - tolerance || (both && looks > kNearFaceCosine));
  };
  const double along_a = on_a.has_area() ? separation_along(a, b, on_a.normal) : 0.0;
  const double along_b = on_b.has_area() ? separation_along(a, b, -on_b.normal) : 0.0;
  const bool a_serves = serves(on_a, along_a, dot(on_a.normal, touch.n));
  const bool b_serves = serves(on_b, along_b, -dot(on_b.normal, touch.n));
  return {a_serves || b_serves, b_serves && (!a_serves || prefers_b || along_b > along_a + tolerance)};
}

/// Two lines side by side touch at the ends of their overlap.
CAIRN_HD ContactPoints touch_lines(const Feature& on_a, const Feature& on_b, const Touch& touch, const Rounds& rounds,
                                   double least, double margin) {
  ContactPoints out = no_contact();
  const Vec3d p = on_a.corner(0), q = on_b.corner(0);
  const Vec3d d = on_a.corner(1) - p, e = on_b.corner(1) - q;
  const double dd = length2(d), de = dot(d, e), ee = length2(e);
  const Vec3d across = cross(d, e);
  if (!(length2(across) < kParallelCapsuleSine2 * dd * ee) || !(dd > 0.0 && ee > 0.0)) return out;
  // B's ends along A, 0..1
  const double s0 = dot(d, q - p) / dd, s1 = s0 + de / dd;
  const double low = max(0.0, min(s0, s1)), high = min(1.0, max(s0, s1));
  if (!((high - low) * sqrt(dd) > kMinOverlap * least)) return out;
  out.normal = narrow(touch.n);
  for (std::uint32_t end = 0; end < 2; ++end) {
    const double s = end == 0 ? low : high;
    const Vec3d at_a = fma(s, d, p), at_b = fma((s - s0) * (dd / de), e, q);
    const double separation = dot(touch.n, at_b - at_a) - rounds.sum();
    if (separation <= margin)
      add_point(out, narrow(fma(rounds.a, touch.n, at_a)), static_cast<float>(separation), 1 + end);
  }
  return out;
}

/// [1] Max error of the points over a face against the overlap along the normal, as a share of the smaller shape.
inline constexpr double kLostDepth = 5e-5;

/// If the face isn't exactly the normal, the deepest place may lie beside it. Then it is added as a point, or replaces
/// the first of four.
CAIRN_HD void add_witness(ContactPoints& out, const Touch& touch, double round, double lost) {
  if (out.count == 0) return;
  float deepest = out.point[0].separation;
  for (std::uint32_t i = 1; i < out.count; ++i) deepest = min(deepest, out.point[i].separation);
  if (!(deepest > touch.separation + lost)) return;
  const std::uint32_t last = out.count == 4 ? 0 : out.count;
  const std::uint32_t count = out.count > last ? out.count : last + 1;
  out.count = last;
  add_point(out, narrow(fma(round, touch.n, touch.on_a)), static_cast<float>(touch.separation), 3);
  out.count = count;
}

/// Contact points for a normal found before.
CAIRN_HD_CALL ContactPoints touch_points(const Convex& a, const Convex& b, const Touch& touch, double margin,
                                         bool prefers_b = false) {
  if (!touch.any) return no_contact();
  const double tolerance = double{kAxisTolerance} * min(a.min_extent, b.min_extent);
  const Rounds rounds{a.round, b.round};
  const Feature on_a = feature_of(a, touch.n), on_b = feature_of(b, -touch.n);
  const FaceChoice face = choose_face(a, on_a, b, on_b, touch, tolerance, prefers_b);
  if (face.any) {
    const Feature& f = face.is_b ? on_b : on_a;
    const Vec3d n = f.normal;
    // the feature opposite the face, which isn't quite that along the normal
    const Feature inc = feature_of(face.is_b ? a : b, -n);
    ContactPoints out = touch_face(reference_on(f, 0.5 * tolerance), inc, face.is_b, rounds, margin, tolerance,
                                   mix32((face.is_b ? 1u : 2u) + 4u * f.id) + 0x9e3779b9u * inc.id);
    add_witness(out, touch, a.round, kLostDepth * min(a.min_extent, b.min_extent));
    if (out.count > 0) return out;
  }
  if (on_a.kind == FeatureKind::kSegment && on_b.kind == FeatureKind::kSegment) {
    const ContactPoints out = touch_lines(on_a, on_b, touch, rounds, min(a.min_extent, b.min_extent), margin);
    if (out.count > 0) return out;
  }
  if (!(touch.separation <= margin)) return no_contact();
  return one_contact(touch, a.round);
}

CAIRN_HD_CALL ContactPoints collide_convex(const Convex& a, const Convex& b, float margin, Epa& epa) {
  const Vec3d between = (b.x + b.r * b.centre) - (a.x + a.r * a.centre);
  const double l = length(between);
  const Vec3d guess = l > 0.0 ? (1.0 / l) * between : Vec3d{0, 0, 1};
  return touch_points(a, b, min_overlap(a, b, guess, margin, epa), margin);
}

/// A shape over the plane through x with unit normal n.
CAIRN_HD_CALL ContactPoints collide_convex_plane(const Convex& a, Vec3 x, Vec3 n, float margin) {
  const Vec3d up = widen(n);
  // its exact length: a float normal is unit only to rounding
  const Vec3d unit = (1.0 / length(up)) * up;
  const Reference ref = reference_on(nullptr, widen(x), unit, 0.0);
  const Feature inc = feature_of(a, -unit);
  ContactPoints out =
      touch_face(ref, inc, true, {a.round, 0.0}, margin, double{kAxisTolerance} * a.min_extent, inc.id << 8);
  // the face that points down most need not have the lowest corner
  const Vec3d lowest = support(a, -unit);
  const Touch touch{true, -unit, dot(unit, lowest - widen(x)) - a.round, lowest};
  if (!(touch.separation <= margin)) return out;
  if (out.count == 0) return one_contact(touch, a.round);
  add_witness(out, touch, a.round, kLostDepth * a.min_extent);
  return out;
}

}  // namespace cairn::kernels
