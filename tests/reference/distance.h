#pragma once
// Exact signed distance between two shapes in double precision, so that penetration of any pose pair can be measured.
//
// A sphere, capsule or box is a zonotope (the sum of 0, 1 or 3 segments) plus a ball of radius r. Two shapes touch if
// the difference of their centres lies on the surface of the sum of both. So every pair comes down to one question: how
// far is the origin from the zonotope c + sum s_i g_i, |s_i| <= 1, with at most six generators g_i? Inside, the answer
// is the nearest face; its normal is the cross product of two generators (for two boxes these are the 15 axes of the
// separating axis test: Gottschalk, Lin, Manocha, OBBTree, 1996). Outside, it is the nearest point, which has at most
// two s_i strictly between -1 and 1, since a zonotope's faces are tiled by parallelograms of its generators (Ziegler,
// Lectures on Polytopes, section 7.5): all 496 cases are tried.

#include <variant>
#include <vector>

#include "tests/reference/math.h"

namespace cairn::reference {

struct Sphere {
  double radius;  ///< [m]
};
struct Box {
  Vec3 half_extents;  ///< [m]
};
/// Along local z.
struct Capsule {
  double radius;       ///< [m]
  double half_height;  ///< [m] of the segment between the centres of the caps
};
/// Solid where normal . p <= offset.
struct Plane {
  Vec3 normal;    ///< [1] unit
  double offset;  ///< [m]
};
using Geometry = std::variant<Sphere, Box, Capsule, Plane>;

struct Separation {
  double distance;         ///< [m] positive: apart; negative: minus the min translation that separates (depth)
  double separating_axis;  ///< [m] largest gap between the projections on any axis, as of a separating axis test: equal
                           ///< to `distance` where negative, else a lower bound of it
  Vec3 normal;             ///< [1] from a to b, unit: direction of the nearest points, or of the min translation
  Vec3 point_a, point_b;   ///< [m] on the surfaces: a pair for which point_b - point_a = distance * normal
};

/// Throws std::invalid_argument for two planes.
Separation separation(const Geometry& a, const Pose& pose_a, const Geometry& b, const Pose& pose_b);

/// Nearest distance of the shape's surface from a point, negative inside: the same, with a sphere of radius zero.
double signed_distance(Vec3 point, const Geometry& shape, const Pose& pose);

/// A shape other than a plane as segments plus a ball.
struct Zonotope {
  std::vector<Vec3> generators;  ///< [m] half segments
  double radius{0};              ///< [m]
};
Zonotope zonotope(const Geometry& shape, Quat orientation);

}  // namespace cairn::reference
