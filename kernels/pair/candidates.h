#pragma once
// Pairs that outlive a step. Where nothing moves far the search uses grown boxes. As long as no box of a world has left
// its grown one, this step's pairs are those candidates whose present boxes overlap: the same pairs as a search finds,
// in the same order. This affects speed only. A world whose boxes would soon leave has no candidates. If no world has
// any, the search runs without candidates.

#include "kernels/pair/pair.h"

namespace cairn::kernels {

/// [1] Growth of a shape's box, as a share of its largest extent.
inline constexpr float kSpareShare = 0.02f;
/// [1] Expected lifetime in steps from which candidates pay for a search.
inline constexpr float kWorthwhileSteps = 8.0f;

CAIRN_HD float spare_of(const Aabb& box) { return kSpareShare * max_component(box.max - box.min); }

enum CandidateFlag : std::uint32_t {
  kWorldStale = kSeeksCandidates,  ///< some shape of the world changed or has left its box
  kWorldFast = 2,                  ///< some shape would leave its grown box too soon
  kWorldSpared = 4,                ///< its boxes are grown
};

/// Properties of a shape, beside its box, on which the candidates depend; 0 for an empty slot.
struct CandidateShape {
  std::uint64_t bits;

  static constexpr std::uint64_t kUsed = std::uint64_t{1} << 63;
  static constexpr int kKinematic = 46, kDynamic = 47, kFilters = 48, kBall = 49, kPlane = 50, kBoxed = 51, kLeaps = 52,
                       kDisabled = 53;
  static constexpr int kWorldAt = 30;
  static_assert(kMaxWorlds < 1u << (kKinematic - kWorldAt));

  CAIRN_HD bool used() const { return bits != 0; }
  /// Equal except for kLeaps.
  CAIRN_HD bool same(CandidateShape other) const { return ((bits ^ other.bits) & ~(std::uint64_t{1} << kLeaps)) == 0; }
  CAIRN_HD bool is(int bit) const { return (bits >> bit & 1u) != 0; }
  CAIRN_HD std::uint32_t body() const { return static_cast<std::uint32_t>(bits) & ((1u << kWorldAt) - 1); }
  CAIRN_HD std::uint32_t world() const { return static_cast<std::uint32_t>(bits >> kWorldAt) & 0xffffu; }
};

CAIRN_HD CandidateShape candidate_shape(const StepConstants& k, const Bodies& bodies, const Shapes& shapes,
                                        std::uint32_t i) {
  const std::uint32_t body = shapes.body[i];
  if (body == kNone) return {0};
  const std::uint32_t flags = bodies.flags[body];
  const auto bit = [](bool is, int at) { return static_cast<std::uint64_t>(is ? 1 : 0) << at; };
  using S = CandidateShape;
  return {S::kUsed | static_cast<std::uint64_t>(bodies.world[body]) << S::kWorldAt | body |
          bit(is_kinematic(flags), S::kKinematic) | bit(is_dynamic(flags), S::kDynamic) |
          bit(is_disabled(flags), S::kDisabled) | bit(k.filters != 0, S::kFilters) |
          bit(shapes.geometry[i].kind == ShapeKind::kSphere, S::kBall) |
          bit(shapes.geometry[i].kind == ShapeKind::kPlane, S::kPlane) | bit(shapes.cell[i] != kNoCell, S::kBoxed) |
          bit(leaps(k, bodies, body), S::kLeaps)};
}

/// Candidates, kept from step to step.
struct PairCandidates {
  CandidateShape* shape;       ///<     (shapes)
  Aabb* box;                   ///< [m] (shapes) at the search for its world's candidates, not grown
  std::uint32_t* world_flags;  ///< [1] (worlds) CandidateFlag
  std::uint32_t* world_steps;  ///< [1] (worlds) steps since then
  std::uint64_t* key;          ///< [1] (count) keys of pairs, sorted
  // within a step
  std::uint64_t* unsorted;  ///< [1] (capacity)
  std::uint32_t* place;     ///< [1] (capacity) 1 if kept; then the exclusive sum
  std::uint32_t capacity;   ///< [1]
  struct Counts {
    std::uint32_t candidates;  ///< [1]
    std::uint32_t stale;       ///< [1] not 0: some world is stale
    std::uint32_t spared;      ///< [1] not 0: some world is spared
    std::uint32_t stay;        ///< [1] kept from a step before
    std::uint32_t wanted;      ///< [1] count that exceeded the capacity; 0: never
  } * counts;
};

/// Resets the flags of world i before a step checks its shapes. Once per world.
struct CandidateBegin {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    of.world_flags[i] &= kWorldSpared;
    if (i == 0) of.counts->stale = of.counts->spared = 0;
  }
};
/// Counts the candidates that were kept and those that the search counted, whether or not there is room. Once.
struct CandidateRoom {
  StepState* state;
  PairCandidates of;
  CAIRN_HD void operator()() const {
    const std::uint64_t all = std::uint64_t{of.counts->stay} + state->pairs_needed;
    of.counts->candidates = state->pairs_wrapped != 0 || all > kNone ? kNone : static_cast<std::uint32_t>(all);
  }
};
/// Drops all candidates and marks all worlds as stale. Once.
struct CandidateDrop {
  StepState* state;
  PairCandidates of;
  std::uint32_t worlds;
  CAIRN_HD void operator()() const {
    const std::uint32_t n = of.counts->candidates;
    if (n > of.capacity && n != kNone) of.counts->wanted = n;
    of.counts->candidates = 0;
    for (std::uint32_t i = 0; i < worlds; ++i) of.world_flags[i] = kWorldStale;
    state->pairs_wrapped = 0;
  }
};

/// Checks whether the candidates of its world may lack a pair of shape i. One thread per shape slot.
struct CandidateCheck {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const CandidateShape now = candidate_shape(k, bodies, shapes, i), was = of.shape[i];
    if (!now.same(was)) {
      if (now.used()) mark(now.world(), kWorldStale | kWorldFast);
      if (was.used()) mark(was.world(), kWorldStale | kWorldFast);
      return;
    }
    of.shape[i] = now;
    if (!now.is(CandidateShape::kBoxed)) return;
    const std::uint32_t world = now.world(), flags = atomic_load(of.world_flags + world);
    const Aabb &box = shapes.box[i], &then = of.box[i];
    const float out = max(max_component(then.min - box.min), max_component(box.max - then.max)), spare = spare_of(then);
    const Aabb limit = grown(then, spare);
    const bool inside = max_component(limit.min - box.min) <= 0.0f && max_component(box.max - limit.max) <= 0.0f;
    if ((flags & kWorldSpared) == 0 || !inside) mark(world, kWorldStale);
    if (kWorthwhileSteps * out > spare * static_cast<float>(of.world_steps[world])) mark(world, kWorldFast);
  }

 private:
  CAIRN_HD void mark(std::uint32_t world, std::uint32_t flags) const {
    if ((atomic_load(of.world_flags + world) & flags) != flags) atomic_or(of.world_flags + world, flags);
  }
};

/// Decides about world i: a stale, slow world gets grown boxes. Once per world.
struct CandidateWorld {
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = of.world_flags[i];
    std::uint32_t next = flags & kWorldSpared;
    if ((flags & kWorldStale) != 0) {
      next = kWorldStale;
      if ((flags & kWorldFast) == 0) next |= kWorldSpared;
    }
    of.world_flags[i] = next;
    of.world_steps[i] = (next & kWorldStale) != 0 ? 1 : of.world_steps[i] + 1;
    if ((next & kWorldStale) != 0) atomic_store(&of.counts->stale, 1u);
    if ((next & kWorldSpared) != 0) atomic_store(&of.counts->spared, 1u);
  }
};

/// Records shape i for the candidates that its world gets now. One thread per shape slot.
struct CandidateNote {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const CandidateShape now = candidate_shape(k, bodies, shapes, i);
    if (now.used() && (of.world_flags[now.world()] & kWorldStale) == 0) return;
    of.shape[i] = now;
    of.box[i] = shapes.box[i];
  }
};

/// Marks the candidates of worlds that aren't stale. Writes place[i].
struct CandidateStays {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const CandidateShape a = of.shape[of.key[i] >> 32];
    of.place[i] = a.used() && (of.world_flags[a.world()] & kWorldStale) == 0 ? 1 : 0;
  }
};
/// Moves those to the front of the keys to be sorted.
struct CandidateMove {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t next = i + 1 < of.counts->candidates ? of.place[i + 1] : of.counts->stay;
    if (next != of.place[i]) of.unsorted[of.place[i]] = of.key[i];
  }
};

/// The box for the search for a shape's candidates.
CAIRN_HD Aabb sought_box(const PairCandidates& of, const Aabb& box, std::uint32_t world) {
  return (of.world_flags[world] & kWorldSpared) != 0 ? grown(box, spare_of(box)) : box;
}

/// The cells of the search boxes, or of the plain boxes. Writes cell[i], and counts levels. One thread per shape slot.
struct CandidateCell {
  Shapes shapes;
  PairCandidates of;
  StepState* state;
  bool sought;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (shapes.cell[i] == kNoCell) return;
    const GridCell old = cell_of(shapes.cell[i]);
    if (old.level == kWholeLevel) return;
    const Aabb box = shapes.box[i];
    const GridCell cell = cell_of_box(sought ? sought_box(of, box, old.world) : box, old.world);
    shapes.cell[i] = key_of(cell);
    if (atomic_load(&state->level_count[cell.level]) <= kListedLevel) atomic_add(&state->level_count[cell.level], 1u);
  }
};
/// PairGather with the search boxes.
struct CandidateGather {
  Shapes shapes;
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    PairGather{shapes}(i);
    const std::uint64_t cell = shapes.sorted_cell[i];
    if (cell != kNoCell) shapes.sorted_box[i] = sought_box(of, shapes.sorted_box[i], world_of(cell));
  }
};

/// Tests whether candidate i is a pair of this step. Writes place[i].
struct CandidateMeets {
  PairQuery query;
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint64_t key = of.key[i];
    of.place[i] = meet(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)) ? 1 : 0;
  }

 private:
  CAIRN_HD bool meet(std::uint32_t a, std::uint32_t b) const {
    using S = CandidateShape;
    const S of_a = of.shape[a], of_b = of.shape[b];
    const Aabb &box_a = query.shapes.box[a], &box_b = query.shapes.box[b];
    if (of_b.is(S::kPlane)) return query.meets_plane(a, of_a.body(), box_a, b);
    if (of_a.is(S::kPlane)) return query.meets_plane(b, of_b.body(), box_b, a);
    if (!overlap(box_a, box_b)) return false;
    const bool balls = of_a.is(S::kBall) && of_b.is(S::kBall);
    if (balls && !boxes_meet(box_a, box_b, true, 0.0f)) return false;
    if (!query.allowed(a, of_a.body(), b, of_b.body(), of_a.is(S::kDynamic) || of_b.is(S::kDynamic))) return false;
    const bool sure = !balls && !of_a.is(S::kLeaps) && !of_b.is(S::kLeaps);
    return sure || query.near(a, of_a.body(), box_a, b, of_b.body(), box_b, balls);
  }
};
/// Copies those to the pairs of the step.
struct CandidateTake {
  PairCandidates of;
  const StepState* state;
  std::uint64_t* key;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t next = i + 1 < of.counts->candidates ? of.place[i + 1] : state->pairs_needed;
    if (next != of.place[i]) key[of.place[i]] = of.key[i];
  }
};

}  // namespace cairn::kernels
