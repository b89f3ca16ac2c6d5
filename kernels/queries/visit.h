#pragma once
// Queries down the tree.

#include "kernels/queries/probe.h"

namespace cairn::kernels {

/// Calls at_shape(slot) for the shapes of the query's world that its sweep may meet: planes first, then through the
/// tree, nearer boxes first. The sweep may shrink meanwhile. No shape that it meets is left out, since a box is never
/// farther than its content.
template <class F>
CAIRN_HD void visit_shapes(const QueryScene& s, const Query& q, const Sweep& sweep, F&& at_shape) {
  if (s.brute != 0) {
    for (std::uint32_t slot = 0; slot < s.shape_count; ++slot) {
      const std::uint32_t body = s.shapes.body[slot];
      if (body == kNone || s.bodies.world[body] != q.world || is_disabled(s.bodies.flags[body])) continue;
      if (wanted(s, q, slot)) at_shape(slot);
    }
    return;
  }
  for (std::uint32_t p = s.worlds.plane_begin[q.world]; p < s.worlds.plane_begin[q.world + 1]; ++p) {
    if (wanted(s, q, s.planes[p])) at_shape(s.planes[p]);
  }
  const std::uint32_t begin = s.tree_worlds.begin[q.world], end = s.tree_worlds.begin[q.world + 1];
  if (begin == end) return;

  // the lowest node with all of the world's leaves
  std::uint32_t top = 0;
  while (begin >> 2 * top != (end - 1) >> 2 * top) ++top;
  struct Entry {
    double key;  ///< [m] entry of the sweep
    std::uint32_t level;
    std::uint32_t index;
  };
  Entry stack[3 * kQueryLevels + 1];
  int depth = 0;
  stack[depth++] = {0.0, top, begin >> 2 * top};
  while (depth > 0) {
    const Entry at = stack[--depth];
    if (at.key > max(sweep.limit, sweep.near)) continue;
    if (at.level == 0) {
      const std::uint32_t slot = s.tree.leaf[at.index];
      if (wanted(s, q, slot)) at_shape(slot);
      continue;
    }
    const std::uint32_t level = at.level - 1, first = s.level_begin(level);
    const int bottom = depth;
    for (std::uint32_t c = 4 * at.index; c < 4 * at.index + 4; ++c) {
      const std::uint64_t leaves = std::uint64_t{c} << 2 * level;
      if (leaves >= end || leaves + (std::uint64_t{1} << 2 * level) <= begin) continue;
      const Aabb box = s.tree.node[first + c];
      if (box.min.x > box.max.x) continue;
      const double key = enters(sweep, widen(box.min) - q.origin, widen(box.max) - q.origin);
      if (key < 0.0) continue;
      // the nearest on top; of equal ones the first
      int place = depth++;
      for (; place > bottom && stack[place - 1].key <= key; --place) stack[place] = stack[place - 1];
      stack[place] = {key, level, c};
    }
  }
}

CAIRN_HD QueryFound found_at(const Probe& p, std::uint32_t slot) { return {p.distance, p.point, narrow(p.n), slot}; }

/// The nearest result of a query.
template <QueryKind kind>
CAIRN_HD QueryFound first_found(const QueryScene& s, const Query& q) {
  const Prober<kind> probe(s, q);
  Sweep sweep = probe.sweep();
  QueryFound best{q.reach, {0, 0, 0}, {0, 0, 0}, kNone};
  visit_shapes(s, q, sweep, [&](std::uint32_t slot) {
    const Probe p = probe(slot, best.distance);
    if (!p.found) return;
    const QueryFound now = found_at(p, slot);
    if (best.shape != kNone && !nearer(now, best)) return;
    best = now;
    sweep.limit = min(sweep.limit, best.distance);
    sweep.near = min(sweep.near, best.distance);
  });
  return best;
}

/// The nearest result of query i. Writes found[i]. One thread per query.
template <QueryKind kind>
struct QueryFirst {
  QueryScene s;
  const Query* queries;  ///< (queries)
  QueryFound* found;     ///< (queries)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Query q = queries[i];
    found[i] = first_found<kind>(s, q);
  }
};

/// Count of shapes that query i finds. Writes count[i]. One thread per query.
template <QueryKind kind>
struct QueryCount {
  QueryScene s;
  const Query* queries;  ///< (queries)
  std::uint32_t* count;  ///< [1] (queries)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Query q = queries[i];
    const Prober<kind> probe(s, q);
    std::uint32_t n = 0;
    visit_shapes(s, q, probe.sweep(), [&](std::uint32_t slot) {
      if (probe(slot, q.reach).found) ++n;
    });
    count[i] = n;
  }
};

/// All results of query i, in any order. Writes found from begin[i] on. One thread per query.
template <QueryKind kind>
struct QueryFill {
  QueryScene s;
  const Query* queries;        ///<     (queries)
  const std::uint32_t* begin;  ///< [1] (queries)
  QueryFound* found;           ///<     (all found)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Query q = queries[i];
    const Prober<kind> probe(s, q);
    std::uint32_t at = begin[i];
    visit_shapes(s, q, probe.sweep(), [&](std::uint32_t slot) {
      const Probe p = probe(slot, q.reach);
      if (p.found) found[at++] = found_at(p, slot);
    });
  }
};

}  // namespace cairn::kernels
