#pragma once
// Pairs that outlive a step. Where little moves far the search uses grown boxes: its candidates are the pairs whose
// grown boxes overlap. A shape that leaves its grown box gets another, and its candidates are searched again, as long
// as few shapes of its world do. So this step's pairs are those candidates that pass the test of a search: the same
// pairs as a search finds, in the same order. Two boxes are tested again when they may have moved far enough to change
// the result (box_motion.h). All this affects speed only. A world of which many boxes would soon leave has no
// candidates. If no world has any, the search runs without candidates.

#include <algorithm>
#include <cmath>

#include "kernels/pair/box_motion.h"
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
  /// True for a box whose motion is followed. Others leap, or have filters, far pairs or no place.
  CAIRN_HD bool is_followed() const {
    constexpr auto mask = [](int bit) { return std::uint64_t{1} << bit; };
    constexpr std::uint64_t kMust = mask(kBox) | mask(kBoxed) | mask(kDynamic),
                            kMustNot = mask(kKinematic) | mask(kFilters) | mask(kLeaps) | mask(kDisabled);
    return (bits & (kMust | kMustNot)) == kMust;
  }
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

struct BoxPath {
  float path;   ///< [m]
  float reach;  ///< [m] two whose gap exceeds the sum are apart; infinite if it isn't followed
};

/// What is known of each shape.
struct CandidateShapes {
  CandidateShape* shape;  ///<     (shapes)
  Aabb* box;              ///< [m] (shapes) at the search for its candidates, not grown
  float* radius;          ///< [m] (shapes) of balls, at that search
  BoxPath* motion;        ///<     (shapes) of boxes
  std::uint8_t* stale;    ///< [1] (shapes) not 0: it changed, or has left its grown box
};
template <Same<CandidateShapes> V>
inline constexpr TypedList kArrays<V>{scratch<&V::shape>(), scratch<&V::box>(), scratch<&V::radius>(),
                                      scratch<&V::motion>(), scratch<&V::stale>()};

/// Boxes where their paths end.
struct CandidateBlocks {
  BoxBlock* block;  ///< (shapes / BoxBlock::kBoxes)
};
template <Same<CandidateBlocks> V>
inline constexpr TypedList kArrays<V>{scratch<&V::block>()};

/// What is known of each world.
struct CandidateWorlds {
  std::uint32_t* world_flags;  ///< [1] (worlds) CandidateFlag
  std::uint32_t* world_steps;  ///< [1] (worlds) steps since the search of all
  std::uint32_t* world_stale;  ///< [1] (worlds) shapes that are stale, or more than kStaleShare allows
  std::uint32_t* world_fast;   ///< [1] (worlds) shapes that leave too soon, or more than kFastShare allows
};
template <Same<CandidateWorlds> V>
inline constexpr TypedList kArrays<V>{scratch<&V::world_flags>(), scratch<&V::world_steps>(),
                                      scratch<&V::world_stale>(), scratch<&V::world_fast>()};

/// The candidates, and what a step finds out about them.
struct CandidateKeys {
  std::uint64_t* key;  ///< [1] (capacity) keys of pairs, sorted
  float* limit;        ///< [m] (capacity) above 0: no pair while the sum of both paths and reaches is less; below 0: a
                       ///<     pair while the sum of both paths is less than -limit; 0: to be tested
  // within a step
  std::uint64_t* unsorted;  ///< [1] (capacity)
  std::uint32_t* kept;      ///< [1] (capacity) 1 if kept; then the exclusive sum
};
template <Same<CandidateKeys> V>
inline constexpr TypedList kArrays<V>{scratch<&V::key>(), scratch<&V::limit>(), scratch<&V::unsorted>(),
                                      scratch<&V::kept>()};

/// Candidates, kept from step to step.
struct PairCandidates : CandidateShapes, CandidateBlocks, CandidateWorlds, CandidateKeys {
  std::uint32_t capacity;  ///< [1]
  struct Counts {
    std::uint32_t candidates;      ///< [1]
    std::uint32_t stale;           ///< [1] not 0: some shape is searched
    std::uint32_t spared;          ///< [1] not 0: some world is spared
    std::uint32_t whole;           ///< [1] not 0: all shapes of some world are searched, or some shape changed
    std::uint32_t left;            ///< [1] shapes that have left their boxes, or more than kFewStale
    std::uint32_t few[kFewStale];  ///< [1] these
    std::uint32_t stay;            ///< [1] kept from a step before
    std::uint32_t untested;        ///< [1] not 0: no limit holds
    std::uint32_t wanted;          ///< [1] count that exceeded the capacity; 0: never
  } * counts;
};

/// Resets the flags of world i before a step checks its shapes. Once per world.
struct CandidateBegin {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    of.world_flags[i] &= kWorldSpared;
    of.world_stale[i] = of.world_fast[i] = 0;
    if (i != 0) return;
    of.counts->stale = of.counts->spared = of.counts->whole = of.counts->left = of.counts->untested = 0;
  }
};
/// Counts the candidates that were kept and those that the search counted, whether or not there is room. Their order
/// changes. Once.
struct CandidateRoom {
  StepState* state;
  PairCandidates of;
  CAIRN_HD void operator()() const {
    const std::uint64_t all = std::uint64_t{of.counts->stay} + state->pairs_needed;
    of.counts->candidates = state->pairs_wrapped != 0 || all > kNone ? kNone : static_cast<std::uint32_t>(all);
    of.counts->untested = 1;
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

/// Extends the paths of boxes to where they are now. Writes block i, and motion of its shapes. One thread per block.
struct CandidateMotion {
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  PairCandidates of;
  std::uint32_t count;  ///< [1] shape slots

  static std::uint32_t blocks(std::uint32_t shapes) { return (shapes + kBoxes - 1) / kBoxes; }

  void operator()(std::uint32_t i) const {
    using T = MotionLanes;
    const std::uint32_t first = i * kBoxes, n = std::min(count - first, kBoxes);
    BoxPath* const motion = of.motion + first;
    std::uint32_t followed = 0, any = 0, slot[kBoxes];
    for (std::uint32_t k = 0; k < n; ++k) {
      motion[k].reach = INFINITY;
      if (!of.shape[first + k].is_followed()) continue;
      followed |= 1u << k;
      any = k;
    }
    if (followed == 0) return;
    for (std::uint32_t k = 0; k < kBoxes; ++k) slot[k] = first + ((followed >> k & 1u) != 0 ? k : any);
    BoxBlock& block = of.block[i];
    BoxPlace<T> now(bodies, shapes, slot);
    const BoxPlace<T> then(block);
    const auto in_lanes = [](const auto& f) { return of_lanes<T>(f); };
    const auto body = [&](std::uint32_t k) { return shapes.body[slot[k]]; };
    const T was = in_lanes([&](std::uint32_t k) { return of.motion[slot[k]].path; }),
            path = (was + now.way_from(then)) * T(1.0f + kPathLoss);
    const float* boxes[kBoxes];
    for (std::uint32_t k = 0; k < kBoxes; ++k) boxes[k] = &shapes.box[slot[k]].min.x;
    T box[6];
    gather6(boxes, box);
    const Vec3T<T> low{box[0], box[1], box[2]}, high{box[3], box[4], box[5]};
    const T out = max(max_component(abs(low)), max_component(abs(high))),
            beyond = fma(T(kBoxLoss), out, max_component(T(0.5f) * (high - low) - now.extent()));
    // the margin of a pair has the smaller tolerance twice; each axis-aligned box has its own twice
    const T extent = in_lanes([&](std::uint32_t k) { return bodies.min_extent[body(k)]; }),
            radius = in_lanes([&](std::uint32_t k) { return bodies.radius[body(k)]; }),
            share = in_lanes([&](std::uint32_t k) { return worlds.params[bodies.world[body(k)]].recycle_tolerance; }),
            tolerance = recycle_length(share, radius, extent), before = load<T>(block.tolerance, 0);
    const MaskT<T> same = now.is_as_large_as(then) && tolerance == before;
    const std::uint32_t known = followed & lanes_of(now.is_unit() && beyond < T(kCalmReach) * extent),
                        goes_on = known & lanes_of(same && path <= T(kMaxPath));
    if (goes_on != known) atomic_store(&of.counts->untested, 1u);
    float paths[kBoxes], reaches[kBoxes];
    store(paths, 0, path);
    store(reaches, 0, beyond - tolerance);
    // what isn't followed in this step keeps its path, to which its whole way will be added
    for (std::uint32_t k = 0; k < n; ++k) {
      if ((known >> k & 1u) != 0) motion[k] = {(goes_on >> k & 1u) != 0 ? paths[k] : 0.0f, reaches[k]};
    }
    const MaskT<T> is_known = mask_in<T>(known);
    store(block.tolerance, 0, select(is_known, tolerance, before));
    now.put(is_known, block);
  }

 private:
  static constexpr std::uint32_t kBoxes = BoxBlock::kBoxes;
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

/// Marks the candidates that aren't searched. Writes kept[i].
struct CandidateStays {
  PairCandidates of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const auto a = static_cast<std::uint32_t>(of.key[i] >> 32), b = static_cast<std::uint32_t>(of.key[i]);
    const bool stale = of.stale[a] != 0 || of.stale[b] != 0;
    of.kept[i] = !stale && (of.world_flags[of.shape[a].world()] & kWorldStale) == 0 ? 1 : 0;
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
      --at;
      of.limit[at] = later ? of.limit[old - 1] : 0.0f;
      of.key[at] = later ? of.key[--old] : of.unsorted[--found];
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

/// Tests which candidates of a block are pairs of this step. Writes kept and limit. One thread per block.
struct CandidateMeets {
  using Lanes = MotionLanes;
  static constexpr std::uint32_t kBlock = 64;

  PairQuery query;
  PairCandidates of;

  CAIRN_HD static std::uint32_t blocks(std::uint32_t candidates) { return (candidates + kBlock - 1) / kBlock; }

  CAIRN_HD void operator()(std::uint32_t block) const {
    const std::uint32_t first = block * kBlock, rest = of.counts->candidates - first, n = rest < kBlock ? rest : kBlock;
    const auto tell = [&](std::uint32_t i, std::uint32_t a, std::uint32_t b, bool apart, float gap) {
      of.kept[i] = apart ? 0 : 1;
      of.limit[i] = limit_of(a, b, apart, gap);
    };
    BoxSieve<Lanes, decltype(tell)> sieve(query, tell);
    const auto test = [&](std::uint32_t i) {
      const Candidate c(of, i);
      const Meets meets = meet(c, of.limit[i]);
      of.kept[i] = meets == Meets::kYes ? 1 : 0;
      if (meets == Meets::kUnlessApart) sieve(i, c.a, c.b);
    };
    std::uint32_t i = 0;
    if (of.counts->untested == 0) {
      for (; i + kLanesOf<Lanes> <= n; i += kLanesOf<Lanes>) {
        const std::uint32_t open = settle<Lanes>(first + i);
        for (std::uint32_t k = 0; open >> k != 0; ++k) {
          if ((open >> k & 1u) != 0) test(first + i + k);
        }
      }
      for (; i < n; ++i) {
        if (settle<float>(first + i) != 0) test(first + i);
      }
    }
    for (; i < n; ++i) test(first + i);
    sieve.flush();
  }

 private:
  enum class Meets { kNo, kYes, kUnlessApart };
  struct Candidate {
    std::uint32_t a, b;
    CAIRN_HD Candidate(const PairCandidates& of, std::uint32_t i)
        : a(static_cast<std::uint32_t>(of.key[i] >> 32)), b(static_cast<std::uint32_t>(of.key[i])) {}
  };

  /// Results that hold. Returns the lanes of the others.
  template <class T>
  CAIRN_HD std::uint32_t settle(std::uint32_t first) const {
    constexpr std::uint32_t kLanes = kLanesOf<T>;
    std::uint32_t a[kLanes], b[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const Candidate c(of, first + i);
      a[i] = c.a;
      b[i] = c.b;
    }
    float paths[kLanes], reaches[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const BoxPath of_a = of.motion[a[i]], of_b = of.motion[b[i]];
      paths[i] = of_a.path + of_b.path;
      reaches[i] = of_a.reach + of_b.reach;
    }
    const T limit = load<T>(of.limit, first), path = from_lanes<T>(paths), far = path + from_lanes<T>(reaches),
            loss(1.0f + kPathLoss);
    const std::uint32_t never = lanes_of(loss * far < limit), still = lanes_of(finite(far) && loss * path < -limit);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if (((never | still) >> i & 1u) != 0) of.kept[first + i] = still >> i & 1u;
    }
    return ((1u << kLanes) - 1) & ~(never | still);
  }

  /// By filters and axis-aligned boxes. Writes the limit where that decides.
  CAIRN_HD Meets meet(const Candidate& c, float& limit) const {
    using S = CandidateShape;
    const auto yes = [](bool is) { return is ? Meets::kYes : Meets::kNo; };
    const auto [a, b] = c;
    const S of_a = of.shape[a], of_b = of.shape[b];
    const Aabb &box_a = query.shapes.box[a], &box_b = query.shapes.box[b];
    limit = 0.0f;
    if (of_b.is(S::kPlane)) return yes(query.meets_plane(a, of_a.body(), box_a, b));
    if (of_a.is(S::kPlane)) return yes(query.meets_plane(b, of_b.body(), box_b, a));
    if (!overlap(box_a, box_b)) {
      limit = limit_of(a, b, true, 0.0f);
      return Meets::kNo;
    }
    const bool balls = of_a.is(S::kBall) && of_b.is(S::kBall);
    if (balls && !boxes_meet(box_a, box_b, true, 0.0f)) return Meets::kNo;
    if (!query.allowed(a, of_a.body(), b, of_b.body(), of_a.is(S::kDynamic) || of_b.is(S::kDynamic))) return Meets::kNo;
    const bool sure = !balls && !of_a.is(S::kLeaps) && !of_b.is(S::kLeaps);
    if (!sure && !query.near(a, of_a.body(), box_a, b, of_b.body(), box_b, balls)) return Meets::kNo;
    return of_a.is(S::kBox) && of_b.is(S::kBox) ? Meets::kUnlessApart : Meets::kYes;
  }

  /// For two boxes that are apart, by a gap along a face's normal, or along an axis of the world by their axis-aligned
  /// boxes; or that are a pair, and nearer than the least margin along all of these. They stay
  ///   apart while gap - (growth of both paths) > reaches, or the same between their axis-aligned boxes,
  ///   a pair while gap + (growth of both paths) < the smaller tolerance, along all.
  CAIRN_HD float limit_of(std::uint32_t a, std::uint32_t b, bool apart, float gap) const {
    const BoxPath motion_a = of.motion[a], motion_b = of.motion[b];
    const float reaches = motion_a.reach + motion_b.reach;
    if (!finite(reaches)) return 0.0f;
    const Aabb &box_a = query.shapes.box[a], &box_b = query.shapes.box[b];
    const ShapeGeometry &g_a = query.shapes.geometry[a], &g_b = query.shapes.geometry[b];
    const Vec3 way = 0.5f * ((box_b.min + box_b.max) - (box_a.min + box_a.max));
    const float r_a = length(g_a.size), r_b = length(g_b.size), smaller = min(r_a, r_b),
                max_change = kMaxGapChange * smaller;
    // the lever of each, after such a change of the gap
    const bool levers = length(way) + max(r_a, r_b) + max_change <= kMaxLever * smaller;
    const float between = max_component(max(box_a.min - box_b.max, box_b.min - box_a.max)) + reaches,
                tolerance_a = tolerance_of(a), tolerance_b = tolerance_of(b),
                overlap = min(tolerance_a, tolerance_b) - max(gap, between + (tolerance_a + tolerance_b));
    const float spare_apart = max(levers ? min(gap, max_change) : 0.0f, between),
                spare_near = levers ? min(overlap, max_change) : 0.0f;
    const Vec3 out = max(max(abs(box_a.min), abs(box_a.max)), max(abs(box_b.min), abs(box_b.max)));
    const float far = max_component(out) + length(g_a.position) + length(g_b.position),
                spare = (apart ? spare_apart : spare_near) - fma(4.0f * kBoxLoss, far, kGapLoss * (r_a + r_b));
    if (!(spare > 0.0f)) return 0.0f;
    const float limit = (motion_a.path + motion_b.path + spare) * (1.0f - kPathLoss);
    return apart ? limit : -limit;
  }
  CAIRN_HD float tolerance_of(std::uint32_t shape) const {
    return of.block[shape / BoxBlock::kBoxes].tolerance[shape % BoxBlock::kBoxes];
  }
};
/// Copies the marked candidates: those that stay to the front of the keys to be sorted, or the step's pairs.
struct CandidateTake {
  PairCandidates of;
  const std::uint32_t* total;  ///< [1] one number
  std::uint64_t* key;
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t next = i + 1 < of.counts->candidates ? of.kept[i + 1] : *total;
    if (next != of.kept[i]) key[of.kept[i]] = of.key[i];
  }
};

}  // namespace cairn::kernels
