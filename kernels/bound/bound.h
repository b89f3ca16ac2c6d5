#pragma once

#include "cairn/report.h"
#include "kernels/bound/extent.h"
#include "kernels/bound/reach.h"
#include "kernels/common/atomic.h"
#include "kernels/pair/grid.h"

namespace cairn::kernels {

/// [m] Farther out is no body that keeps the rules, whatever its scales; nor could its cell be counted.
inline constexpr float kMaxFarOut = 1e12f;

/// Bounding box of a shape, grown by how far it can come to matter in a step, and the grid cell of its centre.
/// Equation: half extents |R| e (box), r (sphere), |R z| hh + r (capsule), by the support function (other convex
/// ones); margin 2 tol + (|v| + |w| r + (|g| + |f| / m) dt) dt. Writes box and cell of shape i, and counts its level
/// unless its world is one cell. One thread per shape slot.
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
    if (body == kNone || shapes.geometry[i].kind == ShapeKind::kPlane || is_disabled(bodies.flags[body])) {
      // it has none, and is sorted along
      shapes.box[i] = {};
      return;
    }
    const ShapeGeometry g = shapes.geometry[i];

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
    if (far_out > kMaxFarOut) {
      raise(worlds, state, world, body, kStatusOutOfBounds);
      return;
    }
    shapes.box[i] = box;
    if (worlds.shape_count[world] <= kWholeShapes) {
      shapes.cell[i] = key_of({world, kWholeLevel, 0, 0, 0});
      return;
    }
    const GridCell cell = cell_of_box(box, world);
    shapes.cell[i] = key_of(cell);
    // past the limit the count no longer matters, and stops being a point that all threads meet at
    if (atomic_load(&state->level_count[cell.level]) <= kListedLevel) atomic_add(&state->level_count[cell.level], 1u);
  }
};

}  // namespace cairn::kernels
