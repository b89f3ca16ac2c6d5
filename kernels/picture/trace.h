#pragma once
// Where a ray first meets the bodies of a picture: shapes in a tree of boxes, planes in a list.

#include "kernels/picture/trace_shape.h"

namespace cairn::kernels {

/// Inner nodes have their children at `first` and `first + 1`; leaves have the shapes first .. first + count - 1.
struct PictureNode {
  Vec3 min;             ///< [m]
  std::uint32_t first;  ///< [1]
  Vec3 max;             ///< [m]
  std::uint32_t count;  ///< [1] shapes; 0 for an inner node
};

/// Where the bodies are. All arrays are owned by the host side of the picture.
struct PictureGeometry {
  const PictureShape* shapes;          ///< (shapes) in the tree's order
  const PictureNode* nodes;            ///< (nodes) the root first; depth at most kPictureStack
  const PicturePlane* planes;          ///< (planes)
  std::uint32_t shape_count;           ///< [1]
  std::uint32_t plane_count;           ///< [1]
  const PicturePlane* faces{nullptr};  ///< (faces of all hulls)
};

inline constexpr int kPictureStack = 64;  ///< [1] the host's tree is never deeper

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
    for (std::uint32_t k = 0; k < node.count; ++k)
      meet_shape(scene.shapes[node.first + k], node.first + k, ray, hit, scene.faces);
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
