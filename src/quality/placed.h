#pragma once
// Shapes at their world poses, in double precision. Independent of kernels/.

#include <array>

#include "cairn/scene.h"
#include "src/quality/math.h"

namespace cairn::quality {

using reference::Vec3;

enum class Kind { kBall, kBox, kPlane, kFrustum, kEllipsoid, kHull, kMesh, kField };

/// A shape in world space, except a tube, which is several (shape::parts_of). A sphere or capsule is a ball swept along
/// a segment, a rounded box one swept through a box.
struct PlacedShape {
  Kind kind{Kind::kBall};
  Vec3 x;                      ///< [m] its origin; a point on a plane
  std::array<Vec3, 3> axis{};  ///< [1] unit axes; [2] is the axis of round shapes and a plane's normal
  Vec3 half;                   ///< [m] half extents of a box, or of the bounds of a hull, mesh or height field; radii
                               ///<     of an ellipsoid; z is the half height of a capsule or frustum
  double radius{0};            ///< [m] of the swept ball; a frustum's at the bottom
  double top_radius{0};        ///< [m] of a frustum
  Vec3 offset;                 ///< [m] middle of the bounds of a hull, mesh or height field, in its own axes
  const detail::HullData* hull{nullptr};    ///< data of a hull; the placed geometry keeps it
  const detail::MeshData* mesh{nullptr};    ///< data of a mesh, kept in the same way
  const detail::FieldData* field{nullptr};  ///< data of a height field, kept in the same way
};

PlacedShape place(const Shape& shape, const BodyState& body);

/// [m] Half extents of the shape's world-axis bounding box, about its `middle`. Planes have none.
Vec3 bounds(const PlacedShape& shape);
Vec3 middle(const PlacedShape& shape);

/// A vector in the shape's own axes, and back.
Vec3 to_local(const PlacedShape& s, Vec3 v);
Vec3 to_world(const PlacedShape& s, Vec3 v);

/// True for meshes and height fields.
bool is_surface(const PlacedShape& s);

/// [m] Radius of the ball swept through the shape of `support_of`.
double swept_radius(const PlacedShape& s);
/// The farthest point along d of the shape without its swept ball; both in its own axes.
Vec3 support_of(const PlacedShape& s, Vec3 d);
/// [m] Support value of the shape along the unit vector n.
double reach_along(const PlacedShape& s, Vec3 n);

template <class T>
Vec3 wide(const Vec3T<T>& v) {
  return {v.x, v.y, v.z};
}
template <class T>
reference::Quat wide(const QuatT<T>& q) {
  return {q.w, q.x, q.y, q.z};
}

}  // namespace cairn::quality
