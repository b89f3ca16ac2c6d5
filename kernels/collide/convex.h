#pragma once
// Convex shapes in the general narrow phase: a core, given by its support function, and all points within `round` of
// it. In double: the search for a normal divides small differences of large numbers, and a float has too few digits.

#include "kernels/collide/contact_points.h"
#include "kernels/common/shapes.h"
#include "kernels/common/solids.h"

namespace cairn::kernels {

CAIRN_HD double length2(Vec3d v) { return dot(v, v); }

/// For any quaternion; zero counts as no rotation.
CAIRN_HD Mat3d matrix_of_any(Quat f) {
  const double norm = dot(widen(f), widen(f)), s = norm > 0.0 ? 2.0 / norm : 0.0;
  const double x = f.x, y = f.y, z = f.z, w = f.w;
  return {{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
          {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
          {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}};
}

enum class Core : std::uint32_t { kPoint, kSegment, kBox, kFrustum, kEllipsoid, kHull, kTriangle };

struct Convex {
  Core core;
  Vec3d x;            ///< [m] its own origin, relative to the centre of mass of body A, world axes
  Mat3d r;            ///< [1] to world axes
  Vec3d size;         ///< [m] as ShapeGeometry::size; a segment's half length is its z
  double round;       ///< [m]
  double min_extent;  ///< [m] smallest half extent, `round` included
  double reach;       ///< [m] bound of the distance of its points from x
  Vec3d pull;         ///< [m/s^2] ShapePose::pull
  // hulls; vertices of a hull times `scale`
  double scale;                 ///< [1]
  const Vec3* vertex;           ///< [m] (vertex_count)
  const HullFace* face;         ///<     (face_count)
  const std::uint16_t* corner;  ///< [1]
  std::uint32_t vertex_count, face_count;
  Vec3d centre;  ///< [m] a point inside, in its own frame
  // triangles, in the shape's own frame
  Vec3d a, b, c;  ///< [m]
};

/// Convex form of a shape that is neither plane nor surface.
CAIRN_HD_CALL Convex convex_of(const ShapeGeometry& g, const ShapePose& pose, const Solids& solids) {
  Convex c{};
  c.x = widen(pose.x) + widen(pose.x_low);
  c.r = matrix_of_any(pose.q);
  c.pull = widen(pose.pull);
  c.size = widen(g.size);
  const double longest = max(max(c.size.x, c.size.y), c.size.z);
  switch (g.kind) {
    case ShapeKind::kSphere:
      c.core = Core::kPoint;
      c.round = c.min_extent = c.reach = c.size.x;
      break;
    case ShapeKind::kCapsule:
      c.core = Core::kSegment;
      c.round = c.min_extent = c.size.x;
      c.reach = c.size.x + c.size.z;
      break;
    case ShapeKind::kFrustum:
      c.core = Core::kFrustum;
      c.min_extent = min(max(c.size.x, c.size.y), c.size.z);
      c.reach = max(c.size.x, c.size.y) + c.size.z;
      break;
    case ShapeKind::kEllipsoid:
      c.core = Core::kEllipsoid;
      c.min_extent = min(min(c.size.x, c.size.y), c.size.z);
      c.reach = longest;
      break;
    case ShapeKind::kHull: {
      const Hull& hull = solids.hull[g.data];
      c.core = Core::kHull;
      c.scale = c.size.x;
      c.vertex = solids.hull_vertex + hull.vertex;
      c.vertex_count = hull.vertex_count;
      c.face = solids.hull_face + hull.face;
      c.face_count = hull.face_count;
      c.corner = solids.hull_corner + hull.corner;
      c.centre = c.scale * widen(hull.centre);
      c.min_extent = c.scale * double{hull.thickness};
      c.reach = c.scale * double{hull.radius};
      break;
    }
    default:
      c.core = Core::kBox;
      c.round = g.round;
      c.min_extent = min(min(c.size.x, c.size.y), c.size.z) + c.round;
      c.reach = c.size.x + c.size.y + c.size.z + c.round;
      break;
  }
  return c;
}

CAIRN_HD double sign_of(double a) { return a < 0.0 ? -1.0 : 1.0; }

/// Support point of a core along d, both in its own frame. Of equally far points the first, so that the result is a
/// function of the numbers alone.
CAIRN_HD Vec3d support_of_core(const Convex& s, Vec3d d) {
  switch (s.core) {
    case Core::kPoint:
      return {0, 0, 0};
    case Core::kSegment:
      return {0, 0, sign_of(d.z) * s.size.z};
    case Core::kBox:
      return {sign_of(d.x) * s.size.x, sign_of(d.y) * s.size.y, sign_of(d.z) * s.size.z};
    case Core::kFrustum: {
      const double flat = sqrt(fma(d.x, d.x, d.y * d.y));
      const bool top = fma(s.size.y, flat, s.size.z * d.z) >= fma(s.size.x, flat, -(s.size.z * d.z));
      const double radius = top ? s.size.y : s.size.x, z = top ? s.size.z : -s.size.z;
      if (!(flat > 0.0)) return {0, 0, z};
      return {radius * (d.x / flat), radius * (d.y / flat), z};
    }
    case Core::kEllipsoid: {
      const Vec3d e = mul(s.size, d);
      const double l = length(e);
      if (!(l > 0.0)) return {s.size.x, 0, 0};
      return {s.size.x * (e.x / l), s.size.y * (e.y / l), s.size.z * (e.z / l)};
    }
    case Core::kHull: {
      std::uint32_t best = 0;
      double far = dot(widen(s.vertex[0]), d);
      for (std::uint32_t i = 1; i < s.vertex_count; ++i) {
        const double at = dot(widen(s.vertex[i]), d);
        if (at > far) far = at, best = i;
      }
      return s.scale * widen(s.vertex[best]);
    }
    case Core::kTriangle:
      break;
  }
  const double a = dot(s.a, d), b = dot(s.b, d), c = dot(s.c, d);
  return a >= b && a >= c ? s.a : (b >= c ? s.b : s.c);
}

/// The same in world axes.
CAIRN_HD_CALL Vec3d support(const Convex& s, Vec3d d) { return s.x + s.r * support_of_core(s, transpose_mul(s.r, d)); }

/// Separation of B from A along the unit vector n from A to B, including `round`; negative for overlap along n.
CAIRN_HD double separation_along(const Convex& a, const Convex& b, Vec3d n) {
  return dot(n, support(b, -n) - support(a, n)) - a.round - b.round;
}

}  // namespace cairn::kernels
