#pragma once
// Entry of a ray into a body's shape.

#include <cstdint>

#include "kernels/common/index.h"
#include "kernels/common/shapes.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

struct PictureShape {
  Mat3 axes;       ///< [1]   the shape's axes in the world; of a triangle [m] two sides from a corner
  Vec3 centre;     ///< [m]   from the picture's origin; of a triangle the middle of its bounds
  Vec3 size;       ///< [m]   as ShapeGeometry::size; of a hull half extents of a box about its centre; of a triangle
                   ///<       the corner, from the centre
  Vec3 color;      ///< [1]   share of red, green and blue light that it reflects
  ShapeKind kind;  ///< [1]   anything but a plane; a triangle is a kMesh
  float round{0};  ///< [m] as ShapeGeometry::round
  std::uint32_t first_face{0};  ///< [1] in PictureGeometry::faces; of a triangle the normals at its corners
  std::uint32_t face_count{0};  ///< [1] of a hull; of a triangle 3, or 0 if it is flat
  std::uint32_t plain{0};       ///< [1] 1: without the marks that show its rotation
};

struct PicturePlane {
  Vec3 normal;   ///< [1]
  float offset;  ///< [m] from the picture's origin; of a hull's face from its own
};

struct Ray {
  Vec3 origin;     ///< [m]
  Vec3 direction;  ///< [1] unit, no component of it zero
};

struct PictureHit {
  float t;              ///< [m] along the ray
  Vec3 normal;          ///< [1] outwards
  std::uint32_t shape;  ///< [1] kNone for a plane and for no hit
  bool any;             ///< [1] false: the ray leaves the scene
};

/// Makes no component zero, so that slabs can be divided by it.
CAIRN_HD Ray make_ray(Vec3 origin, Vec3 direction) {
  const auto away = [](float a) { return abs(a) < 1e-12f ? 1e-12f : a; };
  return {origin, {away(direction.x), away(direction.y), away(direction.z)}};
}

/// Distance at which a ray enters the box about the origin with these half extents; negative if it doesn't. `axis` is
/// the face's.
CAIRN_HD float enter_box(Vec3 origin, Vec3 direction, Vec3 half, int& axis) {
  float in = -1e30f, out = 1e30f;
  axis = 0;
  for (int k = 0; k < 3; ++k) {
    const float o = component(origin, k), d = component(direction, k);
    const float inv = 1.0f / d, middle = -o * inv, reach = component(half, k) * abs(inv);
    if (middle - reach > in) {
      in = middle - reach;
      axis = k;
    }
    out = min(out, middle + reach);
  }
  return in <= out ? in : -1.0f;
}

/// Distance at which a ray enters a sphere; negative if it doesn't. Computed from the nearest point of the ray, which
/// keeps its digits when far.
CAIRN_HD float enter_sphere(Vec3 origin, Vec3 direction, float radius) {
  const float along = -dot(origin, direction);
  const Vec3 nearest = fma(along, direction, origin);
  const float room = fma(radius, radius, -dot(nearest, nearest));
  return room > 0.0f ? along - sqrt(room) : -1.0f;
}

/// Distance at which a ray enters a capsule along z; negative if it doesn't.
CAIRN_HD float enter_capsule(Vec3 origin, Vec3 direction, float radius, float half) {
  const float a = fma(direction.x, direction.x, direction.y * direction.y);
  float end = direction.z > 0.0f ? -half : half;
  if (a > 1e-10f) {
    const float along = -fma(origin.x, direction.x, origin.y * direction.y) / a;
    const float x = fma(along, direction.x, origin.x), y = fma(along, direction.y, origin.y);
    const float room = fma(radius, radius, -fma(x, x, y * y));
    if (!(room > 0.0f)) return -1.0f;
    const float t = along - sqrt(room / a);
    const float z = fma(t, direction.z, origin.z);
    if (abs(z) <= half) return t;
    end = z > 0.0f ? half : -half;
  }
  return enter_sphere({origin.x, origin.y, origin.z - end}, direction, radius);
}

/// Entry of a ray in a shape's own axes.
struct Entry {
  float t;      ///< [m] negative if it doesn't
  Vec3 normal;  ///< [1] in the shape's axes
};
inline constexpr Entry kNoEntry{-1.0f, {0, 0, 1}};

/// With the cone x^2 + y^2 = (middle + slope z)^2, from the ray's point nearest to the centre, which keeps its digits
/// when far.
CAIRN_HD Entry enter_frustum(const Ray& ray, Vec3 size) {
  const float shift = -dot(ray.origin, ray.direction);
  const Vec3 o = fma(shift, ray.direction, ray.origin), d = ray.direction;
  const float middle = 0.5f * (size.x + size.y), slope = (size.y - size.x) / (2.0f * size.z);
  const float end = d.z > 0.0f ? -size.z : size.z, through = (end - o.z) / d.z;
  const float x = fma(through, d.x, o.x), y = fma(through, d.y, o.y), at_end = fma(slope, end, middle);
  if (fma(x, x, y * y) <= at_end * at_end) return {through + shift, {0, 0, d.z > 0.0f ? -1.0f : 1.0f}};
  const float radius = fma(slope, o.z, middle), widens = slope * d.z;
  const float a = fma(d.x, d.x, d.y * d.y) - widens * widens;
  const float b = fma(o.x, d.x, o.y * d.y) - widens * radius;
  const float c = fma(o.x, o.x, o.y * o.y) - radius * radius;
  const float room = fma(b, b, -(a * c));
  if (!(room > 0.0f)) return kNoEntry;
  const float q = -(b + (b < 0.0f ? -sqrt(room) : sqrt(room)));
  Entry best = kNoEntry;
  for (int k = 0; k < 2; ++k) {
    const float t = k == 0 ? q / a : c / q;
    const Vec3 p = fma(t, d, o);
    const float r = fma(slope, p.z, middle);
    if (!(abs(p.z) <= size.z && r >= 0.0f) || (best.t > 0.0f && !(t + shift < best.t))) continue;
    best = {t + shift, normalized(Vec3{p.x, p.y, -slope * r}, Vec3{0, 0, 1})};
  }
  return best;
}

CAIRN_HD Entry enter_ellipsoid(const Ray& ray, Vec3 size) {
  const Vec3 inv{1.0f / size.x, 1.0f / size.y, 1.0f / size.z}, d = mul(ray.direction, inv);
  const float stretch = length(d);
  const float t = enter_sphere(mul(ray.origin, inv), (1.0f / stretch) * d, 1.0f) / stretch;
  const Vec3 p = fma(t, ray.direction, ray.origin);
  return {t, normalized(mul(mul(p, inv), inv), Vec3{0, 0, 1})};
}

/// Steps along the ray by the distance to the surface (Hart 1996), from its entry into the box around it.
CAIRN_HD Entry enter_rounded_box(const Ray& ray, Vec3 size, float round) {
  constexpr int kSteps = 32;
  int axis = 0;
  const Vec3 outer = size + Vec3{round, round, round};
  float t = enter_box(ray.origin, ray.direction, outer, axis);
  if (!(t > 0.0f)) return kNoEntry;
  for (int k = 0; k < kSteps; ++k) {
    const Vec3 p = fma(t, ray.direction, ray.origin), past = abs(p) - size, out = max(past, Vec3{0, 0, 0});
    const float away = length(out) - round;
    // a ray that grazes an edge doesn't converge: near enough counts
    if (away < (k + 1 < kSteps ? 1e-3f : 0.02f) * round) {
      const auto side = [](float a, float b) { return a < 0.0f ? -b : b; };
      return {t, normalized(Vec3{side(p.x, out.x), side(p.y, out.y), side(p.z, out.z)}, Vec3{0, 0, 1})};
    }
    if (max_component(abs(p) - outer) > 1e-3f * round) break;
    t += away;
  }
  return kNoEntry;
}

CAIRN_HD Entry enter_hull(const Ray& ray, const PicturePlane* face, std::uint32_t count) {
  Entry in{-1e30f, {0, 0, 1}};
  float out = 1e30f;
  for (std::uint32_t k = 0; k < count; ++k) {
    const float closing = dot(face[k].normal, ray.direction), above = dot(face[k].normal, ray.origin) - face[k].offset;
    const float t = -above / closing;
    if (closing < 0.0f && t > in.t) in = {t, face[k].normal};
    if (closing > 0.0f) out = min(out, t);
    if (closing == 0.0f && above > 0.0f) return kNoEntry;
  }
  // (a conditional would take the constant's address, which device code doesn't have)
  if (in.t <= out) return in;
  return kNoEntry;
}

/// Hit of a ray with a triangle, from either side (Moeller and Trumbore 1997), all in world axes.
CAIRN_HD Entry meet_triangle(const PictureShape& s, const Ray& ray) {
  const Vec3 e = s.axes.x, f = s.axes.y, o = ray.origin - s.centre - s.size;
  const Vec3 p = cross(ray.direction, f);
  const float det = dot(e, p);
  if (!(abs(det) > 0.0f)) return kNoEntry;
  const float u = dot(o, p) / det;
  const Vec3 q = cross(o, e);
  const float v = dot(ray.direction, q) / det;
  // extends each edge by a hair, so that no ray passes between two triangles
  constexpr float kHair = -1e-5f;
  if (!(u >= kHair && v >= kHair && u + v <= 1.0f - kHair)) return kNoEntry;
  const Vec3 n = normalized(cross(e, f), Vec3{0, 0, 1});
  return {dot(f, q) / det, dot(n, ray.direction) > 0.0f ? -n : n};
}

CAIRN_HD Entry enter_plain(const PictureShape& shape, const Ray& local) {
  int axis = 0;
  float t = -1.0f;
  if (shape.kind == ShapeKind::kBox) t = enter_box(local.origin, local.direction, shape.size, axis);
  if (shape.kind == ShapeKind::kSphere) t = enter_sphere(local.origin, local.direction, shape.size.x);
  if (shape.kind == ShapeKind::kCapsule) t = enter_capsule(local.origin, local.direction, shape.size.x, shape.size.z);
  if (!(t > 0.0f)) return kNoEntry;
  if (shape.kind == ShapeKind::kBox) {
    const float side = component(local.direction, axis) > 0.0f ? -1.0f : 1.0f;
    return {t, {axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f}};
  }
  const Vec3 p = fma(t, local.direction, local.origin);
  const float core = shape.kind == ShapeKind::kCapsule ? clamp(p.z, -shape.size.z, shape.size.z) : 0.0f;
  return {t, normalized(Vec3{p.x, p.y, p.z - core}, Vec3{0, 0, 1})};
}

/// Puts the shape into `hit` if the ray enters it before hit.t; of equal distances the lower shape stays. `faces` are
/// those of all hulls.
CAIRN_HD void meet_shape(const PictureShape& shape, std::uint32_t index, const Ray& ray, PictureHit& hit,
                         const PicturePlane* faces = nullptr) {
  Entry in;
  const bool triangle = shape.kind == ShapeKind::kMesh;
  if (triangle) {
    in = meet_triangle(shape, ray);
  } else {
    const Vec3 o = transpose_mul(shape.axes, ray.origin - shape.centre);
    const Ray local = make_ray(o, transpose_mul(shape.axes, ray.direction));
    if (shape.kind == ShapeKind::kFrustum)
      in = enter_frustum(local, shape.size);
    else if (shape.kind == ShapeKind::kEllipsoid)
      in = enter_ellipsoid(local, shape.size);
    else if (shape.kind == ShapeKind::kRoundedBox)
      in = enter_rounded_box(local, shape.size, shape.round);
    else if (shape.kind == ShapeKind::kHull)
      in = enter_hull(local, faces + shape.first_face, shape.face_count);
    else
      in = enter_plain(shape, local);
  }
  if (!(in.t > 0.0f) || in.t > hit.t || (in.t == hit.t && hit.shape < index)) return;
  hit = {in.t, triangle ? in.normal : shape.axes * in.normal, index, true};
}

}  // namespace cairn::kernels
