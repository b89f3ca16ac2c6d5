#pragma once

#include "cairn/queries.h"
#include "kernels/common/shapes.h"
#include "src/world/solids.h"

namespace cairn {

/// A query's shape as the device takes it. Throws InvalidArgument, naming the query by its number, for what is no
/// convex shape. Takes hulls into the store of shapes that are asked with.
kernels::ShapeGeometry query_shape(const ShapeQuery& query, std::size_t index, SolidStore& solids);

}  // namespace cairn
