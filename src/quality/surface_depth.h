#pragma once

#include "src/quality/placed.h"

namespace cairn::quality {

/// [m] Min translation that separates a shape from the triangles of a mesh or height field, as in `penetration`.
double depth_in_surface(const PlacedShape& surface, const PlacedShape& s);

}  // namespace cairn::quality
