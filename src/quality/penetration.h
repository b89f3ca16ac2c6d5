#pragma once
// Overlap of two placed shapes, in double precision: the separating axis test over at most 15 axes for boxes
// (Gottschalk, Lin, Manocha, OBBTree, 1996), nearest points for balls and capsules, and for all else the least
// translation by convex.h. Independent of kernels/.

#include <array>

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
  const shape::HullData* hull{nullptr};    ///< what a hull is; the geometry that was placed keeps it
  const shape::MeshData* mesh{nullptr};    ///< likewise
  const shape::FieldData* field{nullptr};  ///< likewise
};

PlacedShape place(const Shape& shape, const BodyState& body);

/// [m] Half extents of the box along the world's axes that holds the shape, about its `middle`. Planes have none.
Vec3 bounds(const PlacedShape& shape);
Vec3 middle(const PlacedShape& shape);

/// [m] Least translation that parts the two shapes; 0 if they don't overlap. Of a surface (mesh or height field) that
/// of its triangles which takes the most, and of what has its middle below a height field no less than it takes to
/// lift it out. Two of planes and surfaces give 0.
double penetration(const PlacedShape& a, const PlacedShape& b);

}  // namespace cairn::quality
