#pragma once
// Shapes where they are, in double precision. Independent of kernels/.

#include <array>
#include <cmath>

#include "cairn/scene.h"
#include "src/reference/math.h"

namespace cairn::quality {

using reference::Vec3;

enum class Kind { kBall, kBox, kPlane, kFrustum, kEllipsoid, kHull, kMesh, kField };

/// A shape in world space, anything but a tube: that is several (shape::parts_of). A sphere or capsule is a ball swept
/// along a segment, a rounded box one swept through a box.
struct PlacedShape {
  Kind kind{Kind::kBall};
  Vec3 x;                      ///< [m] its origin; a point on a plane
  std::array<Vec3, 3> axis{};  ///< [1] unit axes; [2] is the direction of what is round and a plane's normal
  Vec3 half;                   ///< [m] half extents of a box, or of the bounds of a hull, mesh or height field; radii
                               ///<     of an ellipsoid; z is the half height of a capsule or frustum
  double radius{0};            ///< [m] of the ball that is swept; a frustum's at the bottom
  double top_radius{0};        ///< [m] of a frustum
  Vec3 offset;                 ///< [m] middle of the bounds of a hull, mesh or height field, in its own axes
  const detail::HullData* hull{nullptr};    ///< what a hull is; the geometry that was placed keeps it
  const detail::MeshData* mesh{nullptr};    ///< the same
  const detail::FieldData* field{nullptr};  ///< the same
};

PlacedShape place(const Shape& shape, const BodyState& body);

/// [m] Half extents of the box along the world's axes that holds the shape, about its `middle`. Planes have none.
Vec3 bounds(const PlacedShape& shape);
Vec3 middle(const PlacedShape& shape);

/// A vector in the shape's own axes, and back.
Vec3 to_local(const PlacedShape& s, Vec3 v);
Vec3 to_world(const PlacedShape& s, Vec3 v);

/// True for meshes and height fields.
bool is_surface(const PlacedShape& s);

/// [m] Radius of the ball that is swept through what `support_of` knows of the shape.
double swept_radius(const PlacedShape& s);
/// The point of the shape, without the ball that is swept along it, that is farthest along d; both in its own axes.
Vec3 support_of(const PlacedShape& s, Vec3 d);
/// [m] How far the shape reaches along the unit vector n.
double reach_along(const PlacedShape& s, Vec3 n);

inline Vec3 wide(cairn::Vec3 v) { return {v.x, v.y, v.z}; }
/// By sqrt, which is exact everywhere; hypot is not.
inline Vec3 unit(Vec3 v) { return v / std::sqrt(dot(v, v)); }

}  // namespace cairn::quality
