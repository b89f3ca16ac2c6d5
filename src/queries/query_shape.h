#pragma once

#include "cairn/queries.h"
#include "kernels/common/shapes.h"
#include "src/world/solids.h"

namespace cairn {

/// A query's shape in the device's form. Throws InvalidArgument, naming the query by its number, for a shape that isn't
/// convex. Adds hulls to the store of the queries' shapes.
kernels::ShapeGeometry query_shape(const ShapeQuery& query, std::size_t index, SolidStore& solids);

}  // namespace cairn
