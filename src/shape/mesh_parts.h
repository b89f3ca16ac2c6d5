#pragma once
// Steps of mesh construction.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/shape/data.h"

namespace cairn::shape {

/// Vertices merged by place, in the order of their first occurrence, and the triangles with new indices.
struct Welded {
  std::vector<Vec3> vertices;                     ///< [m] only those in use
  std::vector<TriangleMesh::Triangle> triangles;  ///< [1]
};
/// `now_of` returns the new number of each vertex, or ~0 if it is unused.
Welded weld(std::span<const Vec3> vertices, std::span<const TriangleMesh::Triangle> triangles,
            std::vector<std::uint32_t>* now_of = nullptr);

/// Whether a triangle has an area: it is higher than half a rounding of its coordinates.
bool has_area(const Vec3& a, const Vec3& b, const Vec3& c);

/// MeshTriangle::bend of each triangle. `solid`: which triangles have an area.
std::vector<Vec3> edge_bends(const Welded& mesh, const std::vector<bool>& solid);

}  // namespace cairn::shape
