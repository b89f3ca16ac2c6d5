#pragma once

#include "kernels/bound/reach.h"
#include "kernels/common/atomic.h"
#include "kernels/common/body_pack.h"
#include "kernels/pair/box_gaps.h"
#include "kernels/pair/grid.h"
#include "kernels/pair/pair_filter.h"
#include "kernels/pair/pair_surface.h"

namespace cairn::kernels {

/// Selects the levels that are searched by cells. Once.
struct PairLevels {
  StepState* state;

  CAIRN_HD void operator()() const {
    state->levels = 0;
    for (std::uint32_t level = 0; level < kLevels; ++level) {
      if (state->level_count[level] > kListedLevel) state->levels |= std::uint64_t{1} << level;
    }
  }
};

/// Writes bucket[i]. One thread per shape slot.
struct PairBucket {
  StepConstants k;
  Shapes shapes;
  const StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint64_t key = shapes.cell[i];
    if (key == kNoCell) {
      shapes.bucket[i] = k.bucket_count + 1;
      return;
    }
    const GridCell cell = cell_of(key);
    if (cell.level == kWholeLevel) {
      shapes.bucket[i] = cell.world & (k.bucket_count - 1);
      return;
    }
    shapes.bucket[i] = (state->levels >> cell.level & 1u) != 0 ? bucket_of(cell, k.bucket_count) : k.bucket_count;
  }
};

/// Copies the data of queries into bucket order. Writes entry i of sorted_cell and sorted_box. One thread per shape
/// slot.
struct PairGather {
  Shapes shapes;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t slot = shapes.sorted[i];
    shapes.sorted_cell[i] = shapes.cell[slot];
    shapes.sorted_box[i] = shapes.box[slot];
  }
};

/// [1] Covers rounding of a sum of lengths: two balls whose margins touch are never lost.
inline constexpr float kBallSlack = 1.0f + 1e-6f;

/// Whether shapes in these boxes (with margins) may touch if the margins together were less by `spare`: two balls, or
/// any other shapes. The corners of balls' boxes overlap long before the balls do.
CAIRN_HD bool boxes_meet(const Aabb& a, const Aabb& b, bool balls, float spare) {
  // twice the distances
  const Vec3 apart = (b.min - a.min) + (b.max - a.max), reach = (a.max - a.min) + (b.max - b.min);
  if (balls) {
    const float most = max(kBallSlack * max_component(reach) - 2.0f * spare, 0.0f);
    return dot(apart, apart) <= most * most;
  }
  const Vec3 past = abs(apart) - kBallSlack * reach;
  return max(max(past.x, past.y), past.z) <= -2.0f * spare;
}

/// Whether balls with this sum of radii may meet, in the sense of boxes_meet, while their boxes stay in these: along a
/// diagonal their centres come nearer by up to sqrt(3) of what the boxes leave them.
CAIRN_HD bool balls_may_meet(const Aabb& a, const Aabb& b, float radii) {
  const Vec3 apart = (b.min - a.min) + (b.max - a.max), reach = (a.max - a.min) + (b.max - b.min);
  const float most = kBallSlack * fma(1.7320509f, max_component(reach) - 2.0f * radii, 2.0f * radii);
  return dot(apart, apart) <= most * most;
}

/// Whether balls in these boxes, with this sum of radii, touch at present. In a bed most pairs do, and their motion
/// needn't be examined.
CAIRN_HD bool balls_touch(const Aabb& a, const Aabb& b, float radii) {
  const Vec3 apart = (b.min - a.min) + (b.max - a.max);
  const float most = 2.0f * radii;
  return dot(apart, apart) <= most * most;
}

/// Purpose of a query: contacts, within the distance that bodies may approach each other; `ccd`, which needs all shapes
/// in the way of bodies that leap; or all pairs that may have contacts in a later step (kernels/pair/candidates.h).
enum class PairUse { kContacts, kStops, kCandidates };
/// Bit of CandidateSeekers::world.
inline constexpr std::uint32_t kSeeksCandidates = 1;

/// The shapes whose candidates are searched.
struct CandidateSeekers {
  const std::uint32_t* world{nullptr};  ///< [1] (worlds) kSeeksCandidates: all shapes of the world
  const std::uint8_t* shape{nullptr};   ///< [1] (shapes) not 0: in other worlds these, each with all others
};

/// Finds the pairs whose boxes overlap and where at least one body is dynamic, or that pass PairFilter. Of two balls,
/// only pairs that may meet; for contacts of balls, and of boxes, only pairs that may have points. Each pair is found
/// by one of its shapes: the one on the finer level, or on the same level the one whose cell comes first.
struct PairQuery {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  const std::uint32_t* bucket_begin;
  const std::uint32_t* planes;
  IgnoredPairs ignored;
  Solids solids;
  bool surfaces;  ///< there are surfaces
  StepState* state;
  const std::uint32_t* fluid_of;  ///< [1] (bodies) of Fluids, or null: fluid particles meet each other in `fluids`
                                  ///<     instead
  PairUse use;
  CandidateSeekers seeks{};  ///< of kCandidates

  /// Calls found(slot_a, slot_b) for every pair that entry i of the sorted shapes reports. For a surface, for every
  /// triangle that the box overlaps, with the triangle's number in place of slot_b.
  template <class F>
  CAIRN_HD void visit(std::uint32_t i, F&& found) const {
    const std::uint32_t bucket = shapes.sorted_bucket[i];
    if (bucket > k.bucket_count) return;
    if (use == PairUse::kCandidates && (seeks.world[world_of(shapes.sorted_cell[i])] & kSeeksCandidates) == 0) {
#if !defined(__CUDA_ARCH__)
      if (seeks.shape[shapes.sorted[i]] != 0) visit_all(i, found);
#endif
      return;
    }
    const Seeker seeker = seeker_of(i, shapes.sorted_box[i]);
    const Aabb& box = seeker.box;
    const auto report = [&](std::uint32_t j) { this->report(seeker, j, shapes.sorted_box[j], found); };
    const auto test = [&](std::uint32_t j, std::uint64_t row) {
      if (overlap(box, shapes.sorted_box[j]) && row_of(shapes.sorted_cell[j]) == row) report(j);
    };

    const std::uint64_t key = shapes.sorted_cell[i];
    const std::uint32_t world = world_of(key);
    const GridCell own = cell_of(key);
    if (own.level == kWholeLevel) {
      for_range(i + 1, bucket_begin[bucket + 1], row_of(key), test);
      visit_planes(seeker, world, found);
      return;
    }
    if (bucket < k.bucket_count) {
      // the same row: the rest of the own cell, and the next cell
      for_range(i + 1, bucket_begin[bucket + 1], row_of(key), test);
      const std::uint32_t next = bucket_of({world, own.level, (own.x + 1) & kCellMask, own.y, own.z}, k.bucket_count);
      for_range(bucket_begin[next], bucket_begin[next + 1], row_of(key), test);
      // the other half of the neighbours
      for_row(own, 1, 0, test);
      for (int dy = -1; dy <= 1; ++dy) for_row(own, dy, 1, test);
      // all neighbours on coarser levels
      const std::uint64_t coarser = state->levels >> own.level >> 1;
      for (std::uint32_t up = 0; coarser >> up != 0; ++up) {
        if ((coarser >> up & 1u) == 0) continue;
        const GridCell cell = cell_of(box, world, own.level + 1 + up);
        for (int dz = -1; dz <= 1; ++dz) {
          for (int dy = -1; dy <= 1; ++dy) for_row(cell, dy, dz, test);
        }
      }
    }
    // listed shapes: all, or the rest of the list if the shape itself is listed
    const std::uint32_t listed = bucket_begin[k.bucket_count];
    for (std::uint32_t j = i < listed ? listed : i + 1; j < bucket_begin[k.bucket_count + 1]; ++j) {
      if (overlap(box, shapes.sorted_box[j]) && world_of(shapes.sorted_cell[j]) == world) report(j);
    }
    visit_planes(seeker, world, found);
  }

  /// Calls found(e, slot_a, slot_b) for the pairs of entries first + e, in any order; for contacts without boxes that
  /// are apart, which are tested in lanes of a T.
  template <class T, std::uint32_t kEntries, class F>
  CAIRN_HD void visit_pairs(std::uint32_t first, const F& found) const {
    // b may be the number of a triangle
    const auto is_box = [&](std::uint32_t i) {
      return i < kFirstTriangle && shapes.geometry[i].kind == ShapeKind::kBox;
    };
    const auto tell = [&](std::uint32_t entry, std::uint32_t a, std::uint32_t b, bool apart, float) {
      if (!apart) found(entry, a, b);
    };
    BoxSieve<T, decltype(tell)> sieve(*this, tell);
    for (std::uint32_t e = 0; e < kEntries; ++e) {
      visit(first + e, [&](std::uint32_t a, std::uint32_t b) {
        if (use == PairUse::kContacts && is_box(a) && is_box(b)) {
          sieve(e, a, b);
        } else {
          found(e, a, b);
        }
      });
    }
    sieve.flush();
  }

  /// The same with those that another shape would report; of two that both seek, the one with the lower slot reports.
  template <class F>
  CAIRN_HD void visit_all(std::uint32_t i, F& found) const {
    const Seeker seeker = seeker_of(i, shapes.sorted_box[i]);
    const std::uint32_t bucket = shapes.sorted_bucket[i], world = world_of(shapes.sorted_cell[i]);
    const auto test = [&](std::uint32_t j, std::uint64_t cell) {
      if (!overlap(seeker.box, shapes.sorted_box[j]) || (cell != kNoCell && cell != shapes.sorted_cell[j])) return;
      const std::uint32_t other = shapes.sorted[j];
      const bool reports = other < seeker.slot && seeks.shape[other] != 0;
      if (!reports && world_of(shapes.sorted_cell[j]) == world) report(seeker, j, shapes.sorted_box[j], found);
    };
    if (cell_of(shapes.sorted_cell[i]).level == kWholeLevel) {
      for_range(bucket_begin[bucket], bucket_begin[bucket + 1], kNoCell, test);
    } else {
      for_range(bucket_begin[k.bucket_count], bucket_begin[k.bucket_count + 1], kNoCell, test);
      for (std::uint32_t level = 0; state->levels >> level != 0; ++level) {
        if ((state->levels >> level & 1u) != 0) for_cells(seeker.box, world, level, test);
      }
    }
    visit_planes(seeker, world, found);
  }

  /// The same for entry i, whose body moves `past` [m] beyond its box: all pairs with shapes that move no farther
  /// beyond their own boxes, by past_of(slot), and maybe others. Two that leave their boxes may meet between them: the
  /// one that moves farther finds the other within twice its motion.
  template <class Past, class F>
  CAIRN_HD void visit_past(std::uint32_t i, float past, const Past& past_of, F&& found) const {
    const Seeker seeker = seeker_of(i, grown(shapes.sorted_box[i], past));
    const Aabb around = grown(seeker.box, past);
    const std::uint32_t bucket = shapes.sorted_bucket[i], world = world_of(shapes.sorted_cell[i]);
    const auto test = [&](std::uint32_t j, std::uint64_t) {
      if (world_of(shapes.sorted_cell[j]) != world || !overlap(around, shapes.sorted_box[j])) return;
      const Aabb box = grown(shapes.sorted_box[j], past_of(shapes.sorted[j]));
      if (overlap(seeker.box, box)) report(seeker, j, box, found);
    };
    if (cell_of(shapes.sorted_cell[i]).level == kWholeLevel) {
      for_range(bucket_begin[bucket], bucket_begin[bucket + 1], kNoCell, test);
    } else {
      for_range(bucket_begin[k.bucket_count], bucket_begin[k.bucket_count + 1], kNoCell, test);
      for (std::uint32_t level = 0; state->levels >> level != 0; ++level) {
        if ((state->levels >> level & 1u) != 0) for_cells(around, world, level, test);
      }
    }
    visit_planes(seeker, world, found);
  }

  /// Whether two shapes may have a pair; `dynamic`: one of their bodies is.
  CAIRN_HD bool allowed(std::uint32_t a, std::uint32_t body_a, std::uint32_t b, std::uint32_t body_b,
                        bool dynamic) const {
    return k.filters == 0 ? dynamic : PairFilter{bodies, shapes, ignored, k.filters}(a, body_a, b, body_b);
  }
  /// Whether two shapes, neither a surface, whose boxes overlap may have contact points.
  CAIRN_HD bool near(std::uint32_t a, std::uint32_t body_a, const Aabb& box_a, std::uint32_t b, std::uint32_t body_b,
                     const Aabb& box_b, bool balls) const {
    if (use == PairUse::kStops) return true;
    const auto touch = [&] { return balls_touch(box_a, box_b, shapes.geometry[a].size.x + shapes.geometry[b].size.x); };
    if (balls && touch()) return true;
    // ordered by slot, so that the result doesn't depend on which one found the other
    const float spare = a < b ? spare_of(body_a, body_b, balls) : spare_of(body_b, body_a, balls);
    return spare == 0.0f || boxes_meet(box_a, box_b, balls, spare);
  }
  /// Whether two shapes that stay in these boxes, which overlap, are candidates; `dynamic`, `kinematic`: one of their
  /// bodies is.
  CAIRN_HD bool may_meet(std::uint32_t a, const Aabb& box_a, std::uint32_t b, const Aabb& box_b, bool balls,
                         bool dynamic, bool kinematic) const {
    // sensors may see kinematic bodies
    if (!dynamic && !(kinematic && k.filters != 0)) return false;
    return !balls || balls_may_meet(box_a, box_b, shapes.geometry[a].size.x + shapes.geometry[b].size.x);
  }
  /// Whether a shape has a pair with a plane of its world.
  CAIRN_HD bool meets_plane(std::uint32_t slot, std::uint32_t body, const Aabb& box, std::uint32_t plane) const {
    return near_plane(box, plane) && (k.filters == 0 || allowed(slot, body, plane, shapes.body[plane], true));
  }

  /// [m] Cell size of entry i; unbounded for a world that is one cell.
  CAIRN_HD float cell_size(std::uint32_t i) const {
    const std::uint32_t level = cell_of(shapes.sorted_cell[i]).level;
    return level == kWholeLevel ? kNoExtent : static_cast<float>(size_of_level(level));
  }

 private:
  /// A shape that searches for others.
  struct Seeker {
    std::uint32_t slot, body, flags;
    Aabb box;
    bool dynamic, ball, fluid;
  };
  CAIRN_HD Seeker seeker_of(std::uint32_t i, const Aabb& box) const {
    const std::uint32_t slot = shapes.sorted[i], body = shapes.body[slot], flags = bodies.flags[body];
    return {slot,
            body,
            flags,
            box,
            is_dynamic(flags),
            shapes.geometry[slot].kind == ShapeKind::kSphere,
            fluid_of != nullptr && fluid_of[body] != kNone};
  }

  /// Reports entry j, whose box overlaps the seeker's.
  template <class F>
  CAIRN_HD void report(const Seeker& s, std::uint32_t j, const Aabb& other_box, F& found) const {
    const std::uint32_t other = shapes.sorted[j];
    const std::uint32_t other_body = shapes.body[other];
    if (other_body == s.body || (s.fluid && fluid_of[other_body] != kNone)) return;
    const std::uint32_t other_flags = bodies.flags[other_body];
    if (use == PairUse::kCandidates) {
      const bool balls = s.ball && shapes.geometry[other].kind == ShapeKind::kSphere;
      const bool dynamic = s.dynamic || is_dynamic(other_flags);
      const bool kinematic = is_kinematic(s.flags) || is_kinematic(other_flags);
      if (may_meet(s.slot, s.box, other, other_box, balls, dynamic, kinematic)) found(s.slot, other);
      return;
    }
    const bool balls = s.ball && shapes.geometry[other].kind == ShapeKind::kSphere;
    if (balls && !boxes_meet(s.box, other_box, true, 0.0f)) return;
    if (!allowed(s.slot, s.body, other, other_body, s.dynamic || is_dynamic(other_flags))) return;
    if (surfaces && is_surface(shapes.geometry[other].kind)) {
      visit_surface(s.slot, s.box, other, other_body, found);
    } else if (surfaces && is_surface(shapes.geometry[s.slot].kind)) {
      visit_surface(other, other_box, s.slot, s.body, found);
    } else if (near(s.slot, s.body, s.box, other, other_body, other_box, balls)) {
      found(s.slot, other);
    }
  }

  /// test(j, key of the cell) for the shapes in all cells of a level that may overlap the box, and maybe for others
  /// that share a bucket; if there are more cells than shapes, for all shapes, as if each cell were theirs.
  template <class F>
  CAIRN_HD void for_cells(const Aabb& box, std::uint32_t world, std::uint32_t level, const F& test) const {
    // a shape is no larger than its cell, and its centre is in it
    const double size = size_of_level(level), inv = 1.0 / size;
    const auto first = [&](float a) { return floored((static_cast<double>(a) - 0.5 * size) * inv); };
    const auto last = [&](float a) { return floored((static_cast<double>(a) + 0.5 * size) * inv); };
    const std::int64_t x0 = first(box.min.x), y0 = first(box.min.y), z0 = first(box.min.z);
    const std::int64_t x1 = last(box.max.x), y1 = last(box.max.y), z1 = last(box.max.z);
    const double cells =
        static_cast<double>(x1 - x0 + 1) * static_cast<double>(y1 - y0 + 1) * static_cast<double>(z1 - z0 + 1);
    // from there on cells wrap onto each other
    const bool wraps = x1 - x0 >= kCellMask || y1 - y0 >= kCellMask || z1 - z0 >= kCellMask;
    if (wraps || cells > static_cast<double>(k.shape_count)) {
      for (std::uint32_t j = 0; j < bucket_begin[k.bucket_count]; ++j) {
        if (cell_of(shapes.sorted_cell[j]).level == level) test(j, shapes.sorted_cell[j]);
      }
      return;
    }
    for (std::int64_t z = z0; z <= z1; ++z) {
      for (std::int64_t y = y0; y <= y1; ++y) {
        for (std::int64_t x = x0; x <= x1; ++x) {
          const GridCell cell{world, level, wrapped(x), wrapped(y), wrapped(z)};
          const std::uint32_t b = bucket_of(cell, k.bucket_count);
          for_range(bucket_begin[b], bucket_begin[b + 1], key_of(cell), test);
        }
      }
    }
  }

  /// [m] Excess of the boxes' margins over the contact margin of the two, for balls and bodies that leap. Other shapes,
  /// except boxes, may keep a manifold of faces that are farther apart.
  CAIRN_HD float spare_of(std::uint32_t a, std::uint32_t b, bool balls) const {
    const auto is_fluid = [&](std::uint32_t i) { return fluid_of != nullptr && fluid_of[i] != kNone; };
    if ((!balls && !leaps(k, bodies, a) && !leaps(k, bodies, b)) || is_fluid(a) || is_fluid(b)) return 0.0f;
    const auto margin_of = [&](std::uint32_t i) {
      const std::uint32_t flags = bodies.flags[i];
      return is_dynamic(flags) || is_kinematic(flags) ? reach_of_step(k, bodies, worlds, i) : 0.0f;
    };
    return max(margin_of(a) + margin_of(b) - pair_reach(k, bodies, worlds, a, b).margin(k), 0.0f);
  }

  template <class F>
  CAIRN_HD void visit_surface(std::uint32_t slot, const Aabb& box, std::uint32_t surface, std::uint32_t body,
                              F& found) const {
    // sensors may see another surface, but two surfaces have no pairs
    if (is_surface(shapes.geometry[slot].kind)) return;
    const ShapeGeometry g = shapes.geometry[surface];
    const Quat q = bodies.q[body];
    const Aabb local = local_box(box, bodies.x[body] + rotate(q, g.position), q * g.orientation, g.size.x);
    visit_triangles(g, solids, local, [&](std::uint32_t triangle) { found(slot, g.first + triangle); });
  }

  template <class F>
  CAIRN_HD void visit_planes(const Seeker& s, std::uint32_t world, F& found) const {
    // a plane may be a sensor, which sees kinematic bodies, too
    if (!is_dynamic(s.flags) && (k.filters == 0 || !is_kinematic(s.flags))) return;
    for (std::uint32_t p = worlds.plane_begin[world]; p < worlds.plane_begin[world + 1]; ++p) {
      if (use == PairUse::kCandidates || meets_plane(s.slot, s.body, s.box, planes[p])) found(s.slot, planes[p]);
    }
  }

  template <class F>
  CAIRN_HD void for_range(std::uint32_t begin, std::uint32_t end, std::uint64_t row, const F& test) const {
    for (std::uint32_t j = begin; j < end; ++j) test(j, row);
  }

  /// Tests the cells x - 1, x and x + 1 of a neighbouring row.
  template <class F>
  CAIRN_HD void for_row(const GridCell& cell, int dy, int dz, const F& test) const {
    const std::uint32_t y = (cell.y + static_cast<std::uint32_t>(dy)) & kCellMask,
                        z = (cell.z + static_cast<std::uint32_t>(dz)) & kCellMask;
    const GridCell first{cell.world, cell.level, (cell.x - 1) & kCellMask, y, z};
    const std::uint64_t row = row_of(key_of(first));
    // the buckets of a row follow cell.x, which wraps where the cells do; then the range is not in one piece
    const bool whole = cell.x != 0 && cell.x != kCellMask;
    const std::uint32_t begin = bucket_of(first, k.bucket_count);
    if (whole && begin + 2 < k.bucket_count) {
      for_range(bucket_begin[begin], bucket_begin[begin + 3], row, test);
      return;
    }
    for (std::uint32_t dx = 0; dx < 3; ++dx) {
      const GridCell next{cell.world, cell.level, (first.x + dx) & kCellMask, y, z};
      const std::uint32_t b = bucket_of(next, k.bucket_count);
      for_range(bucket_begin[b], bucket_begin[b + 1], row, test);
    }
  }

  CAIRN_HD bool near_plane(const Aabb& box, std::uint32_t plane) const {
    const ShapeGeometry g = shapes.geometry[plane];
    const std::uint32_t body = shapes.body[plane];
    const Quat q = bodies.q[body];
    const Vec3 normal = rotate(q * g.orientation, Vec3{0, 0, 1});
    const Vec3 origin = bodies.x[body] + rotate(q, g.position);
    // the corner farthest into the solid side
    const Vec3 corner{normal.x > 0.0f ? box.min.x : box.max.x, normal.y > 0.0f ? box.min.y : box.max.y,
                      normal.z > 0.0f ? box.min.z : box.max.z};
    return dot(normal, corner - origin) <= 0.0f;
  }
};

/// Writes pair_count and pair_notes of entry i. One thread per shape slot.
struct PairCount {
  static constexpr bool kOwnWays = true;

  PairQuery query;

  CAIRN_HD void operator()(std::uint32_t i) const { count<float, 1>(i); }
#if CAIRN_BODY_PACKS
  std::uint32_t pack(std::uint32_t first) const {
    count<Pack, kPackLanes>(first);
    return (1u << kPackLanes) - 1;
  }
#endif

 private:
  template <class T, std::uint32_t kEntries>
  CAIRN_HD void count(std::uint32_t first) const {
    std::uint32_t n[kEntries] = {};
    const auto found = [&](std::uint32_t entry, std::uint32_t, std::uint32_t other) {
      if (n[entry] < kNotedPairs) query.shapes.pair_notes[first + entry].other[n[entry]] = other;
      ++n[entry];
    };
    query.visit_pairs<T, kEntries>(first, found);
    for (std::uint32_t e = 0; e < kEntries; ++e) query.shapes.pair_count[first + e] = n[e];
  }
};

/// Compares the pair count with the capacity. Once.
struct PairCheck {
  StepConstants k;
  StepState* state;

  CAIRN_HD void operator()() const {
    if (state->pairs_wrapped != 0) state->pairs_needed = kNone;
    if (state->pairs_needed > k.pair_capacity) {
      state->overflow = 1;
    } else {
      state->pair_count[k.parity] = state->pairs_needed;
    }
  }
};

/// Writes the keys of entry i from pair_count[i] on. One thread per shape slot.
struct PairFill {
  static constexpr bool kOwnWays = true;

  PairQuery query;
  std::uint64_t* key;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Shapes& shapes = query.shapes;
    std::uint32_t at = shapes.pair_count[i];
    const std::uint32_t end = i + 1 < query.k.shape_count ? shapes.pair_count[i + 1] : query.state->pairs_needed;
    const auto put = [&](std::uint32_t a, std::uint32_t b) { key[at++] = key_of_pair(a, b); };
    // the notes of a surface don't say which shapes touch it
    if (end - at > kNotedPairs || (query.surfaces && is_surface(shapes.geometry[shapes.sorted[i]].kind))) {
      query.visit_pairs<float, 1>(i, [&](std::uint32_t, std::uint32_t a, std::uint32_t b) { put(a, b); });
      return;
    }
    const PairNotes& notes = shapes.pair_notes[i];
    const std::uint32_t n = end - at;
    for (std::uint32_t p = 0; p < n; ++p) put(shapes.sorted[i], notes.other[p]);
  }
};

}  // namespace cairn::kernels
