#pragma once
// Overlap of two placed shapes, in double precision: the separating axis test over at most 15 axes for boxes
// (Gottschalk, Lin, Manocha, OBBTree, 1996), nearest points for balls and capsules, and for other shapes the min
// translation by convex.h. Independent of kernels/.

#include "src/quality/placed.h"

namespace cairn::quality {

/// [m] Min translation that separates the two shapes; 0 if they don't overlap. For a surface (mesh or height field),
/// the largest over its triangles. For a shape whose centre is below a height field, at least the height to lift it
/// out. 0 for two shapes that are planes or surfaces.
double penetration(const PlacedShape& a, const PlacedShape& b);

}  // namespace cairn::quality
