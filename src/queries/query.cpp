// Queries of a World: checks, copies to the device, and ordering of the hits.

#include <algorithm>

#include "kernels/queries/query_rules.h"
#include "src/exec/exact_floats.h"
#include "src/queries/query_shape.h"
#include "src/scene/text.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::kNone;
using kernels::QueryKind;
using What = QueryContext::What;

// nobody with memory for more hits asks for them
constexpr std::size_t kMaxHits = std::size_t{1} << 30;

[[noreturn]] void refuse(std::size_t index, const std::string& reason) {
  throw InvalidArgument("query " + std::to_string(index) + ": " + reason);
}

void aim(kernels::Query& q, Vec3 direction, std::size_t index) {
  if (!kernels::aim_query(q, kernels::widen(direction))) refuse(index, "direction must be finite and not zero");
}

/// Members common to all kinds.
template <class T>
kernels::Query common(const T& query, Vec3d origin, std::size_t index) {
  kernels::Query q{};
  if (!kernels::place_query(q, origin)) refuse(index, "position must be finite, and each coordinate within +-1e8 m");
  if (!kernels::reach_query(q, query.distance)) {
    refuse(index, "distance must be at least 0 and at most 1e8 m, is " + rules::digits(query.distance));
  }
  q.filter = query.only.filter;
  q.world = query.world;
  q.ignored = kNone;
  q.sensors = query.only.sensors ? 1 : 0;
  return q;
}

}  // namespace

std::vector<kernels::Query> World::Impl::to_device(std::span<const RayQuery> rays) const {
  std::vector<kernels::Query> queries;
  queries.reserve(rays.size());
  for (const RayQuery& ray : rays) {
    const std::size_t i = queries.size();
    kernels::Query q = common(ray, ray.origin, i);
    aim(q, ray.direction, i);
    q.shape = {kernels::ShapeKind::kSphere, {0, 0, 0}, {0, 0, 0}, {0, 0, 0, 1}};
    world_at(ray.world);
    if (ray.only.ignored) q.ignored = slot_of(ray.only.ignored);
    queries.push_back(q);
  }
  return queries;
}

std::vector<kernels::Query> World::Impl::to_device(QueryKind kind, std::span<const ShapeQuery> shapes,
                                                   SolidStore& solids) const {
  std::vector<kernels::Query> queries;
  queries.reserve(shapes.size());
  for (const ShapeQuery& shape : shapes) {
    const std::size_t i = queries.size();
    kernels::Query q = common(shape, shape.position, i);
    if (kind == QueryKind::kCast) aim(q, shape.direction, i);
    if (kind == QueryKind::kOverlap) q.reach = 0;
    q.shape = query_shape(shape, i, solids);
    world_at(shape.world);
    if (shape.only.ignored) q.ignored = slot_of(shape.only.ignored);
    queries.push_back(q);
  }
  return queries;
}

QueryContext World::Impl::query_tree(QueryKind kind, const SolidStore& asked, bool rebuilds) {
  const StepContext s = context(params.dt);
  const std::size_t n = shape_slots;
  // sorting more than steps do would move arrays that the user's graph sorts in
  if (captured && query_store.tree.capacity() < arrays.shapes.capacity() && n > arrays.work.capacity()) {
    throw CapacityError(
        "the first query of a World sorts its shapes, and needs more room for that than its steps do, "
        "while a graph holds addresses: ask once before the capture");
  }
  query_store.tree.reserve(arrays.shapes.capacity());
  query_store.nodes.reserve(kernels::query_nodes(arrays.shapes.capacity()));
  query_store.worlds.reserve(worlds.size() + 2);
  QueryContext q;
  q.kind = kind;
  q.scene = {s.bodies,
             s.shapes,
             s.worlds,
             s.solids,
             asked.view(),
             s.planes,
             query_store.tree.view(),
             query_store.worlds.view(),
             static_cast<std::uint32_t>(n),
             static_cast<std::uint32_t>(worlds.size()),
             brute_queries ? 1u : 0u};
  q.scene.tree.node = query_store.nodes.data();
  // the effects of the user's graph since then are unknown
  if (query_store.known && !captured && !rebuilds) return q;
  if (n == 0) {
    memory.clear(query_store.worlds.view().begin, worlds.size() + 2);
  } else {
    q.what = What::kBuild;
    launch().run(s, q);
  }
  query_store.known = true;
  return q;
}

QueryContext World::Impl::ask(QueryKind kind, std::span<const kernels::Query> asked, const SolidStore& solids) {
  synchronise();
  query_store.queries.assign(asked);
  QueryContext q = query_tree(kind, solids, false);
  q.queries = query_store.queries.data();
  q.count = static_cast<std::uint32_t>(asked.size());
  return q;
}

QueryHit World::Impl::hit_of(const kernels::Query& query, const kernels::QueryFound& found,
                             std::span<const std::uint32_t> owner, std::span<const kernels::ShapeFilter> filter) const {
  if (found.shape == kNone) return {};
  const std::uint32_t body = owner[found.shape];
  return {{body + 1, slots[body].generation},
          kernels::index_in_body(filter[found.shape]),
          found.distance,
          {query.origin.x + found.point.x, query.origin.y + found.point.y, query.origin.z + found.point.z},
          found.normal};
}

std::vector<QueryHit> World::Impl::first_hits(QueryKind kind, std::span<const kernels::Query> asked,
                                              const SolidStore& solids) {
  std::vector<QueryHit> hits(asked.size());
  if (asked.empty()) return hits;
  QueryContext q = ask(kind, asked, solids);
  query_store.found.reserve(asked.size());
  q.what = What::kFirst;
  q.found = query_store.found.data();
  launch().run(context(params.dt), q);
  const auto found = read(q.found, asked.size());
  const auto owner = read(q.scene.shapes.body, shape_slots);
  const auto filter = read(q.scene.shapes.filter, shape_slots);
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = hit_of(asked[i], found[i], owner, filter);
  return hits;
}

QueryHits World::Impl::all_hits(QueryKind kind, std::span<const kernels::Query> asked, const SolidStore& solids) {
  QueryHits all;
  all.begin.assign(asked.size() + 1, 0);
  if (asked.empty()) return all;
  QueryContext q = ask(kind, asked, solids);
  query_store.counts.reserve(asked.size());
  q.what = What::kCount;
  q.begin = query_store.counts.data();
  launch().run(context(params.dt), q);
  std::vector<std::uint32_t> begin = read(q.begin, asked.size());
  for (std::size_t i = 0; i < begin.size(); ++i) all.begin[i + 1] = all.begin[i] + begin[i];
  const std::size_t total = all.begin.back();
  if (total > kMaxHits) {
    throw CapacityError("queries found " + std::to_string(total) + " shapes; a call gives " + std::to_string(kMaxHits) +
                        " at most");
  }
  if (total == 0) return all;
  query_store.found.reserve(total);
  for (std::size_t i = 0; i < begin.size(); ++i) begin[i] = static_cast<std::uint32_t>(all.begin[i]);
  memory.put(q.begin, begin);
  q.what = What::kFill;
  q.found = query_store.found.data();
  launch().run(context(params.dt), q);
  auto found = read(q.found, total);
  const auto owner = read(q.scene.shapes.body, shape_slots);
  const auto filter = read(q.scene.shapes.filter, shape_slots);
  all.hits.reserve(total);
  const bool parts = std::any_of(slots.begin(), slots.end(), [](const BodySlot& slot) {
    return slot.alive && slot.shapes.size() != slot.body.shapes.size();
  });
  std::vector<std::size_t> ends{0};
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto first = found.begin() + static_cast<std::ptrdiff_t>(all.begin[i]),
               last = found.begin() + static_cast<std::ptrdiff_t>(all.begin[i + 1]);
    std::sort(first, last, kernels::nearer);
    const std::size_t begun = all.hits.size();
    for (auto at = first; at != last; ++at) {
      const QueryHit hit = hit_of(asked[i], *at, owner, filter);
      // of a shape made of several parts, only the nearest hit counts
      const bool again =
          parts && std::any_of(all.hits.begin() + static_cast<std::ptrdiff_t>(begun), all.hits.end(),
                               [&](const QueryHit& h) { return h.body == hit.body && h.shape == hit.shape; });
      if (!again) all.hits.push_back(hit);
    }
    ends.push_back(all.hits.size());
  }
  all.begin = std::move(ends);
  return all;
}

std::vector<QueryHit> World::Impl::first_hits(QueryKind kind, std::span<const ShapeQuery> shapes) {
  // hulls of the queries are released at the call's end
  SolidStore solids(memory);
  return first_hits(kind, to_device(kind, shapes, solids), solids);
}
QueryHits World::Impl::all_hits(QueryKind kind, std::span<const ShapeQuery> shapes) {
  SolidStore solids(memory);
  return all_hits(kind, to_device(kind, shapes, solids), solids);
}

std::vector<QueryHit> Queries::cast_rays(std::span<const RayQuery> rays) const {
  return world_.call([&]() -> std::vector<QueryHit> {
    return world_.first_hits(QueryKind::kRay, world_.to_device(rays), world_.arrays.solids);
  });
}
QueryHits Queries::cast_rays_all(std::span<const RayQuery> rays) const {
  return world_.call(
      [&]() -> QueryHits { return world_.all_hits(QueryKind::kRay, world_.to_device(rays), world_.arrays.solids); });
}
std::vector<QueryHit> Queries::cast_shapes(std::span<const ShapeQuery> shapes) const {
  return world_.call([&]() -> std::vector<QueryHit> { return world_.first_hits(QueryKind::kCast, shapes); });
}
QueryHits Queries::cast_shapes_all(std::span<const ShapeQuery> shapes) const {
  return world_.call([&]() -> QueryHits { return world_.all_hits(QueryKind::kCast, shapes); });
}
QueryHits Queries::overlaps(std::span<const ShapeQuery> shapes) const {
  return world_.call([&]() -> QueryHits { return world_.all_hits(QueryKind::kOverlap, shapes); });
}
std::vector<QueryHit> Queries::closest(std::span<const ShapeQuery> shapes) const {
  return world_.call([&]() -> std::vector<QueryHit> { return world_.first_hits(QueryKind::kClosest, shapes); });
}
QueryHits Queries::closest_all(std::span<const ShapeQuery> shapes) const {
  return world_.call([&]() -> QueryHits { return world_.all_hits(QueryKind::kClosest, shapes); });
}

void Queries::set_brute(bool on) { world_.brute_queries = on; }

}  // namespace cairn
