// Queries.

#include "cairn/queries.h"
#include "src/c_api/describe.h"

namespace cairn::c_api {

template <>
cairn_query defaults() {
  const RayQuery q;
  cairn_query c{};
  c.struct_size = sizeof c;
  put(c.orientation, Quat{});
  put(c.direction, q.direction);
  c.distance = q.distance;
  c.category = q.only.filter.category;
  c.mask = q.only.filter.mask;
  return c;
}

template <>
cairn_query_arrays defaults() {
  cairn_query_arrays c{};
  c.struct_size = sizeof c;
  return c;
}

template <>
cairn_hit_arrays defaults() {
  cairn_hit_arrays c{};
  c.struct_size = sizeof c;
  return c;
}

namespace {

/// Rays, where no query has a shape, or shapes.
struct Asked {
  std::vector<RayQuery> rays;
  std::vector<ShapeQuery> shapes;
};

Asked asked(cairn_query_kind kind, const cairn_query* queries, std::size_t count) {
  enum_of(kind, CAIRN_CLOSEST, "cairn_query_kind");
  Asked all;
  bool shapes = kind != CAIRN_CAST;
  each_of<cairn_query>(queries, count, "queries", [&](const cairn_query& q) {
    const QueryFilter only{{q.category, q.mask, q.group}, handle(q.ignored), q.sensors != 0};
    all.rays.push_back({vec3(q.position), vec3(q.direction), q.distance, q.world, only});
    const Geometry geometry =
        q.shape == nullptr ? Geometry{Sphere{0}} : shape_of(read<cairn_shape>(q.shape, "cairn_query.shape")).geometry;
    all.shapes.push_back(
        {geometry, vec3(q.position), quat(q.orientation), vec3(q.direction), q.distance, q.world, only});
    shapes = shapes || q.shape != nullptr;
  });
  (shapes ? all.rays.clear() : all.shapes.clear());
  return all;
}

cairn_hit of(const QueryHit& hit, std::size_t query) {
  cairn_hit c{};
  c.body = handle(hit.body);
  c.shape = hit.shape;
  c.query = static_cast<std::uint32_t>(query);
  c.distance = hit.distance;
  put(c.position, hit.position);
  put(c.normal, hit.normal);
  return c;
}

QueryHits all_of(const World& world, cairn_query_kind kind, const Asked& q) {
  if (!q.rays.empty()) return world.queries().cast_rays_all(q.rays);
  if (kind == CAIRN_CAST) return world.queries().cast_shapes_all(q.shapes);
  return kind == CAIRN_OVERLAP ? world.queries().overlaps(q.shapes) : world.queries().closest_all(q.shapes);
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_query_init(cairn_query* to, size_t size) { initialise(to, size, defaults<cairn_query>()); }
void cairn_query_arrays_init(cairn_query_arrays* to, size_t size) {
  initialise(to, size, defaults<cairn_query_arrays>());
}
void cairn_hit_arrays_init(cairn_hit_arrays* to, size_t size) { initialise(to, size, defaults<cairn_hit_arrays>()); }

cairn_result cairn_world_query(const cairn_world* world, cairn_query_kind kind, const cairn_query* queries,
                               size_t count, cairn_hit* hits) {
  return with(world, [&](const World& w) {
    if (count != 0) require("hits", hits);
    const Asked q = asked(kind, queries, count);
    if (kind == CAIRN_OVERLAP) {
      const cairn::QueryHits all = w.queries().overlaps(q.shapes);
      for (std::size_t i = 0; i < count; ++i)
        hits[i] = of(all.begin[i] == all.begin[i + 1] ? cairn::QueryHit{} : all.hits[all.begin[i]], i);
      return;
    }
    const std::vector<cairn::QueryHit> found = !q.rays.empty()      ? w.queries().cast_rays(q.rays)
                                               : kind == CAIRN_CAST ? w.queries().cast_shapes(q.shapes)
                                                                    : w.queries().closest(q.shapes);
    for (std::size_t i = 0; i < count; ++i) hits[i] = of(found[i], i);
  });
}

cairn_result cairn_world_query_all(const cairn_world* world, cairn_query_kind kind, const cairn_query* queries,
                                   size_t count, cairn_hit* hits, size_t size, size_t* found) {
  return with(world, [&](const World& w) {
    require("found", found);
    if (size != 0) require("hits", hits);
    const cairn::QueryHits all = all_of(w, kind, asked(kind, queries, count));
    *found = all.hits.size();
    if (size < all.hits.size()) return;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t h = all.begin[i]; h < all.begin[i + 1]; ++h) hits[h] = of(all.hits[h], i);
    }
  });
}

cairn_result cairn_world_query_arrays(const cairn_world* world, cairn_query_kind kind, const cairn_query* like,
                                      const cairn_query_arrays* from, const cairn_hit_arrays* to) {
  return with(world, [&](const World& w) {
    const Asked q = asked(kind, like, 1);
    const cairn_query_arrays a = read<cairn_query_arrays>(from, "cairn_query_arrays");
    const cairn_hit_arrays b = read<cairn_hit_arrays>(to, "cairn_hit_arrays");
    const cairn::QueryArrays rows{
        view_of(a.position, "cairn_query_arrays.position"),   view_of(a.orientation, "cairn_query_arrays.orientation"),
        view_of(a.direction, "cairn_query_arrays.direction"), view_of(a.distance, "cairn_query_arrays.distance"),
        view_of(a.world, "cairn_query_arrays.world"),         view_of(a.ignored, "cairn_query_arrays.ignored")};
    const cairn::HitArrays hits{view_of(b.body, "cairn_hit_arrays.body"), view_of(b.shape, "cairn_hit_arrays.shape"),
                                view_of(b.distance, "cairn_hit_arrays.distance"),
                                view_of(b.position, "cairn_hit_arrays.position"),
                                view_of(b.normal, "cairn_hit_arrays.normal")};
    if (!q.rays.empty()) return w.queries().cast_rays(rows, hits, q.rays[0]);
    if (kind == CAIRN_CAST) return w.queries().cast_shapes(rows, hits, q.shapes[0]);
    if (kind == CAIRN_OVERLAP) return w.queries().overlaps(rows, hits, q.shapes[0]);
    w.queries().closest(rows, hits, q.shapes[0]);
  });
}
