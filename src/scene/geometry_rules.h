#pragma once

#include "src/scene/checker.h"

namespace cairn::rules {

/// Notes the first rule that a geometry breaks on a body of a type.
void check_geometry(Checker& check, BodyType type, const Geometry& geometry);

/// [m] From a shape's origin to its farthest point.
double reach_of(const Geometry& geometry);

}  // namespace cairn::rules
