#pragma once
// Contact events: the shapes that touch, and since when. A contact point touches if it pushed in this step, or if the
// shapes met or overlapped there at the step's start: a body on soft contacts may be slightly above its floor, and one
// that bounces is clear of it when the step begins.

#include "kernels/common/state.h"

namespace cairn::kernels {

CAIRN_HD bool touches(const ManifoldPoint& p) { return p.total > 0.0f || p.separation <= 0.0f; }

CAIRN_HD bool touches(const Manifold& m) {
  for (std::uint32_t j = 0; j < m.count; ++j) {
    if (touches(m.points[j])) return true;
  }
  return false;
}

/// The triangles of a surface are one shape: its pairs with another are consecutive, and the first that touches
/// represents all.
CAIRN_HD bool same_shapes(const Pairs& pairs, std::uint32_t i, std::uint32_t j) {
  return pairs.shape_a(i) == pairs.shape_a(j) && pairs.shape_b[i] == pairs.shape_b[j];
}

/// The key of a pair; for a surface with the number of its first triangle. In the same ascending order as the pairs'
/// own.
CAIRN_HD std::uint64_t event_key(const Pairs& pairs, std::uint32_t i) { return pairs.key[i] - pairs.triangle[i]; }

/// Writes mark[i]: 1 if the shapes of pair i touch, and no earlier pair of the same shapes does. One thread per pair.
struct EventMark {
  Pairs pairs;
  std::uint32_t* mark;  ///< [1] (pairs)
  CAIRN_HD void operator()(std::uint32_t i) const {
    mark[i] = 0;
    if (!touches(pairs.manifold[i])) return;
    for (std::uint32_t j = i; j > 0 && same_shapes(pairs, i, j - 1); --j) {
      if (touches(pairs.manifold[j - 1])) return;
    }
    mark[i] = 1;
  }
};

/// A table of events to search.
struct EventSearch {
  EventTable in;
  const std::uint32_t* count;  ///< [1] one number: its entries

  /// The entry of the same shapes of the same bodies, or kNone.
  CAIRN_HD std::uint32_t find(std::uint64_t key, std::uint32_t generation_a, std::uint32_t generation_b) const {
    const std::uint32_t n = *count, at = first_from(in.key, n, key);
    if (at == n || in.key[at] != key || (in.flags[at] & kEventForgotten) != 0) return kNone;
    return in.generation_a[at] == generation_a && in.generation_b[at] == generation_b ? at : kNone;
  }
};

/// Lists the shapes that touch, with the impulse of all points, and the point with the largest impulse, or without
/// impulses the deepest; of equal ones the first. Writes entry mark[i] of this step's table. One thread per pair.
struct EventList {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;
  const std::uint32_t* count;  ///< [1] one number: pairs
  const std::uint32_t* mark;   ///< [1] (pairs) the exclusive sum of the marks
  const std::uint32_t* sum;    ///< [1] one number: sum of all marks
  EventTable to;
  EventSearch last;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t at = mark[i], next = i + 1 < *count ? mark[i + 1] : *sum;
    if (next == at) return;
    const std::uint64_t key = event_key(pairs, i);
    const std::uint32_t shape_a = static_cast<std::uint32_t>(key >> 32), shape_b = pairs.shape_b[i];
    const std::uint32_t a = shapes.body[shape_a], b = shapes.body[shape_b];
    to.key[at] = key;
    to.body_a[at] = a;
    to.body_b[at] = b;
    to.generation_a[at] = bodies.generation[a];
    to.generation_b[at] = bodies.generation[b];
    to.shape_a[at] = index_in_body(shapes.filter[shape_a]);
    to.shape_b[at] = index_in_body(shapes.filter[shape_b]);
    const bool began = last.find(key, bodies.generation[a], bodies.generation[b]) == kNone;
    to.flags[at] = (began ? kEventBegan : 0u) | ((pairs.manifold[i].flags & kManifoldSensor) != 0 ? kEventSensor : 0u);

    std::uint32_t pair = i, most = 0;
    float impulse = 0.0f;
    for (std::uint32_t other = i; other < *count && same_shapes(pairs, i, other); ++other) {
      const Manifold& m = pairs.manifold[other];
      for (std::uint32_t j = 0; j < m.count; ++j) {
        const ManifoldPoint &p = m.points[j], &best = pairs.manifold[pair].points[most];
        impulse += p.total;
        if (p.total > best.total || (p.total == best.total && p.separation < best.separation)) pair = other, most = j;
      }
    }
    const Manifold& m = pairs.manifold[pair];
    const ManifoldPoint& p = m.points[most];
    to.position[at] = point_on_a(m, p, bodies.x[a], bodies.x_low[a], bodies.x[b], bodies.x_low[b]);
    to.normal[at] = m.normal;
    to.separation[at] = p.separation;
    to.impulse[at] = impulse;
  }
};

/// Writes mark[i]: 1 if event i of the last step isn't one of this step. One thread per event of the last step.
struct EventEnd {
  EventTable last;
  EventSearch now;
  std::uint32_t* mark;  ///< [1] (events)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const bool there = (last.flags[i] & kEventForgotten) == 0;
    mark[i] = there && now.find(last.key[i], last.generation_a[i], last.generation_b[i]) == kNone ? 1 : 0;
  }
};

/// Lists the events that ended. Writes entry mark[i] of `to`. One thread per event of the last step.
struct EventListEnded {
  EventTable last;
  const std::uint32_t* count;  ///< [1] one number: events of the last step
  const std::uint32_t* mark;   ///< [1] (events) the exclusive sum of the marks
  const std::uint32_t* sum;    ///< [1] one number: sum of all marks
  EndedEvents to;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t at = mark[i], next = i + 1 < *count ? mark[i + 1] : *sum;
    if (next == at) return;
    to.body_a[at] = last.body_a[i];
    to.body_b[at] = last.body_b[i];
    to.generation_a[at] = last.generation_a[i];
    to.generation_b[at] = last.generation_b[i];
    to.shape_a[at] = last.shape_a[i];
    to.shape_b[at] = last.shape_b[i];
    to.flags[at] = last.flags[i] & std::uint32_t{kEventSensor};
  }
};

/// Forgets the events, or ended events, of chosen worlds. Writes the flags of entry i. One thread per entry.
struct EventForget {
  Bodies bodies;
  const std::uint32_t* body_a;
  std::uint32_t* flags;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t i) const {
    // a slot belongs to one world, whether a body is in it or not
    if (selection(bodies.world[body_a[i]])) flags[i] |= std::uint32_t{kEventForgotten};
  }
};

}  // namespace cairn::kernels
