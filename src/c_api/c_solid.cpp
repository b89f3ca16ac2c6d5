// Hulls, meshes and height fields, and point masses.

#include <cmath>
#include <utility>

#include "src/c_api/c_call.h"
#include "src/exec/exact_floats.h"

namespace cairn::c_api {
namespace {

static_assert(sizeof(Vec3) == 3 * sizeof(float));
static_assert(sizeof(TriangleMesh::Triangle) == 3 * sizeof(std::uint32_t));

template <class T>
const T& solid_of(const Geometry& geometry, const char* kind) {
  if (const T* shape = std::get_if<T>(&geometry)) return *shape;
  throw InvalidArgument(std::string("solid must be ") + kind);
}

Body body_now(const World& world, cairn_handle body, std::int32_t scaled) {
  return scaled != 0 ? world.scales().description(handle(body)) : world.description(handle(body));
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::ConvexHull;
using cairn::Geometry;
using cairn::HeightField;
using cairn::TriangleMesh;
using cairn::Vec3;
using cairn::World;

cairn_result cairn_hull_create(const float* points, size_t count, cairn_solid** solid) {
  return get(out("points, solid", solid), [&] {
    require("points, solid", points);
    return ConvexHull(list_of<Vec3>(points, count, "points"));
  });
}

cairn_result cairn_mesh_create(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                               size_t triangle_count, cairn_solid** solid) {
  return get(out("vertices, triangles, solid", solid), [&] {
    require("vertices, triangles, solid", vertices, triangles);
    return TriangleMesh(list_of<Vec3>(vertices, vertex_count, "vertices"),
                        list_of<TriangleMesh::Triangle>(triangles, triangle_count, "triangles"));
  });
}

cairn_result cairn_height_field_create(uint32_t columns, uint32_t rows, float spacing, const float* heights,
                                       size_t count, cairn_solid** solid) {
  return get(out("heights, solid", solid), [&] {
    require("heights, solid", heights);
    return HeightField(columns, rows, spacing, {heights, count});
  });
}

cairn_result cairn_solid_load(const char* path, int32_t kind, float scale, cairn_solid** solid) {
  return get(out("path, solid", solid), [&]() -> Geometry {
    require("path, solid", path);
    if (kind != CAIRN_HULL && kind != CAIRN_MESH)
      throw cairn::InvalidArgument("kind must be CAIRN_HULL or CAIRN_MESH, is " + std::to_string(kind));
    if (!(scale > 0) || !std::isfinite(scale)) throw cairn::InvalidArgument("scale must be over 0 and finite");
    const cairn::exec::ExactFloats exact;
    cairn::Surface surface = cairn::load_surface(path);
    for (Vec3& p : surface.vertices) p = {scale * p.x, scale * p.y, scale * p.z};
    if (kind == CAIRN_HULL) return ConvexHull(surface.vertices);
    return TriangleMesh(surface.vertices, surface.triangles);
  });
}

cairn_result cairn_solid_of_body(const cairn_world* world, cairn_handle body, int32_t scaled, uint32_t index,
                                 cairn_solid** solid) {
  return get(world, out("solid", solid), [&](const World& w) {
    cairn::Body from = body_now(w, body, scaled);
    if (index >= from.shapes.size()) {
      throw cairn::InvalidArgument("index must be below " + std::to_string(from.shapes.size()) +
                                   ", the body's shapes, is " + std::to_string(index));
    }
    if (from.shapes[index].geometry.index() < CAIRN_HULL)
      throw cairn::InvalidArgument("shape " + std::to_string(index) + " is no hull, mesh or height field");
    return std::move(from.shapes[index].geometry);
  });
}

void cairn_solid_destroy(cairn_solid* solid) { delete solid; }

cairn_result cairn_solid_kind(const cairn_solid* solid, int32_t* kind) {
  return get(solid, out("solid, kind", kind), [](const Geometry& geometry) { return geometry.index(); });
}

cairn_result cairn_solid_vertices(const cairn_solid* solid, float* vertices, size_t size, size_t* count) {
  return get(solid, out_room("vertices", vertices, size, out("count", count)), [](const Geometry& geometry) {
    const auto* hull = std::get_if<ConvexHull>(&geometry);
    return hull != nullptr ? hull->vertices() : solid_of<TriangleMesh>(geometry, "a hull or a mesh").vertices();
  });
}

cairn_result cairn_solid_triangles(const cairn_solid* solid, uint32_t* triangles, size_t size, size_t* count) {
  return get(solid, out_room("triangles", triangles, size, out("count", count)),
             [](const Geometry& geometry) { return solid_of<TriangleMesh>(geometry, "a mesh").triangles(); });
}

cairn_result cairn_solid_heights(const cairn_solid* solid, uint32_t* columns, uint32_t* rows, float* spacing,
                                 float* heights, size_t size, size_t* count) {
  return get(solid, out_room("heights", heights, size, out("count", count)), [&](const Geometry& geometry) {
    const auto& field = solid_of<HeightField>(geometry, "a height field");
    require("columns, rows, spacing", columns, rows, spacing);
    *columns = field.columns();
    *rows = field.rows();
    *spacing = field.spacing();
    return field.heights();
  });
}

cairn_result cairn_body_point_masses(const cairn_world* world, cairn_handle body, int32_t scaled,
                                     cairn_point_mass* points, size_t size, size_t* count) {
  return get(world, out_room("points", points, size, out("count", count)),
             [&](const World& w) { return body_now(w, body, scaled).point_masses; });
}
