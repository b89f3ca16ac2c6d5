#pragma once

#include "cairn/report.h"
#include "kernels/color/row_order.h"
#include "kernels/common/atomic.h"
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

/// What the step made of body i; it moves by itself or by the velocity that it was given.
CAIRN_HD Finished finished(const Bodies& bodies, std::uint32_t i, std::uint32_t flags) {
  const BodySolve s = bodies.solve[i];
  Finished f{bodies.x[i], bodies.x_low[i], narrow(bodies.q1[i]), s.v, s.w, {}};
  add_to_pair(f.x.x, f.x_low.x, s.dx.x);
  add_to_pair(f.x.y, f.x_low.y, s.dx.y);
  add_to_pair(f.x.z, f.x_low.z, s.dx.z);
  if (!is_dynamic(flags)) return f;
  f.w = bodies.inv_sqrt_inertia[i] * s.w;
  if ((flags & kBodyGyroscopic) != 0) {
    f.w_body = with_change(bodies.w_body[i], f.q, bodies.inv_sqrt_inertia[i], s.w - bodies.w_seen[i]);
    f.w = to_world(f.q, f.w_body);
  }
  return f;
}

/// Looks whether the step may be taken over: a body whose result isn't finite, or past a limit of its world, raises a
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
};

/// Takes over the step's result, but where the world has a status bit: there all bodies stay as they were, and are
/// frozen, those asleep too, so that waking them moves nothing. Writes x, x_low, q, v, w, w_body, w_known, flags, force
/// and torque of body i. One thread per body slot.
struct FinishBody {
  Bodies bodies;
  Worlds worlds;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t was = bodies.flags[i];
    // what is frozen waits: the step hasn't looked at it
    const std::uint32_t past = (was & kBodyFrozen) != 0 ? 0u : std::uint32_t{kBodyNewlyAsleep};
    const std::uint32_t flags = was & ~(kBodyWoken | past);
    bodies.flags[i] = flags;
    bodies.force[i] = bodies.torque[i] = Vec3{0, 0, 0};
    if ((flags & kBodyAsleep) != 0) atomic_add(&state->counts.asleep, 1u);
    if ((flags & kBodyAlive) == 0) return;
    if (worlds.status[bodies.world[i]] != 0) {
      bodies.flags[i] = flags | kBodyFrozen;
      // the step has been at w_body
      if (takes_part(flags)) bodies.w_known[i] = unknown_velocity();
      return;
    }
    if (!takes_part(flags)) return;
    if (!is_dynamic(flags) && !is_kinematic(flags)) return;
    const Finished f = finished(bodies, i, flags);
    // adding 0 makes -0 a +0: eight lanes at once may add zeros that a single lane doesn't
    const Vec3 zero{0, 0, 0};
    bodies.x[i] = f.x + zero;
    bodies.x_low[i] = f.x_low + zero;
    bodies.q[i] = {f.q.x + 0.0f, f.q.y + 0.0f, f.q.z + 0.0f, f.q.w + 0.0f};
    bodies.v[i] = f.v + zero;
    bodies.w[i] = f.w + zero;
    if (is_dynamic(flags) && (flags & kBodyGyroscopic) != 0) bodies.w_body[i] = f.w_body;
    bodies.w_known[i] = f.w + zero;
  }
};

/// Writes the rows' impulses, and how far they have slipped, back to their manifolds. One thread per row, in row_order
/// (owner: each manifold has one row).
struct FinishRow {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Rows rows;
  Pairs pairs;
  PairWork work;
  Parts parts;
  bool rolling;
  bool slips;  ///< the solver remembers how far contacts have slipped
  bool adds;   ///< the totals lack what the solver gave: its impulses are those of the whole step

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t slot = row_slot(work, parts, i);
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    Manifold& m = pairs.manifold[work.row_order[i]];
    bool good = true;
    for (std::uint32_t j = 0; j < m.count; ++j) {
      m.points[j].impulse = row.point[j].impulse[lane] + 0.0f;
      m.points[j].total = row.point[j].total[lane] + (adds ? row.point[j].impulse[lane] : 0.0f) + 0.0f;
      good = good && finite(m.points[j].impulse) && finite(m.points[j].total);
    }
    const Vec3 t0{row.tangent[0][lane], row.tangent[1][lane], row.tangent[2][lane]};
    const Vec3 t1 = cross(m.normal, t0);
    const Vec3 zero{0, 0, 0};
    m.friction = fma(row.friction_impulse[0][lane], t0, row.friction_impulse[1][lane] * t1) + zero;
    float f0 = row.friction_total[0][lane], f1 = row.friction_total[1][lane];
    if (adds) {
      f0 += row.friction_impulse[0][lane];
      f1 += row.friction_impulse[1][lane];
    }
    m.friction_total = fma(f0, t0, f1 * t1) + zero;
    m.twist = row.twist_impulse[lane] + 0.0f;
    m.slip = zero;
    if (slips) {
      // like the separation linear in the step's displacements
      RowDelta<float> a, b;
      gather_ends(bodies.solve, row, lane, a, b);
      float x, y;
      const Slide<float> slide(row, lane, m.normal, {row.slip_place[0][lane], row.slip_place[1][lane]});
      slide.along(b.dx - a.dx, a.dtheta, b.dtheta, x, y);
      m.slip = fma(row.slip[0][lane] + x, t0, (row.slip[1][lane] + y) * t1) + zero;
    }
    if (row.anchored[lane] > 0.0f) {
      const Load<float> load = load_of<float>(row, lane, m.count);
      const Slide<float> slide(row, lane, m.normal, load.centre());
      RowDelta<float> a, b;
      gather_ends(bodies.solve, row, lane, a, b);
      float x, y;
      Slide<float>(row, lane, m.normal, {0.0f, 0.0f}).along(b.dx - a.dx, a.dtheta, b.dtheta, x, y);
      x += row.slip[0][lane];
      y += row.slip[1][lane];
      draw_anchor(k.friction, row, lane, slide, row.mu[lane] * load.sum, x, y);
      if (load.sum > 0.0f) m.slip = fma(x, t0, y * t1) + zero;
    }
    learn_rest(bodies, row, lane, m);
    m.rolling = zero;
    if (rolling) m.rolling = fma(row.rolling_impulse[0][lane], t0, row.rolling_impulse[1][lane] * t1) + zero;
    // impulses of a step that isn't taken over must not come back as a warm start
    good = good && finite(m.friction) && finite(m.friction_total) && finite(m.twist) && finite(m.rolling) &&
           finite(m.slip);
    if (!good || worlds.status[bodies.world[row.body_a[lane]]] != 0) {
      forget(m);
    }
  }

 private:
  CAIRN_HD static void forget(Manifold& m) {
    for (std::uint32_t j = 0; j < m.count; ++j) m.points[j].impulse = m.points[j].total = m.points[j].rest = 0.0f;
    m.friction = m.friction_total = m.rolling = m.slip = Vec3{0, 0, 0};
    m.twist = 0.0f;
  }
};

/// Counts the step, for all worlds and for each that took it over, and takes over what it counted. Last of all. One
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

/// Resets the counters of a step. Once, first of all.
struct BeginStep {
  StepState* state;
  CAIRN_HD void operator()() const {
    state->pairs_needed = state->pairs_wrapped = state->edge_count = state->edges_colored = state->row_count = 0;
    state->neighbour_needed = state->neighbour_wrapped = state->direct_places = state->direct_rows = 0;
    state->wide_colors[0] = state->wide_colors[1] = 0;
    state->farthest = state->shortest = state->ccd_shapes = state->ccd_passes = 0;
    state->counts = {};
    for (std::uint32_t& n : state->level_count) n = 0;
  }
};

}  // namespace cairn::kernels
