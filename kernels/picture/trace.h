#pragma once
// First hit of a ray with the bodies of a picture: shapes in a tree of boxes, planes in a list.

#include "kernels/picture/trace_shape.h"

namespace cairn::kernels {

/// A node of up to eight parts, whose boxes a ray is tested against at once.
struct PictureNode {
  static constexpr int kLanes = 8;
  static constexpr float kNowhere = 2e30f;  // [m] beyond every reach
  static constexpr std::uint32_t kCount = 30,
                                 kMaxShapes = 1u << 30;  // first bit of a leaf's count; max shapes

  float low[3][kLanes];        ///< [m] (x y z, lanes) of the boxes; kNowhere in a lane without a part
  float high[3][kLanes];       ///< [m]
  std::uint32_t part[kLanes];  ///< [1] an index among the nodes; or a leaf's first shape, and from kCount on their
                               ///<     count

  CAIRN_HD static std::uint32_t count_of(std::uint32_t part) { return part >> kCount; }
  CAIRN_HD static std::uint32_t first_of(std::uint32_t part) { return part & (kMaxShapes - 1u); }
};

/// The bodies of a picture. The host side of the picture owns all arrays.
struct PictureGeometry {
  const PictureShape* shapes;          ///< (shapes) in the tree's order
  const PictureNode* nodes;            ///< (nodes) the root first; depth at most kPictureDepth
  const PicturePlane* planes;          ///< (planes)
  std::uint32_t shape_count;           ///< [1]
  std::uint32_t plane_count;           ///< [1]
  const PicturePlane* faces{nullptr};  ///< (faces of all hulls, and normals of triangles)
};

inline constexpr int kPictureDepth = 22;  ///< [1] max depth of the host's tree

/// First hit of the ray within `reach`. With `any_hit`, any except planes will do: for shadows. Walls that are
/// planes have no end, and would leave a tank in the dark.
CAIRN_HD PictureHit trace(const PictureGeometry& scene, const Ray& ray, float reach, bool any_hit) {
  PictureHit hit{reach, {}, kNone, false};
  for (std::uint32_t k = 0; k < scene.plane_count && !any_hit; ++k) {
    const PicturePlane plane = scene.planes[k];
    const float closing = dot(plane.normal, ray.direction);
    const float t = (plane.offset - dot(plane.normal, ray.origin)) / closing;
    if (closing < 0.0f && t > 0.0f && t < hit.t) hit = {t, plane.normal, kNone, true};
  }
  if (scene.shape_count == 0) return hit;

  const Vec3 inv{1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z};
  constexpr int kLanes = PictureNode::kLanes;
  std::uint32_t stack[(kLanes - 1) * kPictureDepth + 1];
  float entry[(kLanes - 1) * kPictureDepth + 1];
  int depth = 1;
  stack[0] = 0;
  entry[0] = 0.0f;
  while (depth > 0) {
    // a hit found meanwhile may lie in front of this entry
    if (entry[--depth] > hit.t) continue;
    const std::uint32_t part = stack[depth], count = PictureNode::count_of(part);
    if (count > 0) {
      const std::uint32_t first = PictureNode::first_of(part);
      for (std::uint32_t k = first; k < first + count; ++k) meet_shape(scene.shapes[k], k, ray, hit, scene.faces);
      if (any_hit && hit.any) return hit;
      continue;
    }
    const PictureNode& node = scene.nodes[part];
    float in[kLanes], out[kLanes];
    for (int k = 0; k < kLanes; ++k) {
      const Vec3 p = mul(Vec3{node.low[0][k], node.low[1][k], node.low[2][k]} - ray.origin, inv);
      const Vec3 q = mul(Vec3{node.high[0][k], node.high[1][k], node.high[2][k]} - ray.origin, inv);
      in[k] = max(max_component(min(p, q)), 0.0f);
      out[k] = min(min_component(max(p, q)), hit.t);
    }
    // the nearest comes first
    const int begin = depth;
    for (int k = 0; k < kLanes; ++k) {
      if (!(in[k] <= out[k])) continue;
      int at = depth++;
      for (; at > begin && entry[at - 1] < in[k]; --at) {
        stack[at] = stack[at - 1];
        entry[at] = entry[at - 1];
      }
      stack[at] = node.part[k];
      entry[at] = in[k];
    }
  }
  return hit;
}

}  // namespace cairn::kernels
