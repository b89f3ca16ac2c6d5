#pragma once

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/update_manifold.h"
#include "kernels/common/body_pack.h"

namespace cairn::kernels {

/// cos(1/2 degree), the w of a turn by a degree: a body that has turned more since a manifold was made gets a new one.
/// With 10 degrees a tower of ten on a tilting table stands to 10 degrees, where 5.7 is right.
inline constexpr float kRecycleTurn = 0.99996192f;

/// Two bodies, and their motion since their manifold was made.
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
  /// [m] Present separation of a point.
  CAIRN_HD T separation(Vec3T<T> normal, Vec3T<T> r_a, Vec3T<T> r_b) const {
    return dot(normal, (offset + rotate(turn_b, r_b)) - rotate(turn_a, r_a));
  }
};

/// Manifold of a pair. It is the last step's, refreshed, while the bodies' relative pose has hardly changed, or a new
/// one if closed forms give it. For all others it records the class, for the functors of narrow_phase.h; but if box
/// pairs are the only class in use, they are done at once.
/// Recycling after Box3D (E. Catto). Only the separation is refreshed, from anchors carried by the bodies, so that the
/// tilt of soft contacts isn't fed back as an overturning moment.
/// Writes shape_b, triangle and pair_class of pair i, and manifold i unless its class is listed. One thread per pair.
struct Collide {
  ManifoldUpdate renewal;
  Surfaces surfaces;
  std::uint32_t* pair_class;  ///< [1] (pairs) PairClass; kNear if nothing is left to do
  bool listed;                ///< some pairs may be of other classes than kNear and kBoxes

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Bodies& bodies = renewal.bodies;
    const Pairs& pairs = renewal.pairs;
    const PairShapes pair = write_shapes(i);
    const Manifold* old = renewal.old_of(i);
    Manifold& m = pairs.manifold[i];

    // sleeping pairs stay as they were, with their impulses
    if (old != nullptr && old->count != 0 && !wakes_others(bodies, renewal.shapes.body[pair.a]) &&
        !wakes_others(bodies, renewal.shapes.body[pair.b])) {
      copy_manifold(m, *old);
      m.flags = old->flags & (kManifoldFlat | kManifoldFar);
      // if it is woken in this step, its points are the same as before
      if ((m.flags & kManifoldFlat) != 0) m.flags |= kManifoldSame;
      rescale(m);
      return;
    }

    const Meeting at = renewal.meeting(i);
    if (old != nullptr && old->count != 0 && (old->flags & kManifoldFlat) != 0) {
      const Kept<float> kept(at.q_a, at.q_b, at.offset, old->q_a, old->q_b);
      if (kept.holds(at.q_a, old->q_a, old->offset, at.reach.radius, at.reach.tolerance)) {
        m = *old;
        refresh(m, at.far.mark(), at.a, at.b, old,
                [&](std::uint32_t j) { return kept.separation(m.normal, m.points[j].r_a, m.points[j].r_b); });
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
        return of == PairClass::kBoxes ? collide_flat(ordered..., at.old) : collide_near(ordered...);
      });
    });
  }

#if CAIRN_BODY_PACKS
  /// The same for eight pairs: those that keep their manifolds.
  std::uint32_t pack(std::uint32_t first) const {
    Eight of;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) look_up(first + i, i, of);
    if (of.keep == 0) return 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) fill_in(i, of);
    return keep(first, of);
  }
#endif

 private:
#if CAIRN_BODY_PACKS
  struct Eight {
    std::uint32_t keep{0};            ///< bit by lane
    const Manifold* old[kPackLanes];  ///< these three of the lanes to keep
    std::uint32_t a[kPackLanes], b[kPackLanes];
  };

  void look_up(std::uint32_t at, std::uint32_t i, Eight& of) const {
    const Bodies& bodies = renewal.bodies;
    const PairShapes pair = write_shapes(at);
    const Manifold* old = renewal.old_of(at);
    const std::uint32_t a = renewal.shapes.body[pair.a], b = renewal.shapes.body[pair.b];
    of.old[i] = old;
    of.a[i] = a;
    of.b[i] = b;
    if (old == nullptr || old->count == 0 || (old->flags & (kManifoldFlat | kManifoldFar)) != kManifoldFlat) return;
    if (far_pair(bodies, a, b).any || (!wakes_others(bodies, a) && !wakes_others(bodies, b))) return;
    of.keep |= 1u << i;
  }
  /// Fills an unused lane with the data of another one.
  static void fill_in(std::uint32_t i, Eight& of) {
    std::uint32_t from = i;
    while ((of.keep >> from & 1u) == 0) from = (from + 1) % kPackLanes;
    of.a[i] = of.a[from];
    of.b[i] = of.b[from];
    of.old[i] = of.old[from];
  }

  /// Returns the lanes that kept their manifolds.
  std::uint32_t keep(std::uint32_t first, const Eight& of) const {
    const Bodies& bodies = renewal.bodies;
    // vectors of bodies, which have one more at the end
    const auto between = [&](const Vec3* x) { return vectors_at<Pack>(x, of.b) - vectors_at<Pack>(x, of.a); };
    const QuatT<Pack> q_a = quats_at<Pack>(bodies.q, of.a), q_b = quats_at<Pack>(bodies.q, of.b);
    const QuatT<Pack> old_a = quats_at<Pack>([&](std::uint32_t i) { return &of.old[i]->q_a; });
    const QuatT<Pack> old_b = quats_at<Pack>([&](std::uint32_t i) { return &of.old[i]->q_b; });
    const Vec3T<Pack> normal = vectors_at<Pack>([&](std::uint32_t i) { return &of.old[i]->normal; });
    const Vec3T<Pack> old_offset = vectors_at<Pack>([&](std::uint32_t i) { return &of.old[i]->offset; });
    const PairReachT<Pack> reach = reach_at_rest<Pack>(bodies, renewal.worlds, of.a, of.b);
    const Kept<Pack> kept(q_a, q_b, between(bodies.x) + between(bodies.x_low), old_a, old_b);
    const auto holds = kept.holds(q_a, old_a, old_offset, reach.radius, reach.tolerance);
    const std::uint32_t lanes = of.keep & lanes_of(holds);
    if (lanes == 0) return 0;

    std::uint32_t points = 0;
    for (const Manifold* old : of.old) points = old->count > points ? old->count : points;
    float separation[kManifoldPoints][kPackLanes];
    for (std::uint32_t j = 0; j < points; ++j) {
      const float* places[kPackLanes];
      for (std::uint32_t i = 0; i < kPackLanes; ++i) places[i] = &of.old[i]->points[j].r_a.x;
      Pack p[8];
      gather8(places, p);
      store(separation[j], 0, kept.separation(normal, {p[0], p[1], p[2]}, {p[3], p[4], p[5]}));
    }
    each_set(lanes, [&](std::uint32_t i) {
      Manifold& m = renewal.pairs.manifold[first + i];
      copy_whole(m, *of.old[i]);
      refresh(m, 0, of.a[i], of.b[i], of.old[i], [&](std::uint32_t j) { return separation[j][i]; });
    });
    return lanes;
  }

  /// Copies words of 32 bytes, of which the last two overlap: the compiler's own copy takes three times as long.
  static void copy_whole(Manifold& to, const Manifold& from) {
    const float* const source = &from.normal.x;
    float* const target = &to.normal.x;
    constexpr std::uint32_t kWords = sizeof(Manifold) / sizeof(float);
    for (std::uint32_t i = 0; i + kPackLanes <= kWords; i += kPackLanes) store(target, i, load<Pack>(source, i));
    store(target, kWords - kPackLanes, load<Pack>(source, kWords - kPackLanes));
  }
#endif

  /// Writes the shapes of pair i, and that nothing is left to do.
  CAIRN_HD PairShapes write_shapes(std::uint32_t i) const {
    const PairShapes pair = shapes_of(renewal.pairs.key[i], surfaces);
    renewal.pairs.shape_b[i] = pair.b;
    renewal.pairs.triangle[i] = pair.triangle;
    pair_class[i] = static_cast<std::uint32_t>(PairClass::kNear);
    return pair;
  }

  /// Turns a copy of the last step's manifold into that of this one, with separation(j) of its points.
  template <class Separation>
  CAIRN_HD void refresh(Manifold& m, std::uint32_t far_mark, std::uint32_t a, std::uint32_t b, const Manifold* old,
                        const Separation& separation) const {
    m.flags =
        kManifoldRecycled | kManifoldFlat | far_mark | cold_steps(renewal.k, renewal.bodies, renewal.worlds, a, b, old);
    for (std::uint32_t j = 0; j < m.count; ++j) {
      m.points[j].separation = separation(j);
      m.points[j].total = 0.0f;
    }
    m.friction_total = Vec3{0, 0, 0};
    rescale(m);
  }

  /// Cached impulses are those of a substep, so they scale with its length.
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
