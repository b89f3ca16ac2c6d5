#pragma once
// Pairs that outlive a step. Where little moves far the search uses grown boxes: its candidates are the pairs whose
// grown boxes overlap. A shape that leaves its grown box gets another, and its candidates are searched again, as long
// as few shapes of its world do. So this step's pairs are those candidates whose present boxes overlap: the same pairs
// as a search finds, in the same order. This affects speed only. A world of which many boxes would soon leave has no
// candidates. If no world has any, the search runs without candidates.

#include <algorithm>

#include "kernels/pair/pair.h"

namespace cairn::kernels {

/// [1] Growth of a shape's box, as a share of its largest extent; of balls, which have fewer neighbours, and creep.
inline constexpr float kSpareShare = 0.02f, kBallSpareShare = 0.08f;
/// [1] Expected lifetime in steps from which candidates pay for a search.
inline constexpr float kWorthwhileSteps = 8.0f;
/// [1] A world in which more than 1 / this of the shapes would leave sooner has no candidates.
inline constexpr std::uint32_t kFastShare = 8;
/// [1] So many stale shapes, or fewer, are compared with all others: that costs less than a grid.
inline constexpr std::uint32_t kFewStale = 16;
/// [1] If more than 1 / this of a world's shapes have left at once, all are searched.
inline constexpr std::uint32_t kStaleShare = 4;

enum CandidateFlag : std::uint32_t {
  kWorldStale = kSeeksCandidates,  ///< all of its shapes are searched
  kWorldSpared = 2,                ///< its boxes are grown
};

/// Properties of a shape, beside its box, on which the candidates depend; 0 for an empty slot.
struct CandidateShape {
  std::uint64_t bits;

  static constexpr std::uint64_t kUsed = std::uint64_t{1} << 63;
  static constexpr int kKinematic = 46, kDynamic = 47, kFilters = 48, kBall = 49, kPlane = 50, kBoxed = 51, kLeaps = 52,
                       kDisabled = 53, kBox = 54;
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
          bit(shapes.geometry[i].kind == ShapeKind::kBox, S::kBox) |
          bit(shapes.geometry[i].kind == ShapeKind::kPlane, S::kPlane) | bit(shapes.cell[i] != kNoCell, S::kBoxed) |
          bit(leaps(k, bodies, body), S::kLeaps)};
}

CAIRN_HD float spare_of(const Aabb& box, CandidateShape of) {
  return (of.is(CandidateShape::kBall) ? kBallSpareShare : kSpareShare) * max_component(box.max - box.min);
}

/// Candidates, kept from step to step.
struct PairCandidates {
  CandidateShape* shape;       ///<     (shapes)
  Aabb* box;                   ///< [m] (shapes) at the search for its candidates, not grown
  float* radius;               ///< [m] (shapes) of balls, at that search
  std::uint8_t* stale;         ///< [1] (shapes) not 0: it changed, or has left its grown box
  std::uint32_t* world_flags;  ///< [1] (worlds) CandidateFlag
  std::uint32_t* world_steps;  ///< [1] (worlds) steps since the search of all
  std::uint32_t* world_stale;  ///< [1] (worlds) shapes that are stale, or more than kStaleShare allows
  std::uint32_t* world_fast;   ///< [1] (worlds) shapes that leave too soon, or more than kFastShare allows
  std::uint64_t* key;          ///< [1] (count) keys of pairs, sorted
  // within a step
  std::uint64_t* unsorted;  ///< [1] (capacity)
  std::uint32_t* place;     ///< [1] (capacity) 1 if kept; then the exclusive sum
  std::uint32_t capacity;   ///< [1]
  struct Counts {
    std::uint32_t candidates;      ///< [1]
    std::uint32_t stale;           ///< [1] not 0: some shape is searched
    std::uint32_t spared;          ///< [1] not 0: some world is spared
    std::uint32_t whole;           ///< [1] not 0: all shapes of some world are searched, or some shape changed
    std::uint32_t left;            ///< [1] shapes that have left their boxes, or more than kFewStale
    std::uint32_t few[kFewStale];  ///< [1] these
    std::uint32_t stay;            ///< [1] kept from a step before
    std::uint32_t wanted;          ///< [1] count that exceeded the capacity; 0: never
  } * counts;
};

/// Resets the flags of world i before a step checks its shapes. Once per world.
struct CandidateBegin {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    of.world_flags[i] &= kWorldSpared;
    of.world_stale[i] = of.world_fast[i] = 0;
    if (i == 0) of.counts->stale = of.counts->spared = of.counts->whole = of.counts->left = 0;
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

/// Checks whether the candidates may lack a pair of shape i. Writes shape[i] and stale[i]. One thread per shape slot.
struct CandidateCheck {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  const std::uint32_t* shape_count;  ///< [1] (worlds)
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    using S = CandidateShape;
    const S now = candidate_shape(k, bodies, shapes, i), was = of.shape[i];
    of.shape[i] = now;
    // what balls may meet depends on their radii
    const bool resized = now.is(S::kBall) && shapes.geometry[i].size.x != of.radius[i];
    const bool changed = !now.same(was) || resized;
    of.stale[i] = changed ? 1 : 0;
    if (changed) {
      atomic_store(&of.counts->whole, 1u);
      for (const S& one : {now, was}) {
        if (!one.used()) continue;
        count(one.world(), kStaleShare, of.world_stale);
        // planes don't seek
        if (one.is(S::kPlane)) atomic_or(of.world_flags + one.world(), std::uint32_t{kWorldStale});
      }
      return;
    }
    if (!now.is(S::kBoxed)) return;
    const std::uint32_t world = now.world();
    const Aabb &box = shapes.box[i], &then = of.box[i];
    const float out = max(max_component(then.min - box.min), max_component(box.max - then.max)),
                spare = spare_of(then, now);
    if (kWorthwhileSteps * out > spare * static_cast<float>(of.world_steps[world])) {
      count(world, kFastShare, of.world_fast);
    }
    if ((atomic_load(of.world_flags + world) & kWorldSpared) == 0) return;
    const Aabb limit = grown(then, spare);
    const bool inside = max_component(limit.min - box.min) <= 0.0f && max_component(box.max - limit.max) <= 0.0f;
    if (inside) return;
    of.stale[i] = 1;
    count(world, kStaleShare, of.world_stale);
    if (atomic_load(&of.counts->left) <= kFewStale) atomic_add(&of.counts->left, 1u);
  }

 private:
  /// Counts a shape of a world, up to one more than the share allows.
  CAIRN_HD void count(std::uint32_t world, std::uint32_t share, std::uint32_t* counts) const {
    if (atomic_load(counts + world) * share <= shape_count[world]) atomic_add(counts + world, 1u);
  }
};

/// Decides about world i. Where many shapes are stale, or it has no candidates, all are searched; a slow world then
/// gets grown boxes. Once per world.
struct CandidateWorld {
  const std::uint32_t* shape_count;  ///< [1] (worlds)
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t n = shape_count[i];
    std::uint32_t next = of.world_flags[i];
    if (next != kWorldSpared || of.world_stale[i] * kStaleShare > n) {
      next = kWorldStale;
      if (of.world_fast[i] * kFastShare <= n) next |= kWorldSpared;
    }
    of.world_flags[i] = next;
    of.world_steps[i] = (next & kWorldStale) != 0 ? 1 : of.world_steps[i] + 1;
    if ((next & kWorldStale) != 0) atomic_store(&of.counts->whole, 1u);
    if ((next & kWorldStale) != 0 || of.world_stale[i] != 0) atomic_store(&of.counts->stale, 1u);
    if ((next & kWorldSpared) != 0) atomic_store(&of.counts->spared, 1u);
  }
};

/// Records the box and radius of shape i, if its candidates are searched now. One thread per shape slot.
struct CandidateNote {
  Shapes shapes;
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const CandidateShape now = of.shape[i];
    if (!now.used() || (of.stale[i] == 0 && (of.world_flags[now.world()] & kWorldStale) == 0)) return;
    of.box[i] = shapes.box[i];
    of.radius[i] = shapes.geometry[i].size.x;
  }
};

/// Marks the candidates that aren't searched. Writes place[i].
struct CandidateStays {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const auto a = static_cast<std::uint32_t>(of.key[i] >> 32), b = static_cast<std::uint32_t>(of.key[i]);
    const bool stale = of.stale[a] != 0 || of.stale[b] != 0;
    of.place[i] = !stale && (of.world_flags[of.shape[a].world()] & kWorldStale) == 0 ? 1 : 0;
  }
};

/// The box for the search for candidates with shape i.
CAIRN_HD Aabb sought_box(const PairCandidates& of, std::uint32_t i, std::uint32_t world) {
  const Aabb& box = of.box[i];
  return (of.world_flags[world] & kWorldSpared) != 0 ? grown(box, spare_of(box, of.shape[i])) : box;
}

/// Whether two shapes are candidates, by their search boxes.
struct CandidateNear {
  PairQuery query;
  PairCandidates of;

  bool operator()(std::uint32_t a, std::uint32_t b) const {
    using S = CandidateShape;
    const S of_a = of.shape[a], of_b = of.shape[b];
    if (!of_b.is(S::kBoxed) || of_a.world() != of_b.world() || of_a.body() == of_b.body()) return false;
    const Aabb box_a = sought_box(of, a, of_a.world()), box_b = sought_box(of, b, of_b.world());
    const auto one_is = [&](int bit) { return of_a.is(bit) || of_b.is(bit); };
    return overlap(box_a, box_b) && query.may_meet(a, box_a, b, box_b, of_a.is(S::kBall) && of_b.is(S::kBall),
                                                   one_is(S::kDynamic), one_is(S::kKinematic));
  }
};
/// Lists the few that are stale, and records their boxes. Once.
struct CandidateNoteFew {
  Shapes shapes;
  PairCandidates of;
  std::uint32_t count;  ///< [1] shapes
  void operator()() const {
    for (std::uint32_t i = 0, f = 0; i < count && f < of.counts->left; ++i) {
      if (of.stale[i] == 0) continue;
      of.counts->few[f++] = i;
      of.box[i] = shapes.box[i];
    }
  }
};
/// Writes pair_count[i]: not 0 if shape i is a candidate with some of the few that are stale. One thread per shape
/// slot.
struct CandidateNearFew {
  CandidateNear near;
  void operator()(std::uint32_t i) const {
    bool any = false;
    for (std::uint32_t f = 0; f < near.of.counts->left; ++f) any = any || near(near.of.counts->few[f], i);
    near.query.shapes.pair_count[i] = any ? 1 : 0;
  }
};

/// Adds the candidates that were found so, unless they are known; if there is no room, asks for a search. Once.
struct CandidateAddFew {
  CandidateNear near;
  std::uint32_t shapes;

  void operator()() const {
    const PairCandidates& of = near.of;
    const std::uint32_t n = of.counts->candidates;
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < shapes; ++i) {
      if (near.query.shapes.pair_count[i] == 0) continue;
      for (std::uint32_t f = 0; f < of.counts->left; ++f) {
        const std::uint32_t one = of.counts->few[f];
        if (!near(one, i)) continue;
        const std::uint64_t key = key_of_pair(one, i);
        if (std::binary_search(of.key, of.key + n, key)) continue;
        if (n + found == of.capacity) {
          of.counts->whole = 1;
          return;
        }
        of.unsorted[found++] = key;
      }
    }
    std::sort(of.unsorted, of.unsorted + found);
    // of two stale shapes each found the other
    found = static_cast<std::uint32_t>(std::unique(of.unsorted, of.unsorted + found) - of.unsorted);
    of.counts->candidates = n + found;
    for (std::uint32_t at = n + found, old = n; found > 0;) {
      const bool later = old > 0 && of.key[old - 1] > of.unsorted[found - 1];
      of.key[--at] = later ? of.key[--old] : of.unsorted[--found];
    }
  }
};

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
    const GridCell cell = cell_of_box(sought ? sought_box(of, i, old.world) : shapes.box[i], old.world);
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
    if (cell != kNoCell) shapes.sorted_box[i] = sought_box(of, shapes.sorted[i], world_of(cell));
  }
};

/// Tests whether candidate i is a pair of this step. Writes place[i].
struct CandidateMeets {
  PairQuery query;
  PairCandidates of;

  CAIRN_HD void operator()(std::uint32_t i) const { test<float, 1>(i); }
#if defined(CAIRN_BODY_PACKS)
  std::uint32_t pack(std::uint32_t first) const {
    test<Pack, kPackLanes>(first);
    return (1u << kPackLanes) - 1;
  }
#endif

 private:
  enum class Meets { kNo, kYes, kUnlessApart };

  template <class T, std::uint32_t kEntries>
  CAIRN_HD void test(std::uint32_t first) const {
    const auto found = [&](std::uint32_t entry, std::uint32_t, std::uint32_t) { of.place[first + entry] = 1; };
    BoxSieve<T, decltype(found)> sieve(query, found);
    for (std::uint32_t e = 0; e < kEntries; ++e) {
      const std::uint64_t key = of.key[first + e];
      const std::uint32_t a = static_cast<std::uint32_t>(key >> 32), b = static_cast<std::uint32_t>(key);
      const Meets meets = meet(a, b);
      of.place[first + e] = meets == Meets::kYes ? 1 : 0;
      if (meets == Meets::kUnlessApart) sieve(e, a, b);
    }
    sieve.pass();
  }
  /// By filters and axis-aligned boxes.
  CAIRN_HD Meets meet(std::uint32_t a, std::uint32_t b) const {
    using S = CandidateShape;
    const auto yes = [](bool is) { return is ? Meets::kYes : Meets::kNo; };
    const S of_a = of.shape[a], of_b = of.shape[b];
    const Aabb &box_a = query.shapes.box[a], &box_b = query.shapes.box[b];
    if (of_b.is(S::kPlane)) return yes(query.meets_plane(a, of_a.body(), box_a, b));
    if (of_a.is(S::kPlane)) return yes(query.meets_plane(b, of_b.body(), box_b, a));
    if (!overlap(box_a, box_b)) return Meets::kNo;
    const bool balls = of_a.is(S::kBall) && of_b.is(S::kBall);
    if (balls && !boxes_meet(box_a, box_b, true, 0.0f)) return Meets::kNo;
    if (!query.allowed(a, of_a.body(), b, of_b.body(), of_a.is(S::kDynamic) || of_b.is(S::kDynamic))) return Meets::kNo;
    const bool sure = !balls && !of_a.is(S::kLeaps) && !of_b.is(S::kLeaps);
    if (!sure && !query.near(a, of_a.body(), box_a, b, of_b.body(), box_b, balls)) return Meets::kNo;
    return of_a.is(S::kBox) && of_b.is(S::kBox) ? Meets::kUnlessApart : Meets::kYes;
  }
};
/// Copies the marked candidates: those that stay to the front of the keys to be sorted, or the step's pairs.
struct CandidateTake {
  PairCandidates of;
  const std::uint32_t* total;  ///< [1] one number
  std::uint64_t* key;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t next = i + 1 < of.counts->candidates ? of.place[i + 1] : *total;
    if (next != of.place[i]) key[of.place[i]] = of.key[i];
  }
};

}  // namespace cairn::kernels
