// Hulls, meshes and height fields, and point masses.

#include <cmath>
#include <utility>

#include "cairn/mesh_file.h"
#include "cairn/world_scales.h"
#include "src/c_api/lists.h"
#include "src/exec/exact_floats.h"

namespace cairn::c_api {
namespace {

// copied as they are
static_assert(sizeof(Vec3) == 3 * sizeof(float));
static_assert(sizeof(TriangleMesh::Triangle) == 3 * sizeof(std::uint32_t));

template <class T>
const T& held(const cairn_solid* solid, const char* kind) {
  require("solid", solid);
  if (const T* shape = std::get_if<T>(&solid->geometry)) return *shape;
  throw InvalidArgument(std::string("solid must be ") + kind);
}

Body body_now(const World& world, cairn_handle body, std::int32_t scaled) {
  return scaled != 0 ? world.scales().description(handle(body)) : world.description(handle(body));
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::ConvexHull;
using cairn::HeightField;
using cairn::TriangleMesh;
using cairn::Vec3;
using cairn::World;

cairn_result cairn_hull_create(const float* points, size_t count, cairn_solid** solid) {
  return guarded([&] {
    require("points, solid", points, solid);
    *solid = new cairn_solid{ConvexHull(list_of<Vec3>(points, count, "points"))};
  });
}

cairn_result cairn_mesh_create(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                               size_t triangle_count, cairn_solid** solid) {
  return guarded([&] {
    require("vertices, triangles, solid", vertices, triangles, solid);
    *solid = new cairn_solid{TriangleMesh(list_of<Vec3>(vertices, vertex_count, "vertices"),
                                          list_of<TriangleMesh::Triangle>(triangles, triangle_count, "triangles"))};
  });
}

cairn_result cairn_height_field_create(uint32_t columns, uint32_t rows, float spacing, const float* heights,
                                       size_t count, cairn_solid** solid) {
  return guarded([&] {
    require("heights, solid", heights, solid);
    *solid = new cairn_solid{HeightField(columns, rows, spacing, {heights, count})};
  });
}

cairn_result cairn_solid_load(const char* path, int32_t kind, float scale, cairn_solid** solid) {
  return guarded([&] {
    require("path, solid", path, solid);
    if (kind != CAIRN_HULL && kind != CAIRN_MESH)
      throw cairn::InvalidArgument("kind must be CAIRN_HULL or CAIRN_MESH, is " + std::to_string(kind));
    if (!(scale > 0) || !std::isfinite(scale)) throw cairn::InvalidArgument("scale must be over 0 and finite");
    const cairn::exec::ExactFloats exact;
    cairn::Surface surface = cairn::load_surface(path);
    for (Vec3& p : surface.vertices) p = {scale * p.x, scale * p.y, scale * p.z};
    *solid = kind == CAIRN_HULL ? new cairn_solid{ConvexHull(surface.vertices)}
                                : new cairn_solid{TriangleMesh(surface.vertices, surface.triangles)};
  });
}

cairn_result cairn_solid_of_body(const cairn_world* world, cairn_handle body, int32_t scaled, uint32_t index,
                                 cairn_solid** solid) {
  return with(world, [&](const World& w) {
    require("solid", solid);
    cairn::Body from = body_now(w, body, scaled);
    if (index >= from.shapes.size()) {
      throw cairn::InvalidArgument("index must be below " + std::to_string(from.shapes.size()) +
                                   ", the body's shapes, is " + std::to_string(index));
    }
    if (from.shapes[index].geometry.index() < CAIRN_HULL)
      throw cairn::InvalidArgument("shape " + std::to_string(index) + " is no hull, mesh or height field");
    *solid = new cairn_solid{std::move(from.shapes[index].geometry)};
  });
}

void cairn_solid_destroy(cairn_solid* solid) { delete solid; }

cairn_result cairn_solid_kind(const cairn_solid* solid, int32_t* kind) {
  return guarded([&] {
    require("solid, kind", solid, kind);
    *kind = static_cast<std::int32_t>(solid->geometry.index());
  });
}

cairn_result cairn_solid_vertices(const cairn_solid* solid, float* vertices, size_t size, size_t* count) {
  return guarded([&] {
    require("solid", solid);
    const auto* hull = std::get_if<ConvexHull>(&solid->geometry);
    hand_out(hull != nullptr ? hull->vertices() : held<TriangleMesh>(solid, "a hull or a mesh").vertices(), vertices,
             size, count, "vertices");
  });
}

cairn_result cairn_solid_triangles(const cairn_solid* solid, uint32_t* triangles, size_t size, size_t* count) {
  return guarded(
      [&] { hand_out(held<TriangleMesh>(solid, "a mesh").triangles(), triangles, size, count, "triangles"); });
}

cairn_result cairn_solid_heights(const cairn_solid* solid, uint32_t* columns, uint32_t* rows, float* spacing,
                                 float* heights, size_t size, size_t* count) {
  return guarded([&] {
    const HeightField& field = held<HeightField>(solid, "a height field");
    require("columns, rows, spacing", columns, rows, spacing);
    hand_out(field.heights(), heights, size, count, "heights");
    *columns = field.columns();
    *rows = field.rows();
    *spacing = field.spacing();
  });
}

cairn_result cairn_body_point_masses(const cairn_world* world, cairn_handle body, int32_t scaled,
                                     cairn_point_mass* points, size_t size, size_t* count) {
  return with(world, [&](const World& w) {
    const cairn::Body from = body_now(w, body, scaled);
    std::vector<cairn_point_mass> all(from.point_masses.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].mass = from.point_masses[i].mass;
      put(all[i].position, from.point_masses[i].position);
    }
    hand_out(std::span<const cairn_point_mass>(all), points, size, count, "points");
  });
}
