#pragma once

#include "cairn/report.h"
#include "kernels/bound/extent.h"
#include "kernels/bound/reach.h"
#include "kernels/common/atomic.h"
#include "kernels/common/body_pack.h"
#include "kernels/pair/grid.h"

namespace cairn::kernels {

/// [m] No valid body is farther from the origin, whatever its scales; nor could its cell be computed.
inline constexpr float kMaxFarOut = 1e12f;

/// [1] Resolution of float32, as a share of the distance from the origin.
inline constexpr float kLostDigits = 2.4e-7f;

/// Bounding box of a shape, grown by the distance within which it may matter in a step, and the grid cell of its
/// centre. Equation: half extents |R| e (box), r (sphere), |R z| hh + r (capsule), by the support function (other
/// convex ones); margin 2 tol + (|v| + |w| r + (|g| + |f| / m) dt) dt. Writes box and cell of shape i, and counts its
/// level unless its world is one cell. One thread per shape slot.
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
      // it has no box, but is sorted with the others
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
    // the box includes the resolution of float32 there
    const float far_out = max_component(abs(centre)) + max_component(half);
    margin += far_out * kLostDigits;
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
    put_cell(i, world);
  }

#if CAIRN_BODY_PACKS
  /// The same for eight shapes: boxes and balls of consecutive bodies that are dynamic, no bullets and don't leap, in
  /// Worlds without fluids.
  std::uint32_t pack(std::uint32_t first) const {
    const std::uint32_t body = shapes.body[first];
    if (body == kNone || fluids.count != 0) return 0;
    std::uint32_t lanes = 0;
    float balls[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      if (shapes.body[first + i] != body + i) return 0;
      const ShapeKind kind = shapes.geometry[first + i].kind;
      balls[i] = kind == ShapeKind::kSphere ? 1.0f : 0.0f;
      if (kind == ShapeKind::kSphere || kind == ShapeKind::kBox) lanes |= 1u << i;
    }
    constexpr std::uint32_t kDynamic = static_cast<std::uint32_t>(BodyType::kDynamic);
    lanes &= lanes_with(bodies.flags + body, kBodyTypeMask | kBodyDisabled | kBodyBullet, kDynamic);
    if (lanes == 0) return 0;
    const GeometryPack g([&](std::uint32_t i) { return &shapes.geometry[first + i]; });
    const QuatT<Pack> q = load4(bodies.q + body);
    const Vec3T<Pack> centre = load3(bodies.x + body) + rotate(q, g.position);
    const Mat3T<Pack> r = matrix_of(q * g.orientation);
    const Vec3T<Pack> of_box = fma(g.size.x, abs(r.x), fma(g.size.y, abs(r.y), g.size.z * abs(r.z)));
    const Vec3T<Pack> half = select(from_lanes<Pack>(balls) > Pack(0.0f), {g.size.x, g.size.x, g.size.x}, of_box);

    const Pack radius = load<Pack>(bodies.radius, body), least = load<Pack>(bodies.min_extent, body);
    const Vec3T<Pack> force = load3(bodies.force + body) + load3(bodies.field_force + body);
    const Pack v = forced_speed(k, load<Pack>(bodies.inv_mass, body), force, load3(bodies.v + body));
    const Pack w = length(load3(bodies.w + body));
    lanes &= lanes_of(farthest_move(radius, least, v * Pack(k.dt), w * Pack(k.dt)) <= least);
    const auto of = [&](const auto& get) { return of_worlds(bodies.world + body, lanes, get); };
    const Vec3T<Pack> gravity = of([&](std::uint32_t i) { return worlds.gravity[i]; });
    const Pack tolerance = of([&](std::uint32_t i) { return Vec3{worlds.params[i].recycle_tolerance, 0, 0}; }).x;
    const Pack fall = length(load<Pack>(bodies.gravity_scale, body) * gravity);
    const Pack far_out = max_component(abs(centre)) + max_component(half);
    Pack margin = calm_reach(k, radius, least, v, w, fall, Pack(2.0f) * recycle_length(tolerance, radius, least));
    margin = margin + far_out * Pack(kLostDigits);
    const Vec3T<Pack> grown = half + Vec3T<Pack>{margin, margin, margin};
    const Vec3T<Pack> lower = centre - grown, upper = centre + grown;
    lanes &= lanes_of(finite(lower) && finite(upper) && far_out <= Pack(kMaxFarOut));
    store6(&shapes.box[first].min.x, lanes, lower.x, lower.y, lower.z, upper.x, upper.y, upper.z);
    each_set(lanes, [&](std::uint32_t i) { put_cell(first + i, bodies.world[body + i]); });
    return lanes;
  }
#endif

 private:
  CAIRN_HD void put_cell(std::uint32_t i, std::uint32_t world) const {
    if (worlds.shape_count[world] <= kWholeShapes) {
      shapes.cell[i] = key_of({world, kWholeLevel, 0, 0, 0});
      return;
    }
    const Aabb& box = shapes.box[i];
    const GridCell cell = cell_of_box(box, world);
    shapes.cell[i] = key_of(cell);
    // past the limit the count no longer matters; without it threads no longer contend for it
    if (atomic_load(&state->level_count[cell.level]) <= kListedLevel) atomic_add(&state->level_count[cell.level], 1u);
  }
};

}  // namespace cairn::kernels
