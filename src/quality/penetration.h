#pragma once
// Overlap of two placed shapes, in double precision: the separating axis test over at most 15 axes for boxes
// (Gottschalk, Lin, Manocha, OBBTree, 1996), nearest points for balls and capsules, and for all else the least
// translation by convex.h. Independent of kernels/.

#include "src/quality/placed.h"

namespace cairn::quality {

/// [m] Least translation that parts the two shapes; 0 if they don't overlap. Of a surface (mesh or height field) that
/// of its triangles which takes the most, and of what has its middle below a height field no less than it takes to
/// lift it out. Two of planes and surfaces give 0.
double penetration(const PlacedShape& a, const PlacedShape& b);

}  // namespace cairn::quality
