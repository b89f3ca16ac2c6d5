#pragma once

#include <bit>

#include "kernels/queries/query_rows.h"
#include "kernels/queries/query_tree.h"
#include "kernels/queries/visit.h"
#include "src/step_context.h"

namespace cairn {

/// Poses and shapes -> the tree.
template <class Exec>
void build_tree(Exec& exec, const QueryContext& q) {
  const kernels::QueryScene& s = q.scene;
  const kernels::QueryTree& t = s.tree;
  const std::uint32_t n = s.shape_count;
  exec.for_each(s.world_count, kernels::QueryClear{s.tree_worlds});
  exec.for_each(n, kernels::QueryBound{s});
  exec.for_each(n, kernels::QueryCode{s});
  // stable sorts, least significant part first; the result is by world, then code, then slot
  const auto sort_by = [&](const std::uint32_t* of_slot, int bits) {
    exec.for_each(n, kernels::GatherIndices{of_slot, t.last_order, t.key});
    exec.sort(t.key, t.sorted_key, t.order, n, bits);
    exec.for_each(n, kernels::GatherIndices{t.last_order, t.order, t.leaf});
    exec.for_each(n, kernels::GatherIndices{t.leaf, nullptr, t.last_order});
  };
  sort_by(t.code_low, 32);
  sort_by(t.code_high, 31);
  sort_by(t.world, std::bit_width(s.world_count));
  exec.find_begins(t.sorted_key, n, s.world_count + 1, s.tree_worlds.begin);
  exec.for_each(n, kernels::QueryLeaf{t});
  std::uint32_t begin = 0;
  for (std::uint32_t count = n; count > 1;) {
    const std::uint32_t above = (count + 3) / 4;
    exec.for_each(above, kernels::QueryNode{t.node + begin, count, t.node + begin + count});
    begin += count;
    count = above;
  }
}

template <class Exec, kernels::QueryKind kind>
void query_of_kind(Exec& exec, const QueryContext& q) {
  using What = QueryContext::What;
  if (q.what == What::kFirst) return exec.for_each(q.count, kernels::QueryFirst<kind>{q.scene, q.queries, q.found});
  if (q.what == What::kCount) return exec.for_each(q.count, kernels::QueryCount<kind>{q.scene, q.queries, q.begin});
  if (q.what == What::kRows) return exec.for_each(q.count, kernels::QueryRow<kind>{q.scene, q.rows});
  exec.for_each(q.count, kernels::QueryFill<kind>{q.scene, q.queries, q.begin, q.found});
}

/// Queries -> their hits; or first the tree that they need.
template <class Exec>
void query(Exec& exec, const StepContext& s, const QueryContext& q) {
  exec.guard(&s.state->overflow);
  if (q.what == QueryContext::What::kBuild) return build_tree(exec, q);
  switch (q.kind) {
    case kernels::QueryKind::kRay:
      return query_of_kind<Exec, kernels::QueryKind::kRay>(exec, q);
    case kernels::QueryKind::kCast:
      return query_of_kind<Exec, kernels::QueryKind::kCast>(exec, q);
    case kernels::QueryKind::kOverlap:
      return query_of_kind<Exec, kernels::QueryKind::kOverlap>(exec, q);
    case kernels::QueryKind::kClosest:
      return query_of_kind<Exec, kernels::QueryKind::kClosest>(exec, q);
  }
}

}  // namespace cairn
