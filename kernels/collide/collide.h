#pragma once

#include "kernels/bound/bound.h"
#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/far.h"
#include "kernels/collide/surface.h"

namespace cairn::kernels {

/// cos(1/2 degree): a body that has turned more since a manifold was made gets a new one. At 10 degrees a tower of ten
/// on a tilting table stands to 10 degrees, where 5.7 is right.
inline constexpr float kRecycleTurn = 0.99996192f;

/// Manifold of a pair: the last step's, refreshed, while the bodies' relative pose has hardly changed, or a new one
/// whose points take over the impulses of the same features. Recycling after Box3D (E. Catto); what is refreshed is the
/// separation alone, from anchors carried by the bodies, so that the tilt of soft contacts isn't fed back as an
/// overturning moment.
/// Writes manifold i of this step. One thread per pair.
struct Collide {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Surfaces surfaces;
  Solids solids;
  Pairs pairs;
  const Manifold* old_manifold;
  const std::uint32_t* match;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const PairShapes pair = shapes_of(pairs.key[i], surfaces);
    pairs.shape_b[i] = pair.b;
    pairs.triangle[i] = pair.triangle;
    const std::uint32_t a = shapes.body[pair.a], b = shapes.body[pair.b];
    const std::uint32_t flags_a = bodies.flags[a], flags_b = bodies.flags[b];
    const Manifold* old = match[i] != kNone ? &old_manifold[match[i]] : nullptr;
    Manifold& m = pairs.manifold[i];

    // what sleeps stays as it was, impulses and all
    if (old != nullptr && old->count != 0 && !stirs(bodies, a) && !stirs(bodies, b)) {
      m = *old;
      m.flags = old->flags & (kManifoldFlat | kManifoldFar);
      rescale(m);
      return;
    }

    ShapeGeometry ga = shapes.geometry[pair.a], gb = shapes.geometry[pair.b];
    const Quat q_a = bodies.q[a], q_b = bodies.q[b];
    const FarPair far = far_pair(bodies, a, b);
    Vec3 offset = (bodies.x[b] - bodies.x[a]) + (bodies.x_low[b] - bodies.x_low[a]);
    if (far.any) {
      const bool anchored = old != nullptr && old->count != 0 && (old->flags & kManifoldFar) == far.mark();
      offset = anchored_offset(far, anchored ? old->offset : Vec3{0, 0, 0});
    }
    const float radius = min(bodies.radius[a], bodies.radius[b]);
    const float least = min(own_least(a, flags_a), own_least(b, flags_b));
    const float tolerance = recycle_length(worlds.params[bodies.world[a]], radius, least);

    if (old != nullptr && old->count != 0 && (old->flags & kManifoldFlat) != 0 &&
        keeps(*old, offset, q_a, q_b, radius, tolerance)) {
      m = *old;
      m.flags = kManifoldRecycled | kManifoldFlat | far.mark();
      refresh(m, offset, q_a, q_b);
      return;
    }

    const float speed = length(bodies.v[b] - bodies.v[a]) + length(bodies.w[a]) * turning_radius(a, flags_a) +
                        length(bodies.w[b]) * turning_radius(b, flags_b) +
                        length(worlds.gravity[bodies.world[a]]) * k.dt;
    const float margin = max(min(fma(speed, k.dt, 2.0f * tolerance), least), 1.25f * tolerance);
    // seen from the centre of mass of a, or of that of a far pair which moves
    Vec3 start_a{0, 0, 0}, start_b = offset;
    ShapePose pose_a{rotate(q_a, ga.position), q_a * ga.orientation};
    ShapePose pose_b{offset + rotate(q_b, gb.position), q_b * gb.orientation};
    if (far.any) {
      offset = anchored_offset(far, {0, 0, 0});
      if (far.b_stands) {
        pose_b = pose_of_far(gb, far);
        start_b = offset;
      } else {
        pose_a = pose_of_far(ga, far);
        pose_b = {rotate(q_b, gb.position), q_b * gb.orientation};
        start_a = -offset;
        start_b = {0, 0, 0};
      }
    }
    pose_a.pull = pose_b.pull = worlds.gravity[bodies.world[a]];
    const ContactPoints found = is_surface(gb.kind)
                                    ? collide_surface(ga, pose_a, gb, pose_b, pair.triangle, solids, margin)
                                    : collide_shapes(ga, pose_a, gb, pose_b, margin, solids);

    m.count = found.count;
    m.flags = kManifoldFresh | (found.flat ? kManifoldFlat : 0u) | far.mark();
    m.color = kNone;
    m.friction = m.rolling = m.friction_total = m.slip = Vec3{0, 0, 0};
    m.twist = 0.0f;
    if (found.count == 0) return;
    m.normal = found.normal;
    m.q_a = q_a;
    m.q_b = q_b;
    m.offset = offset;
    for (std::uint32_t j = 0; j < found.count; ++j) {
      const ContactPoint& from = found.point[j];
      ManifoldPoint& p = m.points[j];
      p = {from.a - start_a, from.b - start_b, from.separation, 0.0f, 0.0f, from.feature};
      if (old == nullptr) continue;
      for (std::uint32_t o = 0; o < old->count; ++o) {
        if (old->points[o].feature == p.feature) p.impulse = old->points[o].impulse * k.warm_scale;
      }
    }
    if (old != nullptr && old->count != 0) {
      m.color = old->color;
      m.friction = k.warm_scale * old->friction;
      m.rolling = k.warm_scale * old->rolling;
      m.twist = k.warm_scale * old->twist;
    }
  }

 private:
  /// [m] Smallest half extent of a body that may move, which bounds what the pair's margin may be. A thin wall that
  /// stands still bounds nothing: what flies at it needs the margin of its own size.
  CAIRN_HD float own_least(std::uint32_t body, std::uint32_t flags) const {
    return is_dynamic(flags) || is_kinematic(flags) ? bodies.least_extent[body] : kNoExtent;
  }
  CAIRN_HD float turning_radius(std::uint32_t body, std::uint32_t flags) const {
    return is_dynamic(flags) || is_kinematic(flags) ? bodies.radius[body] : 0.0f;
  }

  /// True while neither body has turned by more than a degree and b has moved in a's frame by less than the tolerance.
  CAIRN_HD bool keeps(const Manifold& m, Vec3 offset, Quat q_a, Quat q_b, float radius, float tolerance) const {
    const Quat turn_a = q_a * conjugate(m.q_a), turn_b = q_b * conjugate(m.q_b);
    if (abs(turn_a.w) < kRecycleTurn || abs(turn_b.w) < kRecycleTurn) return false;
    const Vec3 moved = rotate_inverse(q_a, offset) - rotate_inverse(m.q_a, m.offset);
    const Quat turned = conjugate(turn_a) * turn_b;
    const float angle = 2.0f * length(vector_of(turned));
    return fma(radius, angle, length(moved)) < tolerance;
  }

  CAIRN_HD void refresh(Manifold& m, Vec3 offset, Quat q_a, Quat q_b) const {
    const Quat turn_a = q_a * conjugate(m.q_a), turn_b = q_b * conjugate(m.q_b);
    for (std::uint32_t j = 0; j < m.count; ++j) {
      ManifoldPoint& p = m.points[j];
      p.separation = dot(m.normal, (offset + rotate(turn_b, p.r_b)) - rotate(turn_a, p.r_a));
      p.total = 0.0f;
    }
    m.friction_total = Vec3{0, 0, 0};
    rescale(m);
  }

  /// Cached impulses are those of a substep: they scale with it.
  CAIRN_HD void rescale(Manifold& m) const {
    for (std::uint32_t j = 0; j < m.count; ++j) m.points[j].impulse *= k.warm_scale;
    m.friction = k.warm_scale * m.friction;
    m.rolling = k.warm_scale * m.rolling;
    m.twist *= k.warm_scale;
  }
};

}  // namespace cairn::kernels
