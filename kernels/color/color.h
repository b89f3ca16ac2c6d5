#pragma once
// Deterministic colouring of the contact graph. Persistent contacts keep their colours. New ones are coloured in
// rounds: an edge that has the highest priority at both of its ends takes the lowest free colour (Jones and Plassmann
// 1993). The result doesn't depend on the rounds: it is that of first-fit in descending priority, one edge after the
// other.
// Contacts between two dynamic bodies are one class, contacts with a static or kinematic end another: a body's are
// solved after those of the first class. Class and colours depend on the types of the bodies, not on sleep or freezing:
// a contact keeps its colour while its bodies rest, and new contacts must not take it meanwhile.

#include "kernels/common/atomic.h"
#include "kernels/pair/grid.h"

namespace cairn::kernels {

/// The ends of an edge.
struct EdgeEnds {
  std::uint32_t a, b;  ///< [1] bodies; of a link the one that stands for its articulation, all of which a row moves
  bool push_a, push_b;
};

/// The ends of pair i; those with counts(flags of the body) push.
template <class Counts>
CAIRN_HD EdgeEnds ends_of(const Pairs& pairs, std::uint32_t i, const Bodies& bodies, const Shapes& shapes,
                          Counts counts) {
  EdgeEnds e;
  e.a = shapes.body[pairs.shape_a(i)];
  e.b = shapes.body[pairs.shape_b[i]];
  const std::uint32_t flags_a = bodies.flags[e.a], flags_b = bodies.flags[e.b];
  e.push_a = counts(flags_a);
  e.push_b = counts(flags_b);
  if (is_link(flags_a)) e.a = bodies.owner[e.a];
  if (is_link(flags_b)) e.b = bodies.owner[e.b];
  return e;
}
/// The solver's view: awake dynamic bodies push.
CAIRN_HD EdgeEnds awake_ends_of(const Pairs& pairs, std::uint32_t i, const Bodies& bodies, const Shapes& shapes) {
  return ends_of(pairs, i, bodies, shapes, [](std::uint32_t flags) { return is_awake_dynamic(flags); });
}
/// The colouring's view: dynamic bodies push, now or later.
CAIRN_HD EdgeEnds colored_ends_of(const Pairs& pairs, std::uint32_t i, const Bodies& bodies, const Shapes& shapes) {
  return ends_of(pairs, i, bodies, shapes, [](std::uint32_t flags) { return is_dynamic(flags); });
}

/// [1] Colour of pair i, which has one; colours of pairs with a static or kinematic end come after all others.
CAIRN_HD std::uint32_t color_of(const Pairs& pairs, std::uint32_t i, const Bodies& bodies, const Shapes& shapes) {
  const EdgeEnds e = colored_ends_of(pairs, i, bodies, shapes);
  return (e.push_a && e.push_b ? 0 : kColorsPerClass) + pairs.manifold[i].color;
}

/// Some row of two dynamic bodies has no colour. ColorSize counts them.
CAIRN_HD void note_overflow(StepState* state) { atomic_max(&state->counts.overflow_rows, 1u); }

/// Clears the colour masks of body i. One thread per body slot.
struct ColorClear {
  Bodies bodies;
  CAIRN_HD void operator()(std::uint32_t i) const {
    bodies.color_mask[i] = bodies.static_color_mask[i] = bodies.best_edge[i] = 0;
  }
};

/// Marks active manifolds, ORs persistent colours into the bodies' masks and requests colours for active manifolds
/// without one. Writes flags and colour of manifold i, pending[i], masks by integer OR, and notes overflow. One thread
/// per pair.
struct ColorKeep {
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Pairs pairs;
  std::uint32_t* pending;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    Manifold& m = pairs.manifold[i];
    pending[i] = 0;
    if (m.count == 0) m.color = kNone;
    if (!pushes(m)) return;
    const EdgeEnds awake = awake_ends_of(pairs, i, bodies, shapes);
    const bool active = awake.push_a || awake.push_b;
    if (active) m.flags |= kManifoldActive;
    if (active && (m.color == kNone || recolors(worlds, bodies.world[awake.a]))) {
      m.color = kNone;
      pending[i] = 1;
    } else if (m.color != kNone) {
      const EdgeEnds e = colored_ends_of(pairs, i, bodies, shapes);
      const bool both = e.push_a && e.push_b;
      if (m.color == kMaskColors) {
        if (active && both) note_overflow(state);
        return;
      }
      const std::uint64_t bit = std::uint64_t{1} << m.color;
      if (both) {
        atomic_or(&bodies.color_mask[e.a], bit);
        atomic_or(&bodies.color_mask[e.b], bit);
      } else {
        atomic_or(&bodies.static_color_mask[e.push_a ? e.a : e.b], bit);
      }
    }
  }
};

/// Lists the edges that need a colour; pending holds its own exclusive sum. Writes edge[pending[i]]. One thread per
/// pair.
struct ColorList {
  Pairs pairs;
  const std::uint32_t* pending;
  std::uint32_t* edge;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    if ((m.flags & kManifoldActive) != 0 && m.color == kNone) edge[pending[i]] = i;
  }
};

/// [1] Spreads the numbers of neighbouring triangles before they are mixed.
inline constexpr std::uint32_t kTriangleStride = 0x9e3779b9u;

/// Data that the three phases of a round share.
struct ColorRound {
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;
  const std::uint32_t* edge;
  StepState* state;

  /// Unique among a body's edges, from a world's own ids; 0 means none. Edges whose first body has an odd id go first:
  /// those of bodies with consecutive ids that stand on each other then have two colours. So has the ground, if the
  /// lowest contact is the first of the two, as in a tower that was built upwards from id 1.
  CAIRN_HD std::uint64_t priority_of(std::uint32_t pair, const EdgeEnds& e) const {
    const std::uint32_t a = shapes.id[pairs.shape_a(pair)], b = shapes.id[pairs.shape_b[pair]];
    const std::uint32_t hash = mix32(mix32(a) + b + kTriangleStride * pairs.triangle[pair]);
    const std::uint64_t odd = bodies.id[e.a] & 1u;
    return odd << 63 | static_cast<std::uint64_t>(hash >> 1) << 32 | (pair + 1);
  }
};

/// Every uncoloured edge bids at the ends that its row may write. Integer max. One thread per listed edge.
struct ColorBid : ColorRound {
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t pair = edge[i];
    if (pairs.manifold[pair].color != kNone) return;
    const EdgeEnds e = colored_ends_of(pairs, pair, bodies, shapes);
    const std::uint64_t priority = priority_of(pair, e);
    if (e.push_a) atomic_max(&bodies.best_edge[e.a], priority);
    if (e.push_b) atomic_max(&bodies.best_edge[e.b], priority);
  }
};

/// The winners take the lowest colour free at their ends. An edge for which none of the 64 is left gets the overflow
/// colour (perhaps before it wins: masks only fill). Writes the manifold's colour, and the masks of bodies whose best
/// edge it is. While an edge wins, no other writes the masks of its ends, so the masks that it reads are final.
struct ColorTake : ColorRound {
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t pair = edge[i];
    Manifold& m = pairs.manifold[pair];
    if (m.color != kNone) return;
    const EdgeEnds e = colored_ends_of(pairs, pair, bodies, shapes);
    const bool both = e.push_a && e.push_b;
    std::uint64_t* masks = both ? bodies.color_mask : bodies.static_color_mask;
    const std::uint64_t taken = (e.push_a ? atomic_load(&masks[e.a]) : 0) | (e.push_b ? atomic_load(&masks[e.b]) : 0);
    if (~taken == 0) {
      m.color = kMaskColors;
      if (both) note_overflow(state);
      atomic_add(&state->edges_colored, 1u);
      return;
    }
    const std::uint64_t priority = priority_of(pair, e);
    if (e.push_a && bodies.best_edge[e.a] != priority) return;
    if (e.push_b && bodies.best_edge[e.b] != priority) return;
    std::uint32_t color = 0;
    while ((taken >> color & 1u) != 0) ++color;
    m.color = color;
    const std::uint64_t bit = std::uint64_t{1} << color;
    if (e.push_a) atomic_or(&masks[e.a], bit);
    if (e.push_b) atomic_or(&masks[e.b], bit);
    atomic_add(&state->edges_colored, 1u);
  }
};

/// Clears the bids. One thread per listed edge.
struct ColorWipe : ColorRound {
  CAIRN_HD void operator()(std::uint32_t i) const {
    const EdgeEnds e = colored_ends_of(pairs, edge[i], bodies, shapes);
    if (e.push_a) atomic_store(&bodies.best_edge[e.a], std::uint64_t{0});
    if (e.push_b) atomic_store(&bodies.best_edge[e.b], std::uint64_t{0});
  }
};

}  // namespace cairn::kernels
