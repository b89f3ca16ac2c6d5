#pragma once
// Where two shapes touch or nearly touch: enough points to carry a resting face.

#include <vector>

#include "src/reference/distance.h"

namespace cairn::reference {

// Points of one face share a plane: only then can a body that turns onto it stick at all of them at once.
struct Touch {
  Vec3 point;   ///< [m] world, on the plane or the face, else half way between the surfaces
  Vec3 normal;  ///< [1] from a to b
  double gap;   ///< [m] along the normal, negative where the shapes overlap
};

/// Points with a gap under `margin`. Against a plane: every corner of the shape's core. Where the normal is that of a
/// box's face: the facing feature of the other shape (4 corners of a box, 2 ends of a capsule, 1 point of a sphere),
/// clipped to the face by its sides (Sutherland & Hodgman 1974). Everywhere else, parallel capsules too: the one
/// nearest pair of points.
std::vector<Touch> manifold(const Geometry& a, const Pose& pose_a, const Geometry& b, const Pose& pose_b,
                            double margin);

}  // namespace cairn::reference
