// Queries.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

namespace cairn::c_api {
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
    all.rays.push_back(attributes_of<RayQuery>(q));
    all.shapes.push_back(attributes_of<ShapeQuery>(q));
    shapes = shapes || q.shape != nullptr;
  });
  (shapes ? all.rays.clear() : all.shapes.clear());
  return all;
}

cairn_hit of(const QueryHit& hit, std::size_t query) {
  auto c = twin<cairn_hit>(hit);
  c.query = static_cast<std::uint32_t>(query);
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

void cairn_query_init(cairn_query* to, size_t size) { initialise(to, size); }
void cairn_query_arrays_init(cairn_query_arrays* to, size_t size) { initialise(to, size); }
void cairn_hit_arrays_init(cairn_hit_arrays* to, size_t size) { initialise(to, size); }

cairn_result cairn_world_query(const cairn_world* world, cairn_query_kind kind, const cairn_query* queries,
                               size_t count, cairn_hit* hits) {
  return call(world, [&](const World& w) {
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
  return get(world, out_room("hits", hits, size, out("found", found)), [&](const World& w) {
    const cairn::QueryHits all = all_of(w, kind, asked(kind, queries, count));
    std::vector<cairn_hit> in_c;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t h = all.begin[i]; h < all.begin[i + 1]; ++h) in_c.push_back(of(all.hits[h], i));
    }
    return in_c;
  });
}

cairn_result cairn_world_query_arrays(const cairn_world* world, cairn_query_kind kind, const cairn_query* like,
                                      const cairn_query_arrays* from, const cairn_hit_arrays* to) {
  return call(world, [&](const World& w) {
    const Asked q = asked(kind, like, 1);
    const auto rows = taken<cairn::QueryArrays>(from);
    const auto hits = taken<cairn::HitArrays>(to);
    if (!q.rays.empty()) return w.queries().cast_rays(rows, hits, q.rays[0]);
    if (kind == CAIRN_CAST) return w.queries().cast_shapes(rows, hits, q.shapes[0]);
    if (kind == CAIRN_OVERLAP) return w.queries().overlaps(rows, hits, q.shapes[0]);
    w.queries().closest(rows, hits, q.shapes[0]);
  });
}
