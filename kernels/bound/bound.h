#pragma once

#include "cairn/report.h"
#include "kernels/bound/extent.h"
#include "kernels/common/atomic.h"
#include "kernels/common/fluids.h"
#include "kernels/pair/grid.h"
#include "kernels/predict/predict.h"

namespace cairn::kernels {

/// Length within which a body's manifolds are kept [m]: a share of its radius, at most a quarter of its smallest half
/// extent.
CAIRN_HD float recycle_length(const WorldParams& params, float radius, float least_extent) {
  return min(params.recycle_tolerance * radius, 0.25f * least_extent);
}

/// [m] More than any extent, and still finite when multiplied.
inline constexpr float kNoExtent = 1e18f;

/// [1] Of its smallest half extent: how far a `fast` body may move in a step without being looked after.
inline constexpr float kFastFrom = 0.25f;

/// [m] How far a body gets in a step that moves it by `way` and turns it by `angle`: a ball's turning leads nowhere.
CAIRN_HD float farthest_move(const Bodies& bodies, std::uint32_t i, float way, float angle) {
  return fma(angle, bodies.radius[i] - bodies.least_extent[i], way);
}
/// [m] From how far on it could pass through something, since the margin of its contacts ends there.
CAIRN_HD float far_move(const Bodies& bodies, std::uint32_t i) {
  return ((bodies.flags[i] & kBodyFast) != 0 ? kFastFrom : 1.0f) * bodies.least_extent[i];
}

/// [m] How far the box of body i reaches beyond it in this step, to either side. For most never more than its smallest
/// half extent; what moves farther is stopped where it would pass through something (kernels/stop/stop.h), which must
/// then be among its pairs.
CAIRN_HD float reach_of_step(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t i) {
  const float radius = bodies.radius[i], least = bodies.least_extent[i];
  const std::uint32_t world = bodies.world[i];
  // with what the user's forces make of it in the step
  const float v = fma(bodies.inv_mass[i] * length(bodies.force[i]), k.dt, length(bodies.v[i]));
  const float w = length(bodies.w[i]);
  const float speed = v + w * radius + length(worlds.gravity[world]) * k.dt;
  const float rest = 2.0f * recycle_length(worlds.params[world], radius, least);
  if (!is_dynamic(bodies.flags[i]) || !(farthest_move(bodies, i, v * k.dt, w * k.dt) > far_move(bodies, i)))
    return min(fma(speed, k.dt, rest), least);
  // what would be faster than a body may be is frozen before it gets there; and no turning leads out of the bounding
  // ball
  const float way = min(fma(length(worlds.gravity[world]), k.dt, v), kMostSpeed) * k.dt;
  return way + min(w * k.dt, 1.0f) * radius + rest;
}

/// [m] What is added to that for particles of a fluid, of so large spheres: solids matter to them from farther out, and
/// in the next step as far as they get in it, up to a spacing.
CAIRN_HD float fluid_reach(const Fluids& fluids, std::uint32_t body, float radius, float way) {
  if (!fluids.has(body)) return 0.0f;
  const float s = fluids.law_of(body).spacing;
  return max(kWallReach * s - radius, 0.0f) + min(way, s);
}

/// [m] Farther out is no body that keeps the rules, whatever its scales; nor could its cell be counted.
inline constexpr float kMostFarOut = 1e12f;

/// Bounding box of a shape, grown by how far it can come to matter in a step, and the grid cell of its centre.
/// Equation: half extents |R| e (box), r (sphere), |R z| hh + r (capsule), by the support function (other convex
/// ones); margin 2 tol + (|v| + |w| r + (|g| + |f| / m) dt) dt. Writes box and cell of shape i, and counts its level unless its
/// world is one cell. One thread per shape slot.
struct Bound {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Solids solids;
  StepState* state;
  Fluids fluids;

  CAIRN_HD void operator()(std::uint32_t i) const {
    shapes.cell[i] = kNoCell;
    const std::uint32_t body = shapes.body[i];
    if (body == kNone) return;
    const ShapeGeometry g = shapes.geometry[i];
    if (g.kind == ShapeKind::kPlane) return;

    const Quat q = bodies.q[body];
    Vec3 centre = bodies.x[body] + rotate(q, g.position);
    const Mat3 r = matrix_of(q * g.orientation);
    Vec3 half;
    if (static_cast<std::uint32_t>(g.kind) > static_cast<std::uint32_t>(ShapeKind::kPlane)) {
      const Aabb around = extent_of(g, {{0, 0, 0}, q * g.orientation}, solids);
      half = 0.5f * (around.max - around.min);
      centre = centre + 0.5f * (around.min + around.max);
    } else if (g.kind == ShapeKind::kBox) {
      half = fma(g.size.x, abs(r.x), fma(g.size.y, abs(r.y), g.size.z * abs(r.z)));
    } else if (g.kind == ShapeKind::kCapsule) {
      half = fma(g.size.z, abs(r.z), Vec3{g.size.x, g.size.x, g.size.x});
    } else {
      half = {g.size.x, g.size.x, g.size.x};
    }

    const std::uint32_t flags = bodies.flags[body], world = bodies.world[body];
    float margin = 0.0f;
    if (is_dynamic(flags) || is_kinematic(flags)) {
      margin = reach_of_step(k, bodies, worlds, body);
      margin += fluid_reach(fluids, body, g.size.x, length(bodies.v[body]) * k.dt);
    }
    // what float32 can't tell apart at this distance from the origin belongs to the box too
    const float far_out = max_component(abs(centre)) + max_component(half);
    margin += far_out * 2.4e-7f;
    const Vec3 grown = half + Vec3{margin, margin, margin};
    const Aabb box{centre - grown, centre + grown};
    if (!finite(box.min) || !finite(box.max)) {
      raise(worlds, state, world, body, kStatusNonFinite);
      return;
    }
    if (far_out > kMostFarOut) {
      raise(worlds, state, world, body, kStatusOutOfBounds);
      return;
    }
    shapes.box[i] = box;
    if (worlds.shape_count[world] <= kWholeShapes) {
      shapes.cell[i] = key_of({world, kWholeLevel, 0, 0, 0});
      return;
    }
    const GridCell cell = cell_of(box, world, level_of(max_component(box.max - box.min) + far_out * 1.0e-6f));
    shapes.cell[i] = key_of(cell);
    // past the limit the count no longer matters, and stops being a point that all threads meet at
    if (atomic_load(&state->level_count[cell.level]) <= kListedLevel) atomic_add(&state->level_count[cell.level], 1u);
  }
};

}  // namespace cairn::kernels
