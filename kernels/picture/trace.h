#pragma once
// Where a ray first meets the bodies of a picture: shapes in a tree of boxes, planes in a list.

#include <cstdint>

#include "kernels/common/state.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

struct PictureShape {
  Mat3 axes;       ///< [1]   the shape's axes in the world
  Vec3 centre;     ///< [m]   from the picture's origin
  Vec3 size;       ///< [m]   as ShapeGeometry::size
  Vec3 color;      ///< [1]   share of red, green and blue light that it throws back
  ShapeKind kind;  ///< [1]   anything but a plane
};

/// Inner nodes have their children at `first` and `first + 1`; leaves have the shapes first .. first + count - 1.
struct PictureNode {
  Vec3 min;             ///< [m]
  std::uint32_t first;  ///< [1]
  Vec3 max;             ///< [m]
  std::uint32_t count;  ///< [1] shapes; 0 for an inner node
};

struct PicturePlane {
  Vec3 normal;   ///< [1]
  float offset;  ///< [m] from the picture's origin
};

/// Where the bodies are. All arrays are owned by the host side of the picture.
struct PictureGeometry {
  const PictureShape* shapes;  ///< (shapes) in the tree's order
  const PictureNode* nodes;    ///< (nodes) the root first; depth at most kPictureStack
  const PicturePlane* planes;  ///< (planes)
  std::uint32_t shape_count;   ///< [1]
  std::uint32_t plane_count;   ///< [1]
};

inline constexpr int kPictureStack = 64;  ///< [1] the host's tree is never deeper

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

/// Distance at which a ray enters the box about the origin with these half extents; negative if it doesn't. `axis` is the face's.
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

/// Distance at which a ray enters a sphere; negative if it doesn't. By the nearest point of the ray, which keeps its digits when far.
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

/// First thing that the ray meets within `reach`. With `whatever`, any thing will do: for shadows.
CAIRN_HD PictureHit trace(const PictureGeometry& scene, const Ray& ray, float reach, bool whatever) {
  PictureHit hit{reach, {}, kNone, false};
  for (std::uint32_t k = 0; k < scene.plane_count; ++k) {
    const PicturePlane plane = scene.planes[k];
    const float closing = dot(plane.normal, ray.direction);
    const float t = (plane.offset - dot(plane.normal, ray.origin)) / closing;
    if (closing < 0.0f && t > 0.0f && t < hit.t) hit = {t, plane.normal, kNone, true};
  }
  if (scene.shape_count == 0 || (whatever && hit.any)) return hit;

  const Vec3 d = ray.direction, inv{1.0f / d.x, 1.0f / d.y, 1.0f / d.z};
  std::uint32_t stack[kPictureStack];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const PictureNode node = scene.nodes[stack[--depth]];
    const Vec3 p = mul(node.min - ray.origin, inv), q = mul(node.max - ray.origin, inv);
    const float in = max_component(min(p, q)), out = min_component(max(p, q));
    if (in > out || out < 0.0f || in > hit.t) continue;
    for (std::uint32_t k = 0; k < node.count; ++k) meet_shape(scene.shapes[node.first + k], node.first + k, ray, hit);
    if (whatever && hit.any) return hit;
    if (node.count > 0) continue;
    // the nearer child is looked at first
    const PictureNode& left = scene.nodes[node.first];
    const PictureNode& right = scene.nodes[node.first + 1];
    const bool left_first = dot((right.min + right.max) - (left.min + left.max), d) > 0.0f;
    stack[depth++] = left_first ? node.first + 1 : node.first;
    stack[depth++] = left_first ? node.first : node.first + 1;
  }
  return hit;
}

}  // namespace cairn::kernels
