#pragma once
// Shared code of the stage's functors: the poses of a pair's bodies, and the manifold for the points that a narrow
// phase finds.

#include "kernels/bound/reach.h"
#include "kernels/collide/cold.h"
#include "kernels/collide/contact_points.h"
#include "kernels/collide/far.h"

namespace cairn::kernels {

/// A pair in this step.
struct Meeting {
  std::uint32_t a, b;   ///< [1] bodies
  const Manifold* old;  ///< of the last step, or null
  ShapeGeometry ga, gb;
  Quat q_a, q_b;  ///< [1]
  FarPair far;
  Vec3 offset;  ///< [m] x_b - x_a; of a far pair, with the anchor that the old manifold had
  PairReach reach;
};

/// Reorders four points at the corners of a convex outline so that opposite ones follow each other. The result of a
/// pass depends on its order. If it goes round the outline, a sway along one axis drives the one along the other, which
/// drives the first on. Columns sway alike in both directions, so with a damping ratio of 60 those of 20 boxes kept
/// circling.
CAIRN_HD void visit_across(ContactPoints& found) {
  if (found.count != 4) return;
  const Vec3 from = found.point[0].a;
  const auto side = [&](std::uint32_t i, std::uint32_t j) {
    return dot(found.normal, cross(found.point[i].a - from, found.point[j].a - from));
  };
  for (std::uint32_t i = 1; i < 4; ++i) {
    // the other two lie on both sides of the line from the first point to its opposite
    const std::uint32_t j = i == 1 ? 2 : 1, k = i == 3 ? 2 : 3;
    if (side(i, j) * side(i, k) >= 0.0f) continue;
    const ContactPoint opposite = found.point[i];
    found.point[i] = found.point[1];
    found.point[1] = opposite;
    return;
  }
}

/// Adds the impulses of old points that are gone to the nearest new ones, as far as they push along the new normal: the
/// load is still there. Otherwise a box that rocks between four of a contact's eight points and the other four would
/// fall onto them each time, and keep rocking. Only for boxes, like the choice of points that prefers loaded ones.
CAIRN_HD void hand_over(Manifold& m, const Manifold& old, float warm_scale) {
  const float share = warm_scale * max(dot(m.normal, old.normal), 0.0f);
  for (std::uint32_t o = 0; o < old.count; ++o) {
    const ManifoldPoint& gone = old.points[o];
    bool there = !(gone.impulse > 0.0f);
    std::uint32_t nearest = 0;
    float least = 0.0f;
    for (std::uint32_t j = 0; j < m.count; ++j) {
      there = there || m.points[j].feature == gone.feature;
      // distance on both bodies, so that it doesn't matter which is a; but the anchor of a far body may have moved
      const Vec3 on_a = m.points[j].r_a - gone.r_a, on_b = m.points[j].r_b - gone.r_b;
      const float a2 = (m.flags & kManifoldFarA) == 0 ? dot(on_a, on_a) : 0.0f;
      const float b2 = (m.flags & kManifoldFarB) == 0 ? dot(on_b, on_b) : 0.0f;
      if (j == 0 || a2 + b2 < least) least = a2 + b2, nearest = j;
    }
    if (there) continue;
    m.points[nearest].impulse = fma(share, gone.impulse, m.points[nearest].impulse);
  }
}

/// Resets a manifold to one made in this step, without points yet.
CAIRN_HD void clear_manifold(Manifold& m, std::uint32_t flags) {
  m.count = 0;
  m.flags = kManifoldFresh | flags;
  m.color = kNone;
  clear_friction(m);
}

/// Zeros to the points that a manifold doesn't have, to its orientations if they don't count, and to what is unused.
CAIRN_HD void clear_unused(Manifold& m, const ContactPoints& found) {
  CAIRN_UNROLL
  for (std::uint32_t j = 1; j < kManifoldPoints; ++j) {
    if (j >= found.count) m.points[j] = ManifoldPoint{};
  }
  if (!found.flat) m.q_a = m.q_b = Quat{};
  m.unused[0] = m.unused[1] = 0;
}

struct ManifoldUpdate {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Pairs pairs;
  Manifolds old_manifold;
  const std::uint32_t* match;
  Fluids fluids;

  CAIRN_HD const Manifold* old_of(std::uint32_t i) const {
    return match[i] != kNone ? &old_manifold[match[i]] : nullptr;
  }

  /// Data of pair i, whose shape_b is known.
  CAIRN_HD Meeting meeting(std::uint32_t i) const {
    Meeting m;
    const std::uint32_t shape_a = pairs.shape_a(i), shape_b = pairs.shape_b[i];
    m.a = shapes.body[shape_a];
    m.b = shapes.body[shape_b];
    m.old = old_of(i);
    m.ga = shapes.geometry[shape_a];
    m.gb = shapes.geometry[shape_b];
    m.q_a = bodies.q[m.a];
    m.q_b = bodies.q[m.b];
    m.far = far_pair(bodies, m.a, m.b);
    m.offset = (bodies.x[m.b] - bodies.x[m.a]) + (bodies.x_low[m.b] - bodies.x_low[m.a]);
    if (m.far.any) {
      const bool anchored = m.old != nullptr && m.old->count != 0 && (m.old->flags & kManifoldFar) == m.far.mark();
      m.offset = anchored_offset(m.far, anchored ? m.old->offset : Vec3{0, 0, 0});
    }
    m.reach = pair_reach(k, bodies, worlds, m.a, m.b);
    return m;
  }

  /// Makes manifold i from the result of narrow(geometry and pose of a, of b, margin). Points keep the impulses of the
  /// same features.
  template <class Narrow>
  CAIRN_HD void renew(std::uint32_t i, const Meeting& at, const Narrow& narrow) const {
    const float way = at.reach.speed * k.dt;
    const float margin = at.reach.margin(k) + fluid_reach(fluids, at.a, at.ga.size.x, way) +
                         fluid_reach(fluids, at.b, at.gb.size.x, way);
    ShapeGeometry ga = at.ga, gb = at.gb;
    // relative to the centre of mass of a, or to that of the moving body of a far pair
    Vec3 offset = at.offset, start_a{0, 0, 0}, start_b = offset;
    ShapePose pose_a{rotate(at.q_a, ga.position), at.q_a * ga.orientation};
    ShapePose pose_b{offset + rotate(at.q_b, gb.position), at.q_b * gb.orientation};
    if (at.far.any) {
      offset = anchored_offset(at.far, {0, 0, 0});
      if (at.far.b_stands) {
        pose_b = pose_of_far(gb, at.far);
        start_b = offset;
      } else {
        pose_a = pose_of_far(ga, at.far);
        pose_b = {rotate(at.q_b, gb.position), at.q_b * gb.orientation};
        start_a = -offset;
        start_b = {0, 0, 0};
      }
    }
    const Vec3 gravity = worlds.gravity[bodies.world[at.a]];
    pose_a.pull = bodies.gravity_scale[at.a] * gravity;
    pose_b.pull = bodies.gravity_scale[at.b] * gravity;
    ContactPoints found = narrow(ga, pose_a, gb, pose_b, margin);
    if (k.soft_contacts) visit_across(found);

    Manifold& m = pairs.manifold[i];
    const Manifold* old = at.old;
    clear_manifold(m, (found.flat ? kManifoldFlat : 0u) | at.far.mark());
    m.count = found.count;
    if (found.count == 0) return;
#if defined(__CUDA_ARCH__)
    // FinishRow copies all of it
    if (manifold_points(pairs.manifold) == kManifoldPoints) clear_unused(m, found);
#endif
    m.flags |= cold_steps(k, bodies, worlds, at.a, at.b, old);
    m.normal = found.normal;
    m.offset = offset;
    if (found.flat) {
      m.q_a = at.q_a;
      m.q_b = at.q_b;
    }
    std::uint32_t same = 0;
    bool carried = false;
    for (std::uint32_t j = 0; j < found.count; ++j) {
      const ContactPoint& from = found.point[j];
      ManifoldPoint& p = m.points[j];
      p = {from.a - start_a, from.b - start_b, from.separation, 0.0f, 0.0f, 0.0f, from.feature};
      if (old == nullptr) continue;
      for (std::uint32_t o = 0; o < old->count; ++o) {
        if (old->points[o].feature != p.feature) continue;
        p.impulse = old->points[o].impulse * k.warm_scale;
        p.rest = old->points[o].rest;
        ++same;
        carried = carried || p.impulse > 0.0f;
      }
    }
    if (old != nullptr && old->count != 0) {
      if (class_of(at.ga.kind, at.gb.kind) == PairClass::kBoxes) hand_over(m, *old, k.warm_scale);
      if (found.flat && carried && same == found.count && same == old->count) m.flags |= kManifoldSame;
      m.color = old->color;
      m.friction = k.warm_scale * old->friction;
      m.rolling = k.warm_scale * old->rolling;
      m.twist = k.warm_scale * old->twist;
    }
  }
};

}  // namespace cairn::kernels
