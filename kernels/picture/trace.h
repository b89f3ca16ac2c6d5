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
  const PicturePlane* faces{nullptr};  ///< (faces of all hulls, and normals of triangles)
};

inline constexpr int kPictureStack = 64;  ///< [1] the host's tree is never deeper

/// Distance at which a ray enters a node's box, 0 from inside of it; past every reach if it doesn't within `reach`.
CAIRN_HD float enter_node(const PictureNode& node, Vec3 origin, Vec3 inv, float reach) {
  const Vec3 p = mul(node.min - origin, inv), q = mul(node.max - origin, inv);
  const float in = max_component(min(p, q)), out = min_component(max(p, q));
  return in > out || out < 0.0f || in > reach ? 2e30f : max(in, 0.0f);
}

/// First thing that the ray meets within `reach`. With `whatever`, any thing but a plane will do: for shadows. Walls
/// that are planes have no end, and would leave a tank in the dark.
CAIRN_HD PictureHit trace(const PictureGeometry& scene, const Ray& ray, float reach, bool whatever) {
  PictureHit hit{reach, {}, kNone, false};
  for (std::uint32_t k = 0; k < scene.plane_count && !whatever; ++k) {
    const PicturePlane plane = scene.planes[k];
    const float closing = dot(plane.normal, ray.direction);
    const float t = (plane.offset - dot(plane.normal, ray.origin)) / closing;
    if (closing < 0.0f && t > 0.0f && t < hit.t) hit = {t, plane.normal, kNone, true};
  }
  if (scene.shape_count == 0) return hit;

  const Vec3 inv{1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z};
  std::uint32_t stack[kPictureStack];
  float entry[kPictureStack];
  int depth = 0;
  std::uint32_t at = 0;
  if (!(enter_node(scene.nodes[0], ray.origin, inv, hit.t) <= hit.t)) return hit;
  while (true) {
    const PictureNode& node = scene.nodes[at];
    for (std::uint32_t k = 0; k < node.count; ++k)
      meet_shape(scene.shapes[node.first + k], node.first + k, ray, hit, scene.faces);
    if (whatever && hit.any) return hit;
    if (node.count == 0) {
      const float left = enter_node(scene.nodes[node.first], ray.origin, inv, hit.t);
      const float right = enter_node(scene.nodes[node.first + 1], ray.origin, inv, hit.t);
      // the nearer child is looked at first
      const bool left_first = left <= right;
      const float near = left_first ? left : right, far = left_first ? right : left;
      if (far <= hit.t) {
        stack[depth] = node.first + (left_first ? 1u : 0u);
        entry[depth++] = far;
      }
      if (near <= hit.t) {
        at = node.first + (left_first ? 0u : 1u);
        continue;
      }
    }
    // what is met by now may lie before what was put by
    do {
      if (depth == 0) return hit;
      at = stack[--depth];
    } while (entry[depth] > hit.t);
  }
}

}  // namespace cairn::kernels
