#pragma once

#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/update_manifold.h"

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

#if defined(CAIRN_BODY_PACKS)
  /// The same for eight pairs: those that keep their manifolds, and boxes without a manifold that a face separates.
  std::uint32_t pack(std::uint32_t first) const {
    Eight of;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) look_up(first + i, i, of);
    if ((of.keep | of.near) == 0) return 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) fill_in(i, of);
    of.offset = between(renewal.bodies.x, of) + between(renewal.bodies.x_low, of);
    of.q_a = quats_at<Pack>([&](std::uint32_t i) { return &renewal.bodies.q[of.a[i]]; });
    of.q_b = quats_at<Pack>([&](std::uint32_t i) { return &renewal.bodies.q[of.b[i]]; });
    of.reach.radius = from_lanes<Pack>(of.radius);
    of.reach.min_extent = from_lanes<Pack>(of.min_extent);
    of.reach.tolerance = recycle_length(from_lanes<Pack>(of.tolerance), of.reach.radius, of.reach.min_extent);
    std::uint32_t done = 0;
    if (of.keep != 0) done = keep(first, of);
    if (of.near != 0) done |= part(first, of);
    return done;
  }
#endif

 private:
#if defined(CAIRN_BODY_PACKS)
  struct Eight {
    std::uint32_t keep{0}, near{0};   ///< bit by lane
    const Manifold* old[kPackLanes];  ///< of the lanes to keep
    std::uint32_t a[kPackLanes], b[kPackLanes], shape_a[kPackLanes], shape_b[kPackLanes];
    float radius[kPackLanes], min_extent[kPackLanes], tolerance[kPackLanes];  ///< [m, m, 1] inputs of `reach`
    Vec3T<Pack> offset;                                                       ///< [m] x_b - x_a
    QuatT<Pack> q_a, q_b;
    PairReachT<Pack> reach;
  };

  /// Vectors of bodies, which have one more at the end.
  static Vec3T<Pack> vectors_of(const Vec3* of_bodies, const std::uint32_t* body) {
    return vectors_at<Pack>([&](std::uint32_t i) { return &of_bodies[body[i]]; });
  }
  static Vec3T<Pack> between(const Vec3* of_bodies, const Eight& of) {
    return vectors_of(of_bodies, of.b) - vectors_of(of_bodies, of.a);
  }

  void look_up(std::uint32_t at, std::uint32_t i, Eight& of) const {
    const Bodies& bodies = renewal.bodies;
    const PairShapes pair = write_shapes(at);
    const Manifold* old = renewal.old_of(at);
    const std::uint32_t a = renewal.shapes.body[pair.a], b = renewal.shapes.body[pair.b];
    of.old[i] = old;
    of.shape_a[i] = pair.a;
    of.shape_b[i] = pair.b;
    of.a[i] = a;
    of.b[i] = b;
    const bool touched = old != nullptr && old->count != 0;
    if (touched ? (old->flags & (kManifoldFlat | kManifoldFar)) != kManifoldFlat : !are_boxes(pair)) return;
    if (far_pair(bodies, a, b).any) return;
    if (touched && !wakes_others(bodies, a) && !wakes_others(bodies, b)) return;
    of.radius[i] = min(bodies.radius[a], bodies.radius[b]);
    of.min_extent[i] = min_extent_of(bodies, a, b);
    of.tolerance[i] = renewal.worlds.params[bodies.world[a]].recycle_tolerance;
    (touched ? of.keep : of.near) |= 1u << i;
  }
  /// True for two boxes that the narrow phase takes in this order.
  bool are_boxes(const PairShapes& pair) const {
    const ShapeGeometry &a = renewal.shapes.geometry[pair.a], &b = renewal.shapes.geometry[pair.b];
    return a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox && renewal.fluids.count == 0 &&
           !comes_after(a, b, Solids{});
  }
  /// Fills an unused lane with the data of another one.
  static void fill_in(std::uint32_t i, Eight& of) {
    const std::uint32_t all = of.keep | of.near;
    std::uint32_t from = i;
    while ((all >> from & 1u) == 0) from = (from + 1) % kPackLanes;
    if (from != i) {
      for (std::uint32_t* field : {of.a, of.b, of.shape_a, of.shape_b}) field[i] = field[from];
      for (float* field : {of.radius, of.min_extent, of.tolerance}) field[i] = field[from];
    }
    if (of.keep == 0) return;
    for (from = i; (of.keep >> from & 1u) == 0;) from = (from + 1) % kPackLanes;
    of.old[i] = of.old[from];
  }

  /// Returns the lanes that kept their manifolds.
  std::uint32_t keep(std::uint32_t first, const Eight& of) const {
    std::uint32_t points = 0;
    for (const Manifold* old : of.old) points = old->count > points ? old->count : points;
    const QuatT<Pack> old_a = quats_at<Pack>([&](std::uint32_t i) { return &of.old[i]->q_a; });
    const QuatT<Pack> old_b = quats_at<Pack>([&](std::uint32_t i) { return &of.old[i]->q_b; });
    const Vec3T<Pack> normal = vectors_at<Pack>([&](std::uint32_t i) { return &of.old[i]->normal; });
    const Vec3T<Pack> old_offset = vectors_at<Pack>([&](std::uint32_t i) { return &of.old[i]->offset; });
    const Kept<Pack> kept(of.q_a, of.q_b, of.offset, old_a, old_b);
    const auto holds = kept.holds(of.q_a, old_a, old_offset, of.reach.radius, of.reach.tolerance);
    const std::uint32_t lanes = of.keep & lanes_of(holds);
    if (lanes == 0) return 0;

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

  /// Returns the lanes of boxes that are apart along a normal of one of their faces, which collide_boxes tests first.
  std::uint32_t part(std::uint32_t first, Eight& of) const {
    const Bodies& bodies = renewal.bodies;
    const auto turning = [&](const std::uint32_t* body) {
      return length(vectors_of(bodies.w, body)) *
             of_lanes<Pack>([&](std::uint32_t i) { return turning_radius(bodies, body[i]); });
    };
    const Pack falls = of_lanes<Pack>([&](std::uint32_t i) {
      return fall_of(bodies, of.a[i], of.b[i], renewal.worlds.gravity[bodies.world[of.a[i]]]);
    });
    of.reach.speed = length(between(bodies.v, of)) + turning(of.a) + turning(of.b) + falls * Pack(renewal.k.dt);
    const Pack margin = of.reach.margin(renewal.k), none(0.0f);
    const BoxEight a = boxes(of.shape_a, of.q_a, {none, none, none}), b = boxes(of.shape_b, of.q_b, of.offset);
    const Mat3T<Pack> r = matrix_in(a.r, b.r);
    const Vec3T<Pack> d = transpose_mul(a.r, b.x - a.x);
    const std::uint32_t good = of.near & a.good & b.good & lanes_of(finite(d) && finite(margin));
    const std::uint32_t lanes = good & (lanes_of(margin < max_component(gaps_along_a(a.h, b.h, r, d))) |
                                        lanes_of(margin < max_component(gaps_along_b(a.h, b.h, r, d))));
    each_set(lanes, [&](std::uint32_t i) { clear_manifold(renewal.pairs.manifold[first + i], kManifoldFlat); });
    return lanes;
  }

  struct BoxEight {
    Vec3T<Pack> x, h;  ///< [m] centre, half extents
    Mat3T<Pack> r;
    std::uint32_t good;  ///< bit by lane: its orientation is unit, and all of it finite
  };
  /// Boxes of bodies at these poses, as ManifoldUpdate::renew and box_pose compute them.
  BoxEight boxes(const std::uint32_t* shape, const QuatT<Pack>& q, Vec3T<Pack> body) const {
    const GeometryPack g([&](std::uint32_t i) { return &renewal.shapes.geometry[shape[i]]; });
    const QuatT<Pack> turned = q * g.orientation;
    const Vec3T<Pack> x = body + rotate(q, g.position);
    const auto unit = abs(dot(turned, turned) - Pack(1.0f)) <= Pack(kUnitWithin);
    return {x, g.size, matrix_of(turned), lanes_of(unit && finite(x) && finite(g.size))};
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
