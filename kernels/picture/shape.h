#pragma once
// Where a ray enters a body's shape.

#include <cstdint>

#include "kernels/common/index.h"
#include "kernels/common/shapes.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

struct PictureShape {
  Mat3 axes;       ///< [1]   the shape's axes in the world
  Vec3 centre;     ///< [m]   from the picture's origin
  Vec3 size;       ///< [m]   as ShapeGeometry::size
  Vec3 color;      ///< [1]   share of red, green and blue light that it throws back
  ShapeKind kind;  ///< [1]   anything but a plane
};

struct Ray {
  Vec3 origin;     ///< [m]
  Vec3 direction;  ///< [1] unit, no component of it zero
};

struct PictureHit {
  float t;              ///< [m] along the ray
  Vec3 normal;          ///< [1] outwards
  std::uint32_t shape;  ///< [1] kNone for a plane and for nothing
  bool any;             ///< [1] false: the ray leaves the scene
};

/// No component is zero, so that slabs can be divided by it.
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

/// Distance at which a ray enters a sphere; negative if it doesn't. By the nearest point of the ray, which keeps its
/// digits when far.
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

/// Takes the shape into `hit` if the ray enters it before hit.t; of equal distances the lower shape stays.
CAIRN_HD void meet_shape(const PictureShape& shape, std::uint32_t index, const Ray& ray, PictureHit& hit) {
  const Vec3 o = transpose_mul(shape.axes, ray.origin - shape.centre);
  const Ray local = make_ray(o, transpose_mul(shape.axes, ray.direction));
  int axis = 0;
  float t = -1.0f;
  if (shape.kind == ShapeKind::kBox) t = enter_box(local.origin, local.direction, shape.size, axis);
  if (shape.kind == ShapeKind::kSphere) t = enter_sphere(local.origin, local.direction, shape.size.x);
  if (shape.kind == ShapeKind::kCapsule) t = enter_capsule(local.origin, local.direction, shape.size.x, shape.size.z);
  if (!(t > 0.0f) || t > hit.t || (t == hit.t && hit.shape < index)) return;
  Vec3 n;
  if (shape.kind == ShapeKind::kBox) {
    const float side = component(local.direction, axis) > 0.0f ? -1.0f : 1.0f;
    n = {axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f};
  } else {
    const Vec3 p = fma(t, local.direction, local.origin);
    const float core = shape.kind == ShapeKind::kCapsule ? clamp(p.z, -shape.size.z, shape.size.z) : 0.0f;
    n = normalized(Vec3{p.x, p.y, p.z - core}, Vec3{0, 0, 1});
  }
  hit = {t, shape.axes * n, index, true};
}

}  // namespace cairn::kernels
