// Queries in the user's arrays on the device.

#include "src/exec/exact_floats.h"
#include "src/queries/query_shape.h"
#include "src/world/columns.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::QueryKind;

namespace {

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

SolidStore& World::Impl::kept_solids(const Geometry& geometry, bool captures) {
  const auto* hull = std::get_if<ConvexHull>(&geometry);
  if (hull == nullptr) return arrays.solids;
  for (QueryStore::Kept& kept : query_store.kept) {
    if (kept.hull == *hull) return kept.solids;
  }
  if (!captured && !captures) query_store.kept.clear();
  return query_store.kept.emplace_back(QueryStore::Kept{*hull, SolidStore(memory)}).solids;
}

void World::Impl::query_rows(QueryKind kind, const QueryArrays& from, const HitArrays& to, const kernels::Query& like,
                             const SolidStore& solids, bool captures) {
  const std::uint32_t count = rows_of(from.position);
  const kernels::QueryRows rows{like, columns_of(from, count, options.device), columns_of(to, count, options.device)};
  if (count == 0) return;
  QueryContext q = query_tree(kind, solids, captures);
  q.what = QueryContext::What::kRows;
  q.count = count;
  q.rows = rows;
  const StepContext s = context(params.dt);
  launch().run(s, q);
  captured = captured || captures;
}

void World::Impl::query_rows(QueryKind kind, const QueryArrays& from, const HitArrays& to, const ShapeQuery& like) {
  const bool captures = settle();
  SolidStore& solids = kept_solids(like.geometry, captures);
  query_rows(kind, from, to, to_device(kind, {&like, 1}, solids)[0], solids, captures);
}

void Queries::cast_rays(const QueryArrays& from, const HitArrays& to, const RayQuery& like) const {
  world_.call([&] {
    const bool captures = world_.settle();
    world_.query_rows(QueryKind::kRay, from, to, world_.to_device({&like, 1})[0], world_.arrays.solids, captures);
  });
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

}  // namespace cairn
