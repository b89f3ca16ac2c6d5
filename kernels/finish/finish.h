#pragma once

#include "cairn/report.h"
#include "kernels/common/atomic.h"
#include "kernels/color/row_order.h"
#include "kernels/common/state.h"
#include "kernels/predict/predict.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

inline constexpr float kMostPosition = 1.0e7f;  ///< [m] past it a float pair is no longer exact to a micrometre

/// x + x_low + dx as a float pair (Knuth's two-sum).
CAIRN_HD void add_to_pair(float& high, float& low, float d) {
  const float t = low + d;
  const float s = high + t;
  const float part = s - high;
  low = (high - (s - part)) + (t - part);
  high = s;
}

/// Takes over the step's result. A body whose result isn't finite, or out of range, stays as it was, at rest, and sets
/// a status bit.
/// Writes x, x_low, q, v, w, w_body, w_known, force and torque of
/// body i. One thread per body slot.
struct FinishBody {
  Bodies bodies;
  Worlds worlds;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i];
    bodies.force[i] = bodies.torque[i] = Vec3{0, 0, 0};
    const bool pushed = is_awake_dynamic(flags);
    if ((flags & kBodyAsleep) != 0) atomic_add(&state->asleep, 1u);
    if (!pushed && !(is_kinematic(flags) && (flags & kBodyAlive) != 0)) return;
    const BodySolve s = bodies.solve[i];
    Vec3 x = bodies.x[i], low = bodies.x_low[i];
    add_to_pair(x.x, low.x, s.dx.x);
    add_to_pair(x.y, low.y, s.dx.y);
    add_to_pair(x.z, low.z, s.dx.z);
    const Quat q = bodies.q1[i];
    Vec3 w = pushed ? bodies.inv_sqrt_inertia[i] * s.w : s.w;
    if (pushed && (flags & kBodyGyroscopic) != 0) {
      const Vec3d w_body = with_change(bodies.w_body[i], q, bodies.inv_sqrt_inertia[i], s.w - bodies.w_seen[i]);
      w = to_world(q, w_body);
      bodies.w_body[i] = w_body;
      bodies.w_known[i] = w + Vec3{0, 0, 0};
    }
    const bool good = finite(x) && finite(low) && finite(q) && finite(s.v) && finite(w);
    // `predict` took the push from a body that it could not move
    const bool held = pushed && !(s.turnable > 0.0f);
    const bool near =
        max_component(abs(x)) <= kMostPosition && moves_in_range(s.v, w) && turns_in_range(w, bodies.radius[i]);
    if (!good || !near || held) {
      raise(worlds, state, bodies.world[i], good ? kStatusOutOfRange : kStatusNonFinite);
      bodies.v[i] = bodies.w[i] = Vec3{0, 0, 0};
      return;
    }
    // adding 0 makes -0 a +0: eight lanes at once may add zeros that a single lane doesn't
    const Vec3 zero{0, 0, 0};
    bodies.x[i] = x + zero;
    bodies.x_low[i] = low + zero;
    bodies.q[i] = {q.x + 0.0f, q.y + 0.0f, q.z + 0.0f, q.w + 0.0f};
    bodies.v[i] = s.v + zero;
    bodies.w[i] = w + zero;
  }
};

/// Writes the rows' impulses, and how far they have slipped, back to their manifolds. One thread per row, in row_order
/// (owner: each manifold has one row).
struct FinishRow {
  const BodySolve* solve;
  RowBlock* rows;
  Pairs pairs;
  PairWork work;
  const StepState* state;
  bool rolling;
  bool slips;  ///< the solver remembers how far contacts have slipped

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t slot = row_slot(work, state, i);
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    Manifold& m = pairs.manifold[work.row_order[i]];
    bool good = true;
    for (std::uint32_t j = 0; j < m.count; ++j) {
      m.points[j].impulse = row.point[j].impulse[lane] + 0.0f;
      m.points[j].total = row.point[j].total[lane] + 0.0f;
      good = good && finite(m.points[j].impulse) && finite(m.points[j].total);
    }
    const Vec3 t0{row.tangent[0][lane], row.tangent[1][lane], row.tangent[2][lane]};
    const Vec3 t1 = cross(m.normal, t0);
    const Vec3 zero{0, 0, 0};
    m.friction = fma(row.friction_impulse[0][lane], t0, row.friction_impulse[1][lane] * t1) + zero;
    m.friction_total = fma(row.friction_total[0][lane], t0, row.friction_total[1][lane] * t1) + zero;
    m.twist = row.twist_impulse[lane] + 0.0f;
    m.slip = zero;
    if (slips) {
      // like the separation, linear in the step's displacements
      RowDelta<float> a, b;
      gather(solve, &row.body_a[lane], a);
      gather(solve, &row.body_b[lane], b);
      float x, y;
      Slide<float>(row, lane, m.normal).along(b.dx - a.dx, a.dtheta, b.dtheta, x, y);
      m.slip = fma(row.slip[0][lane] + x, t0, (row.slip[1][lane] + y) * t1) + zero;
    }
    if (rolling) m.rolling = fma(row.rolling_impulse[0][lane], t0, row.rolling_impulse[1][lane] * t1) + zero;
    // an impulse that isn't finite must not come back as a warm start
    if (!good || !finite(m.friction) || !finite(m.friction_total) || !finite(m.twist) || !finite(m.rolling) ||
        !finite(m.slip)) {
      forget(m);
    }
  }

 private:
  CAIRN_HD static void forget(Manifold& m) {
    for (std::uint32_t j = 0; j < m.count; ++j) m.points[j].impulse = m.points[j].total = 0.0f;
    m.friction = m.friction_total = m.rolling = m.slip = Vec3{0, 0, 0};
    m.twist = 0.0f;
  }
};

/// Counts the step, for all worlds and for each. Last of all. One thread per world.
struct FinishStep {
  StepConstants k;
  Worlds worlds;
  StepState* state;
  CAIRN_HD void operator()(std::uint32_t i) const {
    worlds.steps[i] += 1;
    worlds.time[i] += static_cast<double>(k.dt);
    if (i == 0) state->steps += 1;
  }
};

/// Resets the counters of a step. Once, first of all.
struct BeginStep {
  StepState* state;
  CAIRN_HD void operator()() const {
    state->pairs_needed = state->pairs_wrapped = state->edge_count = state->edges_colored = state->row_count = 0;
    state->manifolds = state->points = state->recycled = state->asleep = 0;
    for (std::uint32_t& n : state->level_count) n = 0;
    for (std::uint32_t c = 0; c <= kColorCount; ++c) state->color_begin[c] = 0;
  }
};

}  // namespace cairn::kernels
