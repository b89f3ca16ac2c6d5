#pragma once
// Triangle meshes over a grid.

#include <cstdint>
#include <vector>

#include "cairn/geometry.h"

namespace cairn::testing_support {

/// Columns by rows of vertices, each where `place` puts it, and two triangles in each cell.
template <class Place>
TriangleMesh grid_mesh(std::uint32_t columns, std::uint32_t rows, const Place& place) {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Triangle> triangles;
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      const std::uint32_t a = j * columns + i, d = a + columns;
      vertices.push_back(place(i, j));
      if (i + 1 < columns && j + 1 < rows) triangles.insert(triangles.end(), {{a, a + 1, d + 1}, {a, d + 1, d}});
    }
  }
  return TriangleMesh(vertices, triangles);
}

}  // namespace cairn::testing_support
