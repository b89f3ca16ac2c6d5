#pragma once
// Least translation that parts two convex bodies that are given by their support functions, in double precision: the
// point of the Minkowski difference that is nearest to the origin (Gilbert, Johnson, Keerthi 1988) while that is
// outside, the nearest face of a growing polytope (van den Bergen 2001) while it is inside. Independent of kernels/.

#include <functional>

#include "src/reference/math.h"

namespace cairn::quality {

/// The point of the body that is farthest along a direction of any length.
using Support = std::function<reference::Vec3(reference::Vec3)>;

/// [m] Distance of two bodies, or minus the least translation that parts them, to within `tolerance`. Distances of
/// `far` or more may come out as anything of `far` or more.
double distance(const Support& a, const Support& b, double tolerance, double far);

}  // namespace cairn::quality
