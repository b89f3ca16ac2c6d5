#pragma once
// Surfaces: the triangles of meshes and height fields, and their contacts.

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/triangle.h"

namespace cairn::kernels {

/// The samples of a height field as points, in its own frame.
struct GridPoints {
  const HeightGrid& grid;
  const float* height;

  CAIRN_HD bool has(int i, int j) const {
    return i >= 0 && j >= 0 && i < static_cast<int>(grid.columns) && j < static_cast<int>(grid.rows);
  }
  CAIRN_HD Vec3d operator()(int i, int j) const {
    const std::uint64_t at = grid.height + static_cast<std::uint64_t>(j) * grid.columns + static_cast<std::uint64_t>(i);
    return {static_cast<double>(i) * grid.spacing, static_cast<double>(j) * grid.spacing, height[at]};
  }
};

CAIRN_HD Vec3d unit_normal(Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d n = cross(b - a, c - a);
  return (1.0 / length(n)) * n;
}

/// [1] MeshTriangle::bend of a face over its edge from `from` to `to`, with the triangle of tip (i, j) beyond it.
CAIRN_HD float bend_over(const GridPoints& at, Vec3d face, Vec3d from, Vec3d to, int i, int j) {
  if (!at.has(i, j)) return 0.0f;
  const Vec3d tip = at(i, j);
  if (dot(face, tip - from) >= 0.0) return 1.0f;
  return static_cast<float>(max(dot(face, unit_normal(to, from, tip)), 0.0));
}

/// Triangle `number` of a height field: the lower right or the upper left one of cell number / 2.
CAIRN_HD MeshTriangle triangle_of(const HeightGrid& grid, const float* height, std::uint32_t number) {
  const GridPoints at{grid, height};
  const std::uint32_t cell = number >> 1, row = cell / (grid.columns - 1);
  const int i = static_cast<int>(cell - row * (grid.columns - 1)), j = static_cast<int>(row);
  const bool upper = (number & 1u) != 0;
  const Vec3d a = at(i, j), b = upper ? at(i + 1, j + 1) : at(i + 1, j), c = upper ? at(i, j + 1) : at(i + 1, j + 1);
  const Vec3d n = unit_normal(a, b, c);
  MeshTriangle t{narrow(a), narrow(b), narrow(c), {}};
  t.bend.x = upper ? bend_over(at, n, a, b, i + 1, j) : bend_over(at, n, a, b, i, j - 1);
  t.bend.y = upper ? bend_over(at, n, b, c, i + 1, j + 2) : bend_over(at, n, b, c, i + 2, j + 1);
  t.bend.z = upper ? bend_over(at, n, c, a, i - 1, j) : bend_over(at, n, c, a, i, j + 1);
  return t;
}

CAIRN_HD MeshTriangle triangle_of(const ShapeGeometry& g, const Solids& solids, std::uint32_t number) {
  if (g.kind == ShapeKind::kMesh) return solids.mesh_triangle[solids.mesh[g.data].triangle + number];
  return triangle_of(solids.grid[g.data], solids.height, number);
}

/// Contact points of shape A, which is no surface, and a triangle of surface B; as collide_shapes.
CAIRN_HD ContactPoints collide_surface(const ShapeGeometry& ga, const ShapePose& pa, const ShapeGeometry& gb,
                                       const ShapePose& pb, std::uint32_t triangle, const Solids& solids, float margin,
                                       Epa& epa) {
  if (!finite(ga, pa) || !finite(gb, pb) || !finite(margin)) return no_contact();
  const MeshTriangle t = triangle_of(gb, solids, triangle);
  return usable(collide_triangle(convex_of(ga, pa, solids), t, gb.size.x, pb, margin, epa), margin);
}

}  // namespace cairn::kernels
