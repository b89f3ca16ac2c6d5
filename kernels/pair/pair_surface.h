#pragma once
// The triangles of a surface that a box overlaps.

#include "kernels/collide/convex.h"
#include "kernels/pair/grid.h"

namespace cairn::kernels {

/// [1] Bound of the float rounding of a box so far, as a share of its farthest coordinate.
inline constexpr double kLocalRounding = 1e-6;

/// The smallest box in the surface's frame and units around a world box, for a surface at x with rotation q.
CAIRN_HD Aabb local_box(const Aabb& box, Vec3 x, Quat q, float scale) {
  const Mat3d r = matrix_of_any(q);
  const Vec3d low = widen(box.min), high = widen(box.max), at = widen(x);
  const Vec3d centre = transpose_mul(r, 0.5 * (low + high) - at), half = 0.5 * (high - low);
  const auto reach = [&](Vec3d axis) {
    return fma(abs(axis.x), half.x, fma(abs(axis.y), half.y, abs(axis.z) * half.z));
  };
  Vec3d around{reach(r.x), reach(r.y), reach(r.z)};
  const double far = max(max(abs(centre.x), abs(centre.y)), abs(centre.z));
  around = around + Vec3d{kLocalRounding * far, kLocalRounding * far, kLocalRounding * far};
  const double inv = 1.0 / scale;
  return {narrow(inv * (centre - around)), narrow(inv * (centre + around))};
}

/// Calls found(number) for each triangle of a mesh whose box overlaps.
template <class F>
CAIRN_HD void visit_mesh(const Mesh& mesh, const Solids& solids, const Aabb& box, F&& found) {
  const auto reaches = [&](Vec3 lower, Vec3 upper) { return overlap(box, {lower, upper}); };
  descend_mesh(mesh, solids, reaches, [&](std::uint32_t number, const MeshTriangle& t) {
    if (reaches(min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c))) found(number);
  });
}

/// The same for a height field: of each cell below the box, the triangles that reach into it.
template <class F>
CAIRN_HD void visit_grid(const HeightGrid& grid, const float* height, const Aabb& box, F&& found) {
  const float inv = 1.0f / grid.spacing;
  // cells 0 to `last`, and the ones beyond for boxes that lie outside
  const auto cell = [&](float at, std::uint32_t last) {
    return floor_to_int(clamp(at * inv, -1.0f, static_cast<float>(last) + 1.0f));
  };
  const std::uint32_t last_i = grid.columns - 2, last_j = grid.rows - 2;
  const int i0 = cell(box.min.x, last_i), i1 = cell(box.max.x, last_i);
  const int j0 = cell(box.min.y, last_j), j1 = cell(box.max.y, last_j);
  for (int j = j0 < 0 ? 0 : j0; j <= j1 && j <= static_cast<int>(last_j); ++j) {
    for (int i = i0 < 0 ? 0 : i0; i <= i1 && i <= static_cast<int>(last_i); ++i) {
      const float* row = height + grid.height + static_cast<std::uint64_t>(j) * grid.columns;
      const float* above = row + grid.columns;
      const float ha = row[i], hc = above[i + 1];
      for (std::uint32_t upper = 0; upper < 2; ++upper) {
        const float hb = upper == 0 ? row[i + 1] : above[i];
        if (min(min(ha, hb), hc) > box.max.z || max(max(ha, hb), hc) < box.min.z) continue;
        found(2 * (static_cast<std::uint32_t>(j) * (grid.columns - 1) + static_cast<std::uint32_t>(i)) + upper);
      }
    }
  }
}

/// The same for any surface.
template <class F>
CAIRN_HD void visit_triangles(const ShapeGeometry& g, const Solids& solids, const Aabb& box, F&& found) {
  if (g.kind == ShapeKind::kMesh) {
    visit_mesh(solids.mesh[g.data], solids, box, found);
  } else {
    visit_grid(solids.grid[g.data], solids.height, box, found);
  }
}

}  // namespace cairn::kernels
