#pragma once
// Min translation that separates two convex bodies, given by their support functions, in double precision: the point of
// the Minkowski difference nearest to the origin (Gilbert, Johnson, Keerthi 1988) while the origin is outside, the
// nearest face of a growing polytope (van den Bergen 2001) while it is inside. Independent of kernels/.

#include <functional>

#include "src/quality/math.h"

namespace cairn::quality {

/// The farthest point of the body along a direction of any length.
using Support = std::function<reference::Vec3(reference::Vec3)>;

/// [m] Distance of two bodies, or minus the min translation that separates them, to within `tolerance`. For distances
/// of `far` or more, any value of at least `far`.
double distance(const Support& a, const Support& b, double tolerance, double far);

}  // namespace cairn::quality
