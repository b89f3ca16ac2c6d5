#pragma once

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/update_manifold.h"

namespace cairn::kernels {

/// cos(1/2 degree): a body that has turned more since a manifold was made gets a new one. At 10 degrees a tower of ten
/// on a tilting table stands to 10 degrees, where 5.7 is right.
inline constexpr float kRecycleTurn = 0.99996192f;

/// Two bodies, and how they stood to each other when their manifold was made.
template <class T>
struct Kept {
  QuatT<T> turn_a, turn_b;  ///< [1] of the bodies since then
  Vec3T<T> offset;          ///< [m] x_b - x_a

  CAIRN_HD Kept(const QuatT<T>& q_a, const QuatT<T>& q_b, Vec3T<T> apart, const QuatT<T>& old_a, const QuatT<T>& old_b)
      : turn_a(q_a * conjugate(old_a)), turn_b(q_b * conjugate(old_b)), offset(apart) {}

  /// True while neither body has turned by more than a degree and b has moved in a's frame by less than the tolerance.
  CAIRN_HD auto holds(const QuatT<T>& q_a, const QuatT<T>& old_a, Vec3T<T> old_offset, T radius, T tolerance) const {
    const T least(kRecycleTurn);
    const Vec3T<T> moved = rotate_inverse(q_a, offset) - rotate_inverse(old_a, old_offset);
    const T angle = T(2.0f) * length(vector_of(conjugate(turn_a) * turn_b));
    return least <= abs(turn_a.w) && least <= abs(turn_b.w) && fma(radius, angle, length(moved)) < tolerance;
  }
  /// [m] Of a point, now.
  CAIRN_HD T separation(Vec3T<T> normal, Vec3T<T> r_a, Vec3T<T> r_b) const {
    return dot(normal, (offset + rotate(turn_b, r_b)) - rotate(turn_a, r_a));
  }
};

/// Manifold of a pair: the last step's, refreshed, while the bodies' relative pose has hardly changed, or a new one
/// where closed forms give it. Of all others the class is noted, for the functors of narrow_phase.h; but where two
/// boxes are all that there may be, they are done at once.
/// Recycling after Box3D (E. Catto); what is refreshed is the separation alone, from anchors carried by the bodies, so
/// that the tilt of soft contacts isn't fed back as an overturning moment.
/// Writes shape_b, triangle and pair_class of pair i, and manifold i unless its class is listed. One thread per pair.
struct Collide {
  ManifoldUpdate renewal;
  Surfaces surfaces;
  std::uint32_t* pair_class;  ///< [1] (pairs) PairClass; kNear if nothing is left to do
  bool listed;                ///< some pairs may be of other classes than kNear and kBoxes

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Bodies& bodies = renewal.bodies;
    const Pairs& pairs = renewal.pairs;
    const PairShapes pair = shapes_of(pairs.key[i], surfaces);
    pairs.shape_b[i] = pair.b;
    pairs.triangle[i] = pair.triangle;
    pair_class[i] = static_cast<std::uint32_t>(PairClass::kNear);
    const Manifold* old = renewal.old_of(i);
    Manifold& m = pairs.manifold[i];

    // what sleeps stays as it was, impulses and all
    if (old != nullptr && old->count != 0 && !wakes_others(bodies, renewal.shapes.body[pair.a]) &&
        !wakes_others(bodies, renewal.shapes.body[pair.b])) {
      copy_manifold(m, *old);
      m.flags = old->flags & (kManifoldFlat | kManifoldFar);
      // if it is woken in this step, its points are those that it had
      if ((m.flags & kManifoldFlat) != 0) m.flags |= kManifoldSame;
      rescale(m);
      return;
    }

    const Meeting at = renewal.meeting(i);
    if (old != nullptr && old->count != 0 && (old->flags & kManifoldFlat) != 0) {
      const Kept<float> kept(at.q_a, at.q_b, at.offset, old->q_a, old->q_b);
      if (kept.holds(at.q_a, old->q_a, old->offset, at.reach.radius, at.reach.tolerance)) {
        m = *old;
        m.flags = kManifoldRecycled | kManifoldFlat | at.far.mark() |
                  cold_steps(renewal.k, bodies, renewal.worlds, at.a, at.b, old);
        for (std::uint32_t j = 0; j < m.count; ++j) {
          ManifoldPoint& p = m.points[j];
          p.separation = kept.separation(m.normal, p.r_a, p.r_b);
          p.total = 0.0f;
        }
        m.friction_total = Vec3{0, 0, 0};
        rescale(m);
        return;
      }
    }

    const PairClass of = class_of(at.ga.kind, at.gb.kind);
    if (listed && of != PairClass::kNear) {
      pair_class[i] = static_cast<std::uint32_t>(of);
      return;
    }
    renewal.renew(i, at, [&](const auto&... shapes) {
      // none of them is a hull
      return collide_ordered(shapes..., Solids{}, [&](const auto&... ordered) {
        return of == PairClass::kBoxes ? collide_flat(ordered...) : collide_near(ordered...);
      });
    });
  }

#if defined(CAIRN_BODY_PACKS)
  /// The same of eight pairs, for those that keep their manifolds.
  std::uint32_t pack(std::uint32_t first) const {
    const Bodies& bodies = renewal.bodies;
    const Pairs& pairs = renewal.pairs;
    const Manifold* old[kPackLanes];
    std::uint32_t a[kPackLanes], b[kPackLanes], lanes = 0, last = 0;
    float least[kPackLanes], tolerance[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      const PairShapes pair = shapes_of(pairs.key[first + i], surfaces);
      pairs.shape_b[first + i] = pair.b;
      pairs.triangle[first + i] = pair.triangle;
      pair_class[first + i] = static_cast<std::uint32_t>(PairClass::kNear);
      old[i] = renewal.old_of(first + i);
      a[i] = renewal.shapes.body[pair.a];
      b[i] = renewal.shapes.body[pair.b];
      if (old[i] == nullptr || old[i]->count == 0 || (old[i]->flags & kManifoldFlat) == 0) continue;
      if ((old[i]->flags & kManifoldFar) != 0 || far_pair(bodies, a[i], b[i]).any) continue;
      if (!wakes_others(bodies, a[i]) && !wakes_others(bodies, b[i])) continue;
      least[i] = least_extent(bodies, a[i], b[i]);
      tolerance[i] = renewal.worlds.params[bodies.world[a[i]]].recycle_tolerance;
      lanes |= 1u << i;
      last = i;
    }
    if (lanes == 0) return 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      // the rest is computed of some lane that will do
      if ((lanes >> i & 1u) != 0) continue;
      old[i] = old[last];
      a[i] = a[last];
      b[i] = b[last];
      least[i] = least[last];
      tolerance[i] = tolerance[last];
    }
    const auto of = [&](const Vec3* array, const std::uint32_t* body) { return gather_vectors(array, body); };
    const QuatT<Pack> q_a = gather_quats(bodies.q, a), q_b = gather_quats(bodies.q, b);
    const Vec3T<Pack> offset = (of(bodies.x, b) - of(bodies.x, a)) + (of(bodies.x_low, b) - of(bodies.x_low, a));
    float radii[kPackLanes];
    const float *of_a[kPackLanes], *of_b[kPackLanes], *normals[kPackLanes], *offsets[kPackLanes];
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      radii[i] = min(bodies.radius[a[i]], bodies.radius[b[i]]);
      of_a[i] = &old[i]->q_a.x;
      of_b[i] = &old[i]->q_b.x;
      normals[i] = &old[i]->normal.x;
      offsets[i] = &old[i]->offset.x;
    }
    Pack from[4];
    gather4(of_a, from);
    const QuatT<Pack> old_a{from[0], from[1], from[2], from[3]};
    gather4(of_b, from);
    const QuatT<Pack> old_b{from[0], from[1], from[2], from[3]};
    Vec3T<Pack> normal, old_offset;
    gather3(normals, normal.x, normal.y, normal.z);
    gather3(offsets, old_offset.x, old_offset.y, old_offset.z);
    const Kept<Pack> kept(q_a, q_b, offset, old_a, old_b);
    const Pack radius = load<Pack>(radii, 0);
    const Pack within = recycle_length(load<Pack>(tolerance, 0), radius, load<Pack>(least, 0));
    lanes &= lanes_of(kept.holds(q_a, old_a, old_offset, radius, within));
    if (lanes == 0) return 0;

    std::uint32_t points = 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) points = old[i]->count > points ? old[i]->count : points;
    float separation[kManifoldPoints][kPackLanes];
    for (std::uint32_t j = 0; j < points; ++j) {
      const float* places[kPackLanes];
      for (std::uint32_t i = 0; i < kPackLanes; ++i) places[i] = &old[i]->points[j].r_a.x;
      Pack p[8];
      gather8(places, p);
      store(separation[j], 0, kept.separation(normal, {p[0], p[1], p[2]}, {p[3], p[4], p[5]}));
    }
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      Manifold& m = pairs.manifold[first + i];
      copy_whole(m, *old[i]);
      m.flags = kManifoldRecycled | kManifoldFlat | cold_steps(renewal.k, bodies, renewal.worlds, a[i], b[i], old[i]);
      for (std::uint32_t j = 0; j < m.count; ++j) {
        m.points[j].separation = separation[j][i];
        m.points[j].total = 0.0f;
      }
      m.friction_total = Vec3{0, 0, 0};
      rescale(m);
    }
    return lanes;
  }
#endif

 private:
#if defined(CAIRN_BODY_PACKS)
  /// In words of 32 bytes, of which the last two overlap: the compiler's way takes three times as long.
  static void copy_whole(Manifold& to, const Manifold& from) {
    const float* const source = &from.normal.x;
    float* const target = &to.normal.x;
    constexpr std::uint32_t kWords = sizeof(Manifold) / sizeof(float);
    for (std::uint32_t i = 0; i + kPackLanes <= kWords; i += kPackLanes) store(target, i, load<Pack>(source, i));
    store(target, kWords - kPackLanes, load<Pack>(source, kWords - kPackLanes));
  }
#endif

  /// Cached impulses are those of a substep: they scale with it.
  CAIRN_HD void rescale(Manifold& m) const {
    const float scale = renewal.k.warm_scale;
    if (scale == 1.0f) return;
    for (std::uint32_t j = 0; j < m.count; ++j) m.points[j].impulse *= scale;
    m.friction = scale * m.friction;
    m.rolling = scale * m.rolling;
    m.twist *= scale;
  }
};

}  // namespace cairn::kernels
