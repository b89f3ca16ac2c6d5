#pragma once
// Contact points of two shapes that touch or nearly touch: enough to carry a resting face.

#include <vector>

#include "tests/reference/distance.h"

namespace cairn::reference {

// Points of one face share a plane: only then can a body that turns onto it stick at all of them at once.
struct Touch {
  Vec3 point;   ///< [m] world, on the plane or the face, else midway between the surfaces
  Vec3 normal;  ///< [1] from a to b
  double gap;   ///< [m] along the normal, negative where the shapes overlap
};

/// Points with a gap under `margin`. Against a plane: every corner of the shape's core. If the normal is that of a
/// box's face: the facing feature of the other shape (4 corners of a box, 2 ends of a capsule, 1 point of a sphere),
/// clipped by the sides of the face (Sutherland & Hodgman 1974). Otherwise, parallel capsules too: the single nearest
/// pair of points.
std::vector<Touch> manifold(const Geometry& a, const Pose& pose_a, const Geometry& b, const Pose& pose_b,
                            double margin);

}  // namespace cairn::reference
