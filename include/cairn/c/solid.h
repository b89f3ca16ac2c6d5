#pragma once
// Hulls, meshes and height fields: solids of shapes.

#include "cairn/c/common.h"

typedef enum cairn_shape_kind {
  CAIRN_SPHERE = 0,
  CAIRN_BOX = 1,
  CAIRN_CAPSULE = 2,
  CAIRN_PLANE = 3,
  CAIRN_CYLINDER = 4,
  CAIRN_CONE = 5,
  CAIRN_TAPERED_CYLINDER = 6,
  CAIRN_TUBE = 7,
  CAIRN_ELLIPSOID = 8,
  CAIRN_ROUNDED_BOX = 9,
  CAIRN_HULL = 10,
  CAIRN_MESH = 11,         ///< static and kinematic bodies only
  CAIRN_HEIGHT_FIELD = 12  ///< static and kinematic bodies only
} cairn_shape_kind;

/// A hull, a mesh or a height field of shapes. It never changes; scenes and worlds share its data, so that it may be
/// destroyed once it is in their shapes.
typedef struct cairn_solid cairn_solid;

/// The convex hull of `count` points, [m] (count, 3). At most 1024 of them may be its vertices.
CAIRN_API cairn_result cairn_hull_create(const float* points, size_t count, cairn_solid** solid);
/// Triangles, [1] (triangle_count, 3) vertices, counter-clockwise seen from outside; vertices [m] (vertex_count, 3).
/// Vertices at one place become one, and triangles without an area are left out.
CAIRN_API cairn_result cairn_mesh_create(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                         size_t triangle_count, cairn_solid** solid);
/// Heights along z, [m] (rows, columns), over a grid in x and y that begins at the origin; solid below. `count` is
/// rows * columns.
CAIRN_API cairn_result cairn_height_field_create(uint32_t columns, uint32_t rows, float spacing, const float* heights,
                                                 size_t count, cairn_solid** solid);
/// From an OBJ or STL file, its coordinates times `scale`: a CAIRN_HULL of its vertices, or a CAIRN_MESH.
CAIRN_API cairn_result cairn_solid_load(const char* path, int32_t kind, float scale, cairn_solid** solid);
CAIRN_API void cairn_solid_destroy(cairn_solid* solid);
CAIRN_API cairn_result cairn_solid_kind(const cairn_solid* solid, int32_t* kind);
/// Vertices of a hull or a mesh, [m] (count, 3), written if `size` is no smaller than their number, `count`. `vertices`
/// may be null if `size` is 0. Height fields have none.
CAIRN_API cairn_result cairn_solid_vertices(const cairn_solid* solid, float* vertices, size_t size, size_t* count);
/// The same for triangles of a mesh, [1] (count, 3).
CAIRN_API cairn_result cairn_solid_triangles(const cairn_solid* solid, uint32_t* triangles, size_t size, size_t* count);
/// The same for samples of a height field, [m] (count), and their grid.
CAIRN_API cairn_result cairn_solid_heights(const cairn_solid* solid, uint32_t* columns, uint32_t* rows, float* spacing,
                                           float* heights, size_t size, size_t* count);
