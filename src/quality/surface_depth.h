#pragma once

#include "src/quality/placed.h"

namespace cairn::quality {

/// [m] Least translation that parts a shape from the triangles of a mesh or height field, as `penetration` says.
double depth_in_surface(const PlacedShape& surface, const PlacedShape& s);

}  // namespace cairn::quality
