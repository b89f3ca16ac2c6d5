#pragma once
// Steps of making a mesh.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/shape/data.h"

namespace cairn::shape {

/// Vertices at one place made one, in the order in which they came first, and the triangles with them.
struct Welded {
  std::vector<Vec3> vertices;                     ///< [m] only those in use
  std::vector<TriangleMesh::Triangle> triangles;  ///< [1]
};
/// `now_of` gets what became of each vertex: its number, or ~0 where nothing uses it.
Welded weld(std::span<const Vec3> vertices, std::span<const TriangleMesh::Triangle> triangles,
            std::vector<std::uint32_t>* now_of = nullptr);

/// Whether a triangle has an area: it is higher than half a rounding of its coordinates.
bool has_area(const Vec3& a, const Vec3& b, const Vec3& c);

/// MeshTriangle::bend of each triangle. `solid` says which triangles have an area.
std::vector<Vec3> edge_bends(const Welded& mesh, const std::vector<bool>& solid);

/// The tree over triangles, and the order in which its leaves have them.
struct MeshTree {
  std::vector<kernels::MeshNode> nodes;
  std::vector<std::uint32_t> order;  ///< [1] (triangles)
};
MeshTree grow_tree(std::span<const Vec3> vertices, std::span<const TriangleMesh::Triangle> triangles);

}  // namespace cairn::shape
