#pragma once
// A convex shape on a triangle of a surface. The triangle is solid behind: a shape with its centre there passes. Over
// edges where the surface continues flat, or rises, only the face's normal counts, so that a box that slides over a
// floor of triangles doesn't feel the edges. Over an edge where it bends away, any normal between those of the two
// faces counts.

#include "kernels/collide/convex_pair.h"

namespace cairn::kernels {

/// [1] Tolerance of a normal's lean, as a sine: a normal at an edge to rounding counts for both sides.
inline constexpr double kLeanTolerance = 1e-3;

/// [1] Cosine of 45 degrees.
inline constexpr double kMostlyUp = 0.70710678118654752440;

/// The triangle as a convex shape, in the pose of its surface.
CAIRN_HD Convex convex_of(const MeshTriangle& t, double scale, const ShapePose& pose) {
  Convex c{};
  c.core = Core::kTriangle;
  c.x = widen(pose.x) + widen(pose.x_low);
  c.r = matrix_of_any(pose.q);
  c.a = scale * widen(t.a);
  c.b = scale * widen(t.b);
  c.c = scale * widen(t.c);
  c.centre = (1.0 / 3.0) * (c.a + c.b + c.c);
  c.reach = max(max(length(c.a), length(c.b)), length(c.c));
  return c;
}

/// True if the triangle may push along a normal (unit, off the surface, in the surface's frame). Over an open edge, or
/// one where the surface turns by a right angle or more, this includes a normal along the face, to rounding: a shape
/// that lies flat on such an edge with its centre beyond is as deep behind the face as it is wide.
CAIRN_HD bool may_push(const Convex& t, Vec3 bend, Vec3d face, Vec3d n) {
  const double up = dot(n, face);
  bool over_sharp = false;
  for (int edge = 0; edge < 3; ++edge) {
    const Vec3d from = edge == 0 ? t.a : (edge == 1 ? t.b : t.c), to = edge == 0 ? t.b : (edge == 1 ? t.c : t.a);
    const Vec3d out = cross(to - from, face);
    const double lean = dot(n, out) / length(out), cosine = component(bend, edge);
    if (cosine <= kLeanTolerance) {
      over_sharp = over_sharp || lean > 0.5;
    } else if (lean * cosine - up * sqrt(max(1.0 - cosine * cosine, 0.0)) > kLeanTolerance) {
      return false;
    }
  }
  return up > 0.0 || (over_sharp && up > -0.5 * kLeanTolerance);
}

/// Shape A on a triangle; the normal points from the shape to the triangle.
CAIRN_HD_CALL ContactPoints collide_triangle(const Convex& a, const MeshTriangle& triangle, double scale,
                                             const ShapePose& pose, float margin, Epa& epa) {
  Convex t = convex_of(triangle, scale, pose);
  const Feature face = feature_of(t, {0, 0, 1});
  const Vec3d corner = face.corner(0);
  if (dot(face.normal, a.x + a.r * a.centre - corner) < 0.0) return no_contact();
  // for most shapes the face alone shows that they are too far
  if (dot(face.normal, support(a, -face.normal) - corner) - a.round > margin) return no_contact();

  Touch touch = min_overlap(a, t, -face.normal, margin, epa);
  if (!touch.any) return no_contact();
  // the triangle has no thickness; from here on the shape's own sizes count
  t.min_extent = a.min_extent;
  if (may_push(t, triangle.bend, transpose_mul(t.r, face.normal), transpose_mul(t.r, -touch.n))) {
    const ContactPoints out = touch_points(a, t, touch, margin, true);
    if (out.count == 0 || dot(face.normal, widen(out.normal)) < kLeanTolerance) return out;
    // a face of the shape in place of the normal would push from behind
    return one_contact(touch, a.round);
  }
  const double tolerance = double{kAxisTolerance} * a.min_extent;
  const Reference ref = reference_on(face, 0.5 * tolerance);
  // no contact for a shape that would rather be pushed aside and has its middle beside the triangle: where it passes a
  // corner of the surface it is as deep behind the face as it is wide. The triangle below its middle holds it
  if (dot(face.normal, touch.n) > -kMostlyUp) {
    const Stretch middle = over(ref, ref.local(a.x + a.r * a.centre), {0, 0, 0});
    if (middle.leave < middle.enter) return no_contact();
  }
  const Feature inc = feature_of(a, -face.normal);
  return touch_face(ref, inc, true, {a.round, 0.0}, margin, tolerance, mix32(3u) + 0x9e3779b9u * inc.id);
}

}  // namespace cairn::kernels
