#pragma once

#include "src/scene/checker.h"

namespace cairn::rules {

/// Records the first rule that a geometry breaks on a body of this type.
void check_geometry(Checker& check, BodyType type, const Geometry& geometry);

/// [m] Distance of a shape's farthest point from its origin.
double reach_of(const Geometry& geometry);

}  // namespace cairn::rules
