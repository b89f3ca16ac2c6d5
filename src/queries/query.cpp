// Queries of a World, from the host and in the user's arrays on the device: checks, copies to the device, and ordering
// of the hits.

#include <algorithm>
#include <concepts>

#include "kernels/queries/query_rules.h"
#include "src/describe/attributes.h"
#include "src/exec/exact_floats.h"
#include "src/scene/text.h"
#include "src/world/columns.h"
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

/// Throws InvalidArgument for a shape that isn't convex. Adds hulls to the store of the queries' shapes.
kernels::ShapeGeometry query_shape(const ShapeQuery& query, std::size_t index, SolidStore& solids) {
  const auto check = [&](float size) {
    // docs/scenes.md
    if (!(size >= 1e-6f && size <= 1e6f)) refuse(index, "sizes must be from 1e-6 to 1e6 m");
  };
  const Overloads check_sizes{[&](const Sphere& sphere) {
                                if (sphere.radius != 0) check(sphere.radius);
                              },
                              [&](const ConvexHull& hull) {
                                if (hull.data() == nullptr) refuse(index, "the hull is of nothing");
                                solids.add(hull);
                              },
                              [&]<class G>(const G& geometry) {
                                if constexpr (std::same_as<G, Plane> || std::same_as<G, Tube> ||
                                              std::same_as<G, TriangleMesh> || std::same_as<G, HeightField>) {
                                  refuse(index, "planes, tubes, meshes and height fields can't be asked with");
                                } else {
                                  each_attribute<G>([&](const auto& attribute) {
                                    const auto& size = geometry.*attribute.member;
                                    if constexpr (requires { size.x; }) {
                                      for (const float along : {size.x, size.y, size.z}) check(along);
                                    } else {
                                      check(size);
                                    }
                                  });
                                }
                              }};
  std::visit(check_sizes, query.geometry);
  kernels::Query q{};
  q.shape = geometry_of(query.geometry);
  q.shape.data = solids.index_of(query.geometry);
  if (q.shape.kind == kernels::ShapeKind::kRoundedBox && !(kernels::min_component(q.shape.size) > 0))
    refuse(index, "half extents of a rounded box must be over its radius");
  const Quat turn = query.orientation;
  if (!kernels::turn_query(q, turn.x, turn.y, turn.z, turn.w)) refuse(index, "orientation must be finite and not zero");
  return q.shape;
}
/// A ray is that of a point.
kernels::ShapeGeometry query_shape(const RayQuery&, std::size_t, SolidStore&) { return geometry_of(Sphere{0}); }

Vec3d place_of(const RayQuery& ray) { return ray.origin; }
Vec3d place_of(const ShapeQuery& shape) { return shape.position; }

/// Makes hits of results.
struct HitReader {
  std::span<const BodySlot> slots;
  std::vector<std::uint32_t> owner;           ///< [1] (shapes) body slots
  std::vector<kernels::ShapeFilter> filters;  ///<     (shapes)

  QueryHit operator()(const kernels::Query& query, const kernels::QueryFound& found) const {
    if (found.shape == kNone) return {};
    const std::uint32_t body = owner[found.shape];
    return {{body + 1, slots[body].generation},
            kernels::index_in_body(filters[found.shape]),
            found.distance,
            {query.origin.x + found.point.x, query.origin.y + found.point.y, query.origin.z + found.point.z},
            found.normal};
  }
};

std::uint32_t rows_of(const ArrayView& position) {
  if (position.data == nullptr) throw InvalidArgument("QueryArrays::position must be given");
  constexpr std::int64_t kMax = std::int64_t{1} << 31;
  if (position.rank != 2 || position.shape[0] < 0 || position.shape[0] > kMax)
    throw InvalidArgument("QueryArrays::position must have the shape (queries, 3), of at most 2^31 queries");
  return static_cast<std::uint32_t>(position.shape[0]);
}

kernels::QueryColumns columns_of(const QueryArrays& a, std::uint32_t rows, const Device& device) {
  return {columns_of("QueryArrays::position", a.position, 3, rows, device, false),
          columns_of("QueryArrays::orientation", a.orientation, 4, rows, device, false),
          columns_of("QueryArrays::direction", a.direction, 3, rows, device, false),
          columns_of("QueryArrays::distance", a.distance, 1, rows, device, false),
          words_of("QueryArrays::world", a.world, rows, device, false),
          words_of("QueryArrays::ignored", a.ignored, rows, device, false)};
}

kernels::HitColumns columns_of(const HitArrays& a, std::uint32_t rows, const Device& device) {
  return {words_of("HitArrays::body", a.body, rows, device, true),
          words_of("HitArrays::shape", a.shape, rows, device, true),
          columns_of("HitArrays::distance", a.distance, 1, rows, device, true),
          columns_of("HitArrays::position", a.position, 3, rows, device, true),
          columns_of("HitArrays::normal", a.normal, 3, rows, device, true)};
}

}  // namespace

template <class Asked>
std::vector<kernels::Query> World::Impl::to_device(QueryKind kind, std::span<const Asked> asked,
                                                   SolidStore& solids) const {
  std::vector<kernels::Query> queries;
  queries.reserve(asked.size());
  for (const Asked& one : asked) {
    const std::size_t i = queries.size();
    kernels::Query& q = queries.emplace_back();
    if (!kernels::place_query(q, place_of(one))) {
      refuse(i, "position must be finite, and each coordinate within +-1e8 m");
    }
    if (!kernels::reach_query(q, one.distance)) {
      refuse(i, "distance must be at least 0 and at most 1e8 m, is " + rules::digits(one.distance));
    }
    if (kind == QueryKind::kRay || kind == QueryKind::kCast) {
      if (!kernels::aim_query(q, kernels::widen(one.direction))) refuse(i, "direction must be finite and not zero");
    }
    if (kind == QueryKind::kOverlap) q.reach = 0;
    q.shape = query_shape(one, i, solids);
    q.filter = one.only.filter;
    q.world = one.world;
    q.sensors = one.only.sensors ? 1 : 0;
    world_at(one.world);
    q.ignored = one.only.ignored ? slot_of(one.only.ignored) : kNone;
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

template <class Asked>
std::vector<QueryHit> World::Impl::first_hits(QueryKind kind, std::span<const Asked> given) {
  // hulls of the queries are released at the call's end
  SolidStore solids(memory);
  const std::vector<kernels::Query> asked = to_device(kind, given, solids);
  std::vector<QueryHit> hits(asked.size());
  if (asked.empty()) return hits;
  QueryContext q = ask(kind, asked, solids);
  query_store.found.reserve(asked.size());
  q.what = What::kFirst;
  q.found = query_store.found.data();
  launch().run(context(params.dt), q);
  const auto found = read(q.found, asked.size());
  const HitReader hit_of{slots, read(q.scene.shapes.body, shape_slots), read(q.scene.shapes.filter, shape_slots)};
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = hit_of(asked[i], found[i]);
  return hits;
}

template <class Asked>
QueryHits World::Impl::all_hits(QueryKind kind, std::span<const Asked> given) {
  SolidStore solids(memory);
  const std::vector<kernels::Query> asked = to_device(kind, given, solids);
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
  const HitReader hit_of{slots, read(q.scene.shapes.body, shape_slots), read(q.scene.shapes.filter, shape_slots)};
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
      const QueryHit hit = hit_of(asked[i], *at);
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

SolidStore& World::Impl::kept_solids(const Geometry& geometry, bool captures) {
  const auto* hull = std::get_if<ConvexHull>(&geometry);
  if (hull == nullptr) return arrays.solids;
  for (QueryStore::Kept& kept : query_store.kept) {
    if (kept.hull == *hull) return kept.solids;
  }
  if (!captured && !captures) query_store.kept.clear();
  return query_store.kept.emplace_back(QueryStore::Kept{*hull, SolidStore(memory)}).solids;
}

template <class Asked>
void World::Impl::query_rows(QueryKind kind, const QueryArrays& from, const HitArrays& to, const Asked& like) {
  const bool captures = settle();
  SolidStore* solids = &arrays.solids;
  if constexpr (std::same_as<Asked, ShapeQuery>) solids = &kept_solids(like.geometry, captures);
  const kernels::Query one = to_device(kind, std::span(&like, 1), *solids)[0];
  const std::uint32_t count = rows_of(from.position);
  const kernels::QueryRows rows{one, columns_of(from, count, options.device), columns_of(to, count, options.device)};
  if (count == 0) return;
  QueryContext q = query_tree(kind, *solids, captures);
  q.what = QueryContext::What::kRows;
  q.count = count;
  q.rows = rows;
  launch().run(context(params.dt), q);
  captured = captured || captures;
}

std::vector<QueryHit> Queries::cast_rays(std::span<const RayQuery> rays) const {
  return world_.call([&] { return world_.first_hits(QueryKind::kRay, rays); });
}
QueryHits Queries::cast_rays_all(std::span<const RayQuery> rays) const {
  return world_.call([&] { return world_.all_hits(QueryKind::kRay, rays); });
}
std::vector<QueryHit> Queries::cast_shapes(std::span<const ShapeQuery> shapes) const {
  return world_.call([&] { return world_.first_hits(QueryKind::kCast, shapes); });
}
QueryHits Queries::cast_shapes_all(std::span<const ShapeQuery> shapes) const {
  return world_.call([&] { return world_.all_hits(QueryKind::kCast, shapes); });
}
QueryHits Queries::overlaps(std::span<const ShapeQuery> shapes) const {
  return world_.call([&] { return world_.all_hits(QueryKind::kOverlap, shapes); });
}
std::vector<QueryHit> Queries::closest(std::span<const ShapeQuery> shapes) const {
  return world_.call([&] { return world_.first_hits(QueryKind::kClosest, shapes); });
}
QueryHits Queries::closest_all(std::span<const ShapeQuery> shapes) const {
  return world_.call([&] { return world_.all_hits(QueryKind::kClosest, shapes); });
}

void Queries::cast_rays(const QueryArrays& from, const HitArrays& to, const RayQuery& like) const {
  world_.call([&] { world_.query_rows(QueryKind::kRay, from, to, like); });
}
void Queries::cast_shapes(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const {
  world_.call([&] { world_.query_rows(QueryKind::kCast, from, to, like); });
}
void Queries::overlaps(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const {
  world_.call([&] { world_.query_rows(QueryKind::kOverlap, from, to, like); });
}
void Queries::closest(const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) const {
  world_.call([&] { world_.query_rows(QueryKind::kClosest, from, to, like); });
}

void Queries::set_brute(bool on) { world_.brute_queries = on; }

}  // namespace cairn
