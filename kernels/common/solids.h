#pragma once
// Data of shapes with many numbers: hulls, meshes and height fields. Each is stored once, however many shapes and
// worlds use it.

#include <cstdint>

#include "kernels/common/vec.h"

namespace cairn::kernels {

struct HullFace {
  Vec3 normal;          ///< [1] unit, outwards
  float offset;         ///< [m] normal . p of its points
  std::uint32_t first;  ///< [1] of its corners
  std::uint32_t count;  ///< [1] corners, at least 3
};

struct Hull {
  std::uint32_t vertex, vertex_count;  ///< [1] range of Solids::hull_vertex
  std::uint32_t face, face_count;      ///< [1] range of Solids::hull_face
  std::uint32_t corner;                ///< [1] first of Solids::hull_corner
  Vec3 centre;                         ///< [m] a point inside
  float radius;                        ///< [m] distance of its farthest vertex from its origin
  float thickness;                     ///< [m] half of the min width over its faces (from a face to the vertex farthest
                                       ///<     behind it)
};

/// A triangle, and the limit over each edge of contact normals (kernels/collide/triangle.h).
struct MeshTriangle {
  Vec3 a, b, c;  ///< [m] counter-clockwise seen from outside
  Vec3 bend;     ///< [1] (a-b, b-c, c-a) cosine of the angle from this face's normal to the neighbour's where the
                 ///<     surface bends away from its front, at least 0; 1 where it is flat or concave; 0 for an edge of
                 ///<     its own
};

/// A node of a mesh's tree of boxes. Inner nodes have their children at `first` and `first + 1`; leaves have triangles
/// first .. first + count - 1. Max depth kMeshDepth.
struct MeshNode {
  Vec3 lower, upper;    ///< [m]
  std::uint32_t first;  ///< [1]
  std::uint32_t count;  ///< [1] triangles; 0 for an inner node
};
inline constexpr int kMeshDepth = 48;

struct Mesh {
  std::uint32_t triangle, triangle_count;  ///< [1] range of Solids::mesh_triangle
  std::uint32_t node;                      ///< [1] first of Solids::mesh_node; `first` in nodes counts from there, or
                                           ///<     from `triangle`
  Vec3 lower, upper;                       ///< [m] bounds
};

/// Cell (i, j) has triangles 2 (j (columns - 1) + i) and the next: that of (i, j), (i + 1, j), (i + 1, j + 1), and that
/// of (i, j), (i + 1, j + 1), (i, j + 1).
struct HeightGrid {
  std::uint32_t columns, rows;  ///< [1] samples
  std::uint64_t height;         ///< [1] first of Solids::height
  float spacing;                ///< [m]
  float lowest, highest;        ///< [m]
};

struct Solids {
  const Hull* hull;                   ///<     (hulls)
  const Vec3* hull_vertex;            ///< [m] (vertices of all hulls)
  const HullFace* hull_face;          ///<     (faces of all hulls)
  const std::uint16_t* hull_corner;   ///< [1] (corners of all faces) vertices of their hull
  const Mesh* mesh;                   ///<     (meshes)
  const MeshTriangle* mesh_triangle;  ///<     (triangles of all meshes)
  const MeshNode* mesh_node;          ///<     (nodes of all meshes)
  const HeightGrid* grid;             ///<     (height fields)
  const float* height;                ///< [m] (samples of all height fields)
  friend bool operator==(const Solids&, const Solids&) = default;
};

/// Walks the tree of a mesh into the boxes for which reaches(lower, upper) is true. Calls found(number, triangle) for
/// each triangle of the leaves that it comes to.
template <class Reaches, class F>
CAIRN_HD void descend_mesh(const Mesh& mesh, const Solids& solids, Reaches&& reaches, F&& found) {
  std::uint32_t stack[kMeshDepth + 1];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const MeshNode node = solids.mesh_node[mesh.node + stack[--depth]];
    if (!reaches(node.lower, node.upper)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first + 1;
      stack[depth++] = node.first;
      continue;
    }
    for (std::uint32_t t = node.first; t < node.first + node.count; ++t) {
      found(t, solids.mesh_triangle[mesh.triangle + t]);
    }
  }
}

}  // namespace cairn::kernels
