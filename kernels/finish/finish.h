#pragma once

#include "cairn/report.h"
#include "kernels/color/row_order.h"
#include "kernels/common/atomic.h"
#include "kernels/common/body_pack.h"
#include "kernels/common/float_pair.h"
#include "kernels/common/state.h"
#include "kernels/finish/rest.h"
#include "kernels/predict/predict.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// A body's state at the step's end.
struct Finished {
  Vec3 x, x_low;  ///< [m]
  Quat q;
  Vec3 v;        ///< [m/s]
  Vec3 w;        ///< [rad/s]
  Vec3d w_body;  ///< [rad/s] of gyroscopic bodies, in the principal frame
};

/// Result of the step for body i, which moves by itself or with a given velocity.
CAIRN_HD Finished finished(const Bodies& bodies, std::uint32_t i, std::uint32_t flags) {
  const BodySolve s = bodies.solve[i];
  Finished f{bodies.x[i], bodies.x_low[i], narrow(bodies.q1[i]), s.v, s.w, {}};
  add_to_pair(f.x, f.x_low, s.dx);
  if (!is_dynamic(flags)) return f;
  f.w = bodies.inv_sqrt_inertia[i] * s.w;
  if ((flags & kBodyGyroscopic) != 0) {
    f.w_body = with_change(bodies.w_body[i], f.q, bodies.inv_sqrt_inertia[i], s.w - bodies.w_seen[i]);
    f.w = to_world(f.q, f.w_body);
  }
  return f;
}

#if CAIRN_BODY_PACKS
/// The same for eight bodies: the lanes returned are those that are awake and dynamic with equal moments.
struct FinishedPack {
  Vec3T<Pack> x, x_low;  ///< [m]
  QuatT<Pack> q;
  Vec3T<Pack> v;        ///< [m/s]
  Vec3T<Pack> w;        ///< [rad/s]
  std::uint32_t lanes;  ///< bit by body
};
inline FinishedPack finished_pack(const Bodies& bodies, std::uint32_t first) {
  FinishedPack f;
  constexpr std::uint32_t kAmong = (kFreeBits & ~kBodyLink) | kBodyGyroscopic;
  f.lanes = lanes_with(bodies.flags + first, kAmong, kFreeFlags);
  if (f.lanes == 0) return f;
  Pack s[8], d[8];
  load_half(&bodies.solve[first].v, s);
  load_half(&bodies.solve[first].dx, d);
  f.x = load3(bodies.x + first);
  f.x_low = load3(bodies.x_low + first);
  add_to_pair(f.x, f.x_low, {d[0], d[1], d[2]});
  f.q = narrow(load4(bodies.q1 + first));
  f.v = {s[0], s[1], s[2]};
  f.w = load6(bodies.inv_sqrt_inertia + first) * Vec3T<Pack>{s[4], s[5], s[6]};
  return f;
}
#endif

/// Checks whether the step can be accepted: a body whose result isn't finite, or exceeds a limit of its world, raises a
/// status bit of the world. One thread per body slot.
struct FinishCheck {
  Bodies bodies;
  Worlds worlds;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i];
    if (!takes_part(flags) || !(is_dynamic(flags) || is_kinematic(flags))) return;
    const Finished f = finished(bodies, i, flags);
    const std::uint32_t world = bodies.world[i];
    if (!(finite(f.x) && finite(f.x_low) && finite(f.q) && finite(f.v) && finite(f.w))) {
      raise(worlds, state, world, i, kStatusNonFinite);
      return;
    }
    const WorldLimits limits = worlds.limits[world];
    const Vec3 past = max(limits.lower - f.x, f.x - limits.upper);
    if (max_component(past) > 0.0f) raise(worlds, state, world, i, kStatusOutOfBounds);
    const bool slow = length(f.v) <= limits.speed && length(f.w) <= limits.angular_speed;
    if (!slow || !turns_in_range(f.w, bodies.radius[i])) raise(worlds, state, world, i, kStatusTooFast);
  }

#if CAIRN_BODY_PACKS
  /// The same for eight bodies; the lanes returned are those that raise nothing.
  std::uint32_t pack(std::uint32_t first) const {
    const FinishedPack f = finished_pack(bodies, first);
    if (f.lanes == 0) return 0;
    const auto of = [&](const auto& get) { return of_worlds(bodies.world + first, f.lanes, get); };
    const Vec3T<Pack> lower = of([&](std::uint32_t i) { return worlds.limits[i].lower; });
    const Vec3T<Pack> upper = of([&](std::uint32_t i) { return worlds.limits[i].upper; });
    const Vec3T<Pack> speeds = of([&](std::uint32_t i) {
      return Vec3{worlds.limits[i].speed, worlds.limits[i].angular_speed, 0};
    });
    const auto inside = lower.x <= f.x.x && lower.y <= f.x.y && lower.z <= f.x.z && f.x.x <= upper.x &&
                        f.x.y <= upper.y && f.x.z <= upper.z;
    const Pack turning = length(f.w);
    const auto slow =
        length(f.v) <= speeds.x && turning <= speeds.y && turning * load<Pack>(bodies.radius, first) <= Pack(kMaxSpeed);
    const auto whole = finite(f.x) && finite(f.x_low) && finite(f.q.x) && finite(f.q.y) && finite(f.q.z) &&
                       finite(f.q.w) && finite(f.v) && finite(f.w);
    return f.lanes & lanes_of(inside && slow && whole);
  }
#endif
};

/// Accepts the step's result unless the world has a status bit. Then all its bodies stay as they were, and are frozen,
/// including sleeping ones, so that waking them moves nothing. Writes x, x_low, q, v, w, w_body, w_known, flags, force
/// and torque of body i, and counts the bodies asleep. One thread per body slot.
struct FinishBody {
  Bodies bodies;
  Worlds worlds;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t was = bodies.flags[i];
    // a frozen body waits: the step hasn't examined it
    const std::uint32_t past = (was & kBodyFrozen) != 0 ? 0u : std::uint32_t{kBodyNewlyAsleep};
    const std::uint32_t flags = was & ~(kBodyWoken | past);
    bodies.flags[i] = flags;
    bodies.force[i] = bodies.torque[i] = Vec3{0, 0, 0};
    if ((flags & kBodyAsleep) != 0) atomic_add(&state->counts.asleep, 1u);
    if ((flags & kBodyAlive) == 0) return;
    if (worlds.status[bodies.world[i]] != 0) {
      bodies.flags[i] = flags | kBodyFrozen;
      // the step has changed w_body
      if (takes_part(flags)) bodies.w_known[i] = unknown_velocity();
      return;
    }
    if (!takes_part(flags)) return;
    if (!is_dynamic(flags) && !is_kinematic(flags)) return;
    const Finished f = finished(bodies, i, flags);
    // adding 0 turns -0 into +0: eight lanes at once may add zeros that a single lane doesn't
    const Vec3 zero{0, 0, 0};
    bodies.x[i] = f.x + zero;
    bodies.x_low[i] = f.x_low + zero;
    bodies.q[i] = {f.q.x + 0.0f, f.q.y + 0.0f, f.q.z + 0.0f, f.q.w + 0.0f};
    bodies.v[i] = f.v + zero;
    bodies.w[i] = f.w + zero;
    if (is_dynamic(flags) && (flags & kBodyGyroscopic) != 0) bodies.w_body[i] = f.w_body;
    bodies.w_known[i] = f.w + zero;
  }

#if CAIRN_BODY_PACKS
  /// The same for eight bodies whose worlds accept the step.
  std::uint32_t pack(std::uint32_t first) const {
    const FinishedPack f = finished_pack(bodies, first);
    std::uint32_t lanes = f.lanes;
    each_set(f.lanes, [&](std::uint32_t i) {
      if (worlds.status[bodies.world[first + i]] != 0) lanes &= ~(1u << i);
    });
    if (lanes == 0) return 0;
    each_set(lanes,
             [&](std::uint32_t i) { bodies.flags[first + i] &= ~(kBodyWoken | std::uint32_t{kBodyNewlyAsleep}); });
    const Pack none(0.0f);
    const Vec3T<Pack> zero{none, none, none};
    const Pack::Mask mask = mask_of(lanes);
    store3(bodies.force + first, mask, zero);
    store3(bodies.torque + first, mask, zero);
    store3(bodies.x + first, mask, f.x + zero);
    store3(bodies.x_low + first, mask, f.x_low + zero);
    store4(bodies.q + first, lanes, {f.q.x + none, f.q.y + none, f.q.z + none, f.q.w + none});
    store3(bodies.v + first, mask, f.v + zero);
    store3(bodies.w + first, mask, f.w + zero);
    store3(bodies.w_known + first, mask, f.w + zero);
    return lanes;
  }
#endif
};

/// Writes the rows' impulses, slips and rests back to their manifolds. One thread per row, in row_order (owner: each
/// manifold has one row).
struct FinishRow {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Rows rows;
  Pairs pairs;
  PairWork work;
  Parts parts;
  bool rolling;
  bool slips;  ///< the solver keeps the slip of contacts
  bool adds;   ///< the totals lack the solver's impulses, which are those of the whole step

  CAIRN_HD void operator()(std::uint32_t i) const { run<float>({i, row_slot(work, parts, i), 1}); }

  /// The same for the rows of a run.
  template <class T>
  CAIRN_HD void run(RowRun at) const {
    Manifold* m[kLanesOf<T>];
    for (std::uint32_t i = 0; i < at.count; ++i) m[i] = &pairs.manifold[work.row_order[at.entry + i]];
#if defined(__CUDA_ARCH__)
    // written member by member, it took 2.4 times as long on an H200 as written whole
    if (pairs.manifold.bytes == sizeof(Manifold)) {
      Manifold all = *m[0];
      Manifold* const of[1]{&all};
      finish<T>(at, of);
      *m[0] = all;
      return;
    }
#endif
    finish<T>(at, m);
  }

 private:
  template <class T>
  CAIRN_HD void finish(RowRun at, Manifold* const (&m)[kLanesOf<T>]) const {
    const RowBlock& row = rows[at.slot / kRowLanes];
    const std::uint32_t lane = at.slot % kRowLanes;
    const T none(0.0f);
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane), t1 = cross(n, t0);
    const Vec3T<T> zero{none, none, none};
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    auto good = finite(none);
    RowDelta<T> a, b;
    gather_ends(bodies.solve, row, lane, a, b);
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      if (j >= points) break;
      const RowBlock::Point& p = row.point[j];
      const T now = load<T>(p.impulse, lane);
      const T impulse = now + none, total = load<T>(p.total, lane) + (adds ? now : none) + none;
      const auto has = [&](std::uint32_t i) { return j < row.count[lane + i]; };
      each_lane(impulse, at.count, [&](std::uint32_t i, float l) {
        if (has(i)) m[i]->points[j].impulse = l;
      });
      each_lane(total, at.count, [&](std::uint32_t i, float l) {
        if (has(i)) m[i]->points[j].total = l;
      });
      good = good && finite(impulse) && finite(total);
    }
    const auto in_world = [&](Along<T> f) { return fma(f.x, t0, f.y * t1) + zero; };
    const Along<T> last = load2<T>(row.friction_impulse, lane), sum = load2<T>(row.friction_total, lane);
    const Vec3T<T> friction = in_world(last), total = in_world(adds ? sum + last : sum);
    const T twist = load<T>(row.twist_impulse, lane) + none;
    Vec3T<T> slip = zero, rolled = zero;
    const Along<T> slipped = load2<T>(row.slip, lane);
    // like the separation linear in the step's displacements
    if (slips) slip = in_world(slipped + Slide<T>(row, lane, n, load2<T>(row.slip_place, lane)).shift(a, b));
    const auto anchored = load<T>(row.anchored, lane) > none;
    if (any(anchored)) {
      const Load<T> load_now = load_of<T>(row, lane, points);
      const Slide<T> slide(row, lane, n, load_now.centre());
      const Along<T> x = Slide<T>(row, lane, n, {none, none}).shift(a, b) + slipped;
      const T bound = load<T>(row.mu, lane) * load_now.sum;
      const Along<T> drawn = draw_anchor(k.friction, row, lane, slide, bound, x);
      slip = select(anchored && load_now.sum > none, in_world(drawn), slip);
    }
    if (rolling) rolled = in_world(load2<T>(row.rolling_impulse, lane));
    good = good && finite(friction) && finite(total) && finite(twist) && finite(rolled) && finite(slip);
    put(m, at.count, &Manifold::friction, friction);
    put(m, at.count, &Manifold::friction_total, total);
    put(m, at.count, &Manifold::rolling, rolled);
    put(m, at.count, &Manifold::slip, slip);
    each_lane(twist, at.count, [&](std::uint32_t i, float l) { m[i]->twist = l; });
    learn(row, lane, at.count, n, a, b, m);
    const std::uint32_t keeps = lanes_of(good);
    for (std::uint32_t i = 0; i < at.count; ++i) {
      // impulses of a step that isn't accepted must not return as a warm start
      if ((keeps >> i & 1u) == 0 || worlds.status[bodies.world[row.body_a[lane + i]]] != 0) forget(*m[i]);
    }
  }

  template <class T>
  CAIRN_HD static void put(Manifold* const (&to)[kLanesOf<T>], std::uint32_t count, Vec3 Manifold::*which,
                           Vec3T<T> value) {
    each_lane(value.x, count, [&](std::uint32_t i, float x) { (to[i]->*which).x = x; });
    each_lane(value.y, count, [&](std::uint32_t i, float y) { (to[i]->*which).y = y; });
    each_lane(value.z, count, [&](std::uint32_t i, float z) { (to[i]->*which).z = z; });
  }

  /// Updates the rests of the points.
  template <class T>
  CAIRN_HD void learn(const RowBlock& row, std::uint32_t lane, std::uint32_t count, Vec3T<T> n, const RowDelta<T>& a,
                      const RowDelta<T>& b, Manifold* const (&m)[kLanesOf<T>]) const {
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    const T none(0.0f);
    bool any_learn = false, any_rest = false;
    float learns[kLanesOf<T>];
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      const std::uint32_t flags = i < count ? m[i]->flags : 0;
      const bool cold = (flags & kManifoldCold) != 0 && (flags & kManifoldRecycled) != 0;
      learns[i] = cold && row.damped[lane + i] > 0.0f ? 1.0f : 0.0f;
      any_learn = any_learn || learns[i] > 0.0f;
    }
    for (std::uint32_t j = 0; j < points; ++j) any_rest = any_rest || any(none < load<T>(row.point[j].rest, lane));
    const bool changes = any_learn || any_rest;
    const T size = of_lanes<T>([&](std::uint32_t i) {
      const bool wanted = changes && i < count;
      return wanted ? smaller_radius(bodies, row.body_a[lane + i], row.body_b[lane + i]) : 0.0f;
    });
    const NormalMotion<T> moved = changes ? RowArms<T>(row, lane).moved(n, a, b) : NormalMotion<T>{none, none, none};
    const RestLaw<T> law{size, from_lanes<T>(learns) > none};
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      if (j >= points) break;
      const T rest = changes ? law.next(row.point[j], lane, moved) : none;
      each_lane(rest, count, [&](std::uint32_t i, float r) {
        if (j < row.count[lane + i]) m[i]->points[j].rest = r;
      });
    }
  }

  CAIRN_HD static void forget(Manifold& m) {
    CAIRN_UNROLL
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      if (j < m.count) m.points[j].impulse = m.points[j].total = m.points[j].rest = 0.0f;
    }
    clear_friction(m);
  }
};

/// Counts the step, for all worlds and for each that accepted it, and publishes the step's counts. Last of all. One
/// thread per world.
struct FinishStep {
  StepConstants k;
  Worlds worlds;
  StepState* state;
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (i == 0) {
      state->steps += 1;
      state->time += static_cast<double>(k.dt);
      state->last_h = k.h;
      state->taken = state->counts;
      if (state->pairs_needed > state->max_pairs) state->max_pairs = state->pairs_needed;
      if (state->row_count > state->max_rows) state->max_rows = state->row_count;
    }
    if (worlds.status[i] != 0) return;
    worlds.steps[i] += 1;
    worlds.time[i] += static_cast<double>(k.dt);
  }
};

/// Resets the shape counts of the levels. Once.
struct ClearLevels {
  StepState* state;
  CAIRN_HD void operator()() const {
    for (std::uint32_t& n : state->level_count) n = 0;
  }
};

/// Resets the counters of a step. Once, first of all.
struct BeginStep {
  StepState* state;
  CAIRN_HD void operator()() const {
    state->pairs_needed = state->pairs_wrapped = state->edge_count = state->edges_colored = state->row_count = 0;
    state->neighbour_needed = state->neighbour_wrapped = state->direct_places = state->direct_rows = 0;
    state->wide_colors[0] = state->wide_colors[1] = 0;
    state->farthest = state->shortest = state->ccd_shapes = state->ccd_passes = state->gainers = 0;
    state->counts = {};
    ClearLevels{state}();
  }
};

}  // namespace cairn::kernels
