#pragma once
// The part of a convex core that touches first along a direction: a point, a line, a polygon or a disc.

#include "kernels/collide/convex.h"

namespace cairn::kernels {

enum class FeatureKind : std::uint32_t { kPoint, kSegment, kPolygon, kDisc };

/// [1] Corners that represent a disc where it is clipped.
inline constexpr std::uint32_t kRim = 8;
/// [1] Sine of the tilt from which a disc's first corner is the one farthest along the direction. Below it, it is the
/// one that gravity pulls down most, over which it would tip, if its face leans by as much; else a fixed one of the
/// shape. So the corners of a resting shape stay in place.
inline constexpr double kRimTilt = 1e-3;

struct Feature {
  FeatureKind kind;
  const Convex* of;
  std::uint32_t id;     ///< [1] its index in the shape
  std::uint32_t count;  ///< [1] corners
  Vec3d normal;         ///< [1] world, outwards; of polygons and discs
  Vec3d centre;         ///< [m] world, of a disc; of a line on a frustum's side the lower end, with e1 the upper
  Vec3d e1, e2;         ///< [m] world, of a disc: radii at right angles, the first towards corner 0
  double radius;        ///< [m] of a disc

  CAIRN_HD bool has_area() const { return kind == FeatureKind::kPolygon || kind == FeatureKind::kDisc; }
  /// [m] World. Corners of polygons and discs run counter-clockwise seen from outside.
  CAIRN_HD Vec3d corner(std::uint32_t i) const;
};

/// Cosine of i eighths of a turn.
CAIRN_HD double rim_cosine(std::uint32_t i) {
  constexpr double kHalfRoot = 0.70710678118654752440;
  const std::uint32_t k = i & 7u;
  if (k == 0) return 1.0;
  if (k == 4) return -1.0;
  if (k == 2 || k == 6) return 0.0;
  return k == 1 || k == 7 ? kHalfRoot : -kHalfRoot;
}

/// Corner i of face `id` (2 axis + 1 if negative) of a box.
CAIRN_HD Vec3d box_corner(Vec3d h, std::uint32_t id, std::uint32_t i) {
  const double side = (id & 1u) != 0 ? -1.0 : 1.0;
  const double u = i == 0 || i == 3 ? -1.0 : 1.0, v = i < 2 ? -side : side;
  const std::uint32_t k = id >> 1;
  if (k == 0) return {side * h.x, u * h.y, v * h.z};
  if (k == 1) return {v * h.x, side * h.y, u * h.z};
  return {u * h.x, v * h.y, side * h.z};
}

CAIRN_HD Vec3d Feature::corner(std::uint32_t i) const {
  if (kind == FeatureKind::kDisc) return fma(rim_cosine(i), e1, fma(rim_cosine(i + 6), e2, centre));
  Vec3d p{0, 0, 0};
  switch (of->core) {
    case Core::kSegment:
      p.z = i == 0 ? -of->size.z : of->size.z;
      break;
    case Core::kBox:
      p = box_corner(of->size, id, i);
      break;
    case Core::kFrustum:
      return i == 0 ? centre : e1;
    case Core::kHull:
      p = of->scale * widen(of->vertex[of->corner[of->face[id].first + i]]);
      break;
    case Core::kTriangle:
      p = i == 0 ? of->a : (i == 1 ? of->b : of->c);
      break;
    default:
      break;
  }
  return of->x + of->r * p;
}

CAIRN_HD Feature feature_of_box(const Convex& s, Vec3d n) {
  const std::uint32_t k = face_along(abs(n));
  const double along = component(n, static_cast<int>(k));
  return {.kind = FeatureKind::kPolygon,
          .of = &s,
          .id = 2 * k + (along < 0.0 ? 1u : 0u),
          .count = 4,
          .normal = sign_of(along) * column(s.r, static_cast<int>(k))};
}

/// The lowest point of a frustum's rim, by gravity in its own frame; its x if the rim is level.
CAIRN_HD Vec3d lowest_of_rim(Vec3d pull) {
  const double flat = sqrt(fma(pull.x, pull.x, pull.y * pull.y));
  return flat > kRimTilt * length(pull) ? Vec3d{pull.x / flat, pull.y / flat, 0} : Vec3d{1, 0, 0};
}

/// An end of a frustum, or the line on its side towards n, whichever faces n more.
CAIRN_HD Feature feature_of_frustum(const Convex& s, Vec3d n) {
  const double flat = sqrt(fma(n.x, n.x, n.y * n.y));
  const Vec3d toward = flat > 0.0 ? Vec3d{n.x / flat, n.y / flat, 0} : Vec3d{1, 0, 0};
  // the side's normal, over the radius and z
  const double rise = s.size.x - s.size.y, height = 2.0 * s.size.z;
  const double slant = sqrt(fma(rise, rise, height * height));
  const double by_side = fma(height, flat, rise * n.z) / slant;
  const double radius = n.z < 0.0 ? s.size.x : s.size.y;
  Feature f{};
  f.of = &s;
  if (radius > 0.0 && abs(n.z) >= by_side) {
    f.kind = FeatureKind::kDisc;
    f.id = n.z < 0.0 ? 1u : 0u;
    f.count = kRim;
    f.radius = radius;
    const double z = sign_of(n.z);
    f.normal = z * s.r.z;
    f.centre = fma(z * s.size.z, s.r.z, s.x);
    const Vec3d first = flat > kRimTilt ? toward : lowest_of_rim(transpose_mul(s.r, s.pull));
    f.e1 = radius * (s.r * first);
    f.e2 = cross(f.normal, f.e1);
    return f;
  }
  f.kind = FeatureKind::kSegment;
  f.id = 2;
  f.count = 2;
  f.centre = s.x + s.r * Vec3d{s.size.x * toward.x, s.size.x * toward.y, -s.size.z};
  f.e1 = s.x + s.r * Vec3d{s.size.y * toward.x, s.size.y * toward.y, s.size.z};
  return f;
}

/// Feature of the core of s along the unit vector n, in world axes.
CAIRN_HD_CALL Feature feature_of(const Convex& s, Vec3d n) {
  const Vec3d local = transpose_mul(s.r, n);
  Feature f{};
  f.kind = FeatureKind::kPoint;
  f.of = &s;
  f.count = 1;
  f.normal = n;
  switch (s.core) {
    case Core::kPoint:
      f.centre = s.x;
      break;
    case Core::kEllipsoid:
      f.centre = support(s, n);
      break;
    case Core::kSegment:
      f.kind = FeatureKind::kSegment;
      f.count = 2;
      break;
    case Core::kBox:
      return feature_of_box(s, local);
    case Core::kFrustum:
      return feature_of_frustum(s, local);
    case Core::kHull: {
      double best = -2.0;
      for (std::uint32_t i = 0; i < s.face_count; ++i) {
        const double looks = dot(widen(s.face[i].normal), local);
        // an earlier face wins near ties
        if (looks > best + 1e-6) best = looks, f.id = i;
      }
      f.kind = FeatureKind::kPolygon;
      f.count = s.face[f.id].count;
      f.normal = s.r * widen(s.face[f.id].normal);
      break;
    }
    case Core::kTriangle: {
      f.kind = FeatureKind::kPolygon;
      f.count = 3;
      const Vec3d m = cross(s.b - s.a, s.c - s.a);
      f.normal = s.r * ((1.0 / length(m)) * m);
      break;
    }
  }
  return f;
}

}  // namespace cairn::kernels
