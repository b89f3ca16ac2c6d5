#pragma once
// Data of hulls, meshes and height fields, in the device's form. Made once, never changed.

#include <cstdint>
#include <vector>

#include "cairn/geometry.h"
#include "kernels/common/solids.h"

namespace cairn::detail {

struct HullData {
  std::vector<Vec3> vertices;            ///< [m] (vertices)
  std::vector<kernels::HullFace> faces;  ///<     (faces) `first` counts from this hull's own corners
  std::vector<std::uint16_t> corners;    ///< [1] vertices of the faces, one face after the other, counter-clockwise
  Vec3 centre;                           ///< [m] mean of the vertices: a point inside
  Vec3 lower, upper;                     ///< [m] bounds
  float radius;                          ///< [m] of the farthest vertex from the origin
  float thickness;                       ///< [m] half the min over faces of the distance to the farthest vertex
  std::uint64_t hash;                    ///< [1] XXH3 of the vertices
};

struct MeshData {
  std::vector<Vec3> vertices;                    ///< [m] (vertices) all at different places
  std::vector<TriangleMesh::Triangle> indices;   ///< [1] (triangles) as given, without those without area
  std::vector<TriangleMesh::Triangle> seams;     ///< [1] those without area whose corners are three vertices in use
  std::vector<kernels::MeshTriangle> triangles;  ///<     (triangles) in the order of the tree's leaves
  std::vector<std::uint32_t> given;              ///< [1] (triangles) index in `indices` of each of `triangles`
  std::vector<kernels::MeshNode> nodes;          ///<     (nodes) the root first
  Vec3 lower, upper;                             ///< [m] bounds
  std::size_t dropped;                           ///< [1] triangles without area
  std::uint64_t hash;                            ///< [1] XXH3 of vertices and indices
};

struct FieldData {
  std::uint32_t columns, rows;  ///< [1]
  float spacing;                ///< [m]
  std::vector<float> heights;   ///< [m] (rows, columns)
  float lowest, highest;        ///< [m]
  std::uint64_t hash;           ///< [1] XXH3 of all of it
};

}  // namespace cairn::detail
