#pragma once
// Overlap of two placed shapes, in double precision: the separating axis test over at most 15 axes for what has flat
// sides (Gottschalk, Lin, Manocha, OBBTree, 1996), nearest points for what is round. Independent of kernels/.

#include <array>

#include "cairn/scene.h"
#include "src/reference/math.h"

namespace cairn::quality {

using reference::Vec3;

enum class Kind { kBall, kBox, kPlane };

/// A shape in world space. A sphere or capsule is a ball swept along a segment.
struct PlacedShape {
  Kind kind{Kind::kBall};
  Vec3 x;                      ///< [m] centre; a point on a plane
  std::array<Vec3, 3> axis{};  ///< [1] unit axes of a box; [2] is the direction of a capsule and a plane's normal
  Vec3 half;                   ///< [m] half extents of a box; z is the half height of a capsule
  double radius{0};            ///< [m] of the ball; 0 for a box
};

PlacedShape place(const Shape& shape, const BodyState& body);

/// [m] Half extents of the box along the world's axes that holds the shape. Planes have none.
Vec3 bounds(const PlacedShape& shape);

/// [m] Least translation that parts the two shapes; 0 if they don't overlap. Two planes give 0.
double penetration(const PlacedShape& a, const PlacedShape& b);

}  // namespace cairn::quality
