#pragma once
// The box of a shape. Planes have none.

#include "kernels/collide/convex.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// The box around a shape, in world axes. Surfaces: their own box, turned; others by the support function.
CAIRN_HD Aabb extent_of(const ShapeGeometry& g, const ShapePose& pose, const Solids& solids) {
  if (is_surface(g.kind)) {
    const Mat3 r = matrix_of(pose.q);
    Vec3 lower, upper;
    if (g.kind == ShapeKind::kMesh) {
      lower = solids.mesh[g.data].lower;
      upper = solids.mesh[g.data].upper;
    } else {
      const HeightGrid& grid = solids.grid[g.data];
      lower = {0, 0, grid.lowest};
      upper = {static_cast<float>(grid.columns - 1) * grid.spacing, static_cast<float>(grid.rows - 1) * grid.spacing,
               grid.highest};
    }
    const Vec3 h = (0.5f * g.size.x) * (upper - lower), middle = r * ((0.5f * g.size.x) * (lower + upper));
    const Vec3 half = fma(h.x, abs(r.x), fma(h.y, abs(r.y), h.z * abs(r.z)));
    return {middle - half, middle + half};
  }
  const Convex c = convex_of(g, pose, solids);
  const Vec3d round{c.round, c.round, c.round};
  const Vec3d upper{support(c, {1, 0, 0}).x, support(c, {0, 1, 0}).y, support(c, {0, 0, 1}).z};
  const Vec3d lower{support(c, {-1, 0, 0}).x, support(c, {0, -1, 0}).y, support(c, {0, 0, -1}).z};
  return {narrow(lower - round), narrow(upper + round)};
}

}  // namespace cairn::kernels
