#pragma once
// Colours of bodies, for sweeps that take one body at a time: bodies that share a row have different ones. Recomputed
// in every step, in rounds in which a body takes the lowest colour that its neighbours have left once all of those with
// a higher priority have theirs (Jones and Plassmann 1993). The result doesn't depend on the rounds: it is that of
// first-fit in descending priority.

#include "kernels/color/color.h"
#include "kernels/common/arrays.h"

namespace cairn::kernels {

/// [1] Colour of bodies without rows. Before it come colours 0..63 and kMaskColors, for bodies to which none of those
/// was left.
inline constexpr std::uint32_t kNoBodyColor = kMaskColors + 1;
inline constexpr std::uint32_t kBodyColors = kNoBodyColor + 1;

/// Bodies in the order of their colours.
struct BodyColors {
  std::uint32_t* color;         ///< [1] (bodies + 1) kNone while it needs one; then part kBodyColors + colour
  std::uint32_t* sorted_color;  ///< [1] (bodies + 1)
  std::uint32_t* order;         ///< [1] (bodies + 1) bodies by part, colour and slot
  friend bool operator==(const BodyColors&, const BodyColors&) = default;
};
template <Same<BodyColors> V>
inline constexpr TypedList kArrays<V>{scratch<&V::color>(), scratch<&V::sorted_color>(), scratch<&V::order>()};

/// Data that the phases share.
struct BodyColoring {
  Bodies bodies;
  Parts parts;
  Rows rows;
  RowEnds ends;
  BodyEnds of_body;
  BodyColors of;
  StepState* state;
};

/// Bodies with rows need a colour. Writes color[i]. One thread per body slot.
struct BodyColorStart : BodyColoring {
  CAIRN_HD void operator()(std::uint32_t i) const {
    const bool wants = of_body.begin[i] != of_body.end[i];
    of.color[i] = wants ? kNone : kNoBodyColor;
    if (!wants) atomic_add(&state->bodies_colored, 1u);
  }
};

/// Bodies don't bid: their rows list their neighbours.
struct BodyColorBid {
  CAIRN_HD void operator()(std::uint32_t) const {}
};

/// Writes color[i]. One thread per body slot.
struct BodyColorTake : BodyColoring {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (of.color[i] != kNone) return;
    const std::uint64_t priority = priority_of(i);
    std::uint64_t taken = 0;
    for (std::uint32_t e = of_body.begin[i]; e < of_body.end[i]; ++e) {
      const std::uint32_t end = ends.sorted[e], slot = end >> 1;
      const RowBlock& row = rows[slot / kRowLanes];
      const std::uint32_t other = (end & 1u) != 0 ? row.body_a[slot % kRowLanes] : row.body_b[slot % kRowLanes];
      if (!(bodies.solve[other].movable > 0.0f)) continue;
      // a neighbour that goes first either has its colour already, which is final, or this body waits for it
      const std::uint32_t color = atomic_load(&of.color[other]);
      if (color < kMaskColors) taken |= std::uint64_t{1} << color;
      // that neighbour has to choose first
      if (color == kNone && priority_of(other) > priority) return;
    }
    std::uint32_t color = 0;
    while (color < kMaskColors && (taken >> color & 1u) != 0) ++color;
    atomic_store(&of.color[i], color);
    atomic_add(&state->bodies_colored, 1u);
  }

 private:
  /// Unique in a world, from the world's own ids.
  CAIRN_HD std::uint64_t priority_of(std::uint32_t body) const {
    const std::uint32_t id = bodies.id[body];
    return static_cast<std::uint64_t>(mix32(id)) << 32 | id;
  }
};

/// Adds the part as the major key. Writes color[i]. One thread per body slot.
struct BodyColorKey : BodyColoring {
  CAIRN_HD void operator()(std::uint32_t i) const { of.color[i] += parts.of_world[bodies.world[i]] * kBodyColors; }
};

}  // namespace cairn::kernels
