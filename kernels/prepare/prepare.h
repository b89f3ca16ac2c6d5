#pragma once

#include "kernels/bound/reach.h"
#include "kernels/color/row_order.h"
#include "kernels/common/atomic.h"
#include "kernels/common/belts.h"
#include "kernels/common/mix.h"
#include "kernels/common/pair_class.h"
#include "kernels/solve/repeated_rows.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// Inverse of the 2x2 matrix of a block of two rows; zero if it is singular.
template <class T>
CAIRN_HD void put_block_inverse(float (&field)[3][kRowLanes], std::uint32_t lane, T xx, T xy, T yy) {
  const BlockMass<T> m = block_mass(xx, xy, yy);
  store3(field, lane, Vec3T<T>{m.xx, m.xy, m.yy});
}

/// weight(i, j): motion along one of (tangent, second tangent, turn about the normal) by an impulse along another.
template <class F>
CAIRN_HD void put_friction_block(RowBlock& row, std::uint32_t lane, const F& weight) {
  store(row.friction_block[0], lane, weight(0, 0));
  store(row.friction_block[1], lane, weight(0, 1));
  store(row.friction_block[2], lane, weight(1, 1));
  store(row.friction_block[3], lane, weight(0, 2));
  store(row.friction_block[4], lane, weight(1, 2));
  store(row.friction_block[5], lane, weight(2, 2));
}

/// One end of a row.
template <class T>
struct RowEnd {
  T inv_mass;      ///< [1/kg] 0 if nothing may push it
  T movable;       ///< [1] 1 if awake and dynamic, else 0
  Sym3T<T> scale;  ///< I^-1/2, if it is movable

  CAIRN_HD Vec3T<T> angular(Vec3T<T> a) const { return select(movable > T(0.0f), scale * a, a); }
};

/// The points of a row's manifold, for each lane of a T.
template <class T>
struct RowPoints;
template <>
struct RowPoints<float> {
  const ManifoldPoint* point;
  CAIRN_HD RowPoints(const Manifold* const (&m)[1], std::uint32_t) : point(m[0]->points) {}
  CAIRN_HD Vec3 r_a(std::uint32_t j) const { return point[j].r_a; }
  CAIRN_HD Vec3 r_b(std::uint32_t j) const { return point[j].r_b; }
  CAIRN_HD float separation(std::uint32_t j) const { return point[j].separation; }
  CAIRN_HD float rest(std::uint32_t j) const { return point[j].rest; }
  CAIRN_HD float impulse(std::uint32_t j) const { return point[j].impulse; }
};
#if !defined(__CUDA_ARCH__)
template <>
struct RowPoints<Pack> {
  Pack place[kManifoldPoints][8], pushed[kManifoldPoints];

  CAIRN_HD RowPoints(const Manifold* const (&m)[kPackLanes], std::uint32_t points) {
    for (std::uint32_t j = 0; j < points; ++j) {
      const float* from[kPackLanes];
      float impulse[kPackLanes];
      for (std::uint32_t i = 0; i < kPackLanes; ++i) {
        from[i] = &m[i]->points[j].r_a.x;
        impulse[i] = m[i]->points[j].impulse;
      }
      gather8(from, place[j]);
      pushed[j] = from_lanes<Pack>(impulse);
    }
  }
  CAIRN_HD Vec3T<Pack> r_a(std::uint32_t j) const { return {place[j][0], place[j][1], place[j][2]}; }
  CAIRN_HD Vec3T<Pack> r_b(std::uint32_t j) const { return {place[j][3], place[j][4], place[j][5]}; }
  CAIRN_HD Pack separation(std::uint32_t j) const { return place[j][6]; }
  CAIRN_HD Pack rest(std::uint32_t j) const { return place[j][7]; }
  CAIRN_HD Pack impulse(std::uint32_t j) const { return pushed[j]; }
};
#endif
static_assert(offsetof(ManifoldPoint, r_b) == 3 * sizeof(float) && offsetof(ManifoldPoint, rest) == 7 * sizeof(float));

/// f(body) for the dynamic bodies of a joint that holds. Others are firm without joints, too.
template <class F>
CAIRN_HD void each_held(const Joints& joints, std::uint32_t joint, const Bodies& bodies, const F& f) {
  const JointModel& model = joints.model[joint];
  if (!holds(model, joints.memory[joint])) return;
  for (const std::uint32_t body : {model.body_a, model.body_b}) {
    if (body != kNone && is_dynamic(bodies.flags[body])) f(body);
  }
}

/// Marks the bodies of joints. One thread per joint slot.
struct MarkJointed {
  Joints joints;
  Bodies bodies;
  CAIRN_HD void operator()(std::uint32_t i) const {
    each_held(joints, i, bodies, [&](std::uint32_t body) { atomic_store(&bodies.jointed[body], 1u); });
  }
};

/// Resets the parts: no repeated rows yet, and no rounds. One thread per part.
struct ClearRounds {
  Parts parts;
  CAIRN_HD void operator()(std::uint32_t part) const {
    parts.repeats[part] = kNone;
    parts.last_round[part] = 0;
  }
};

/// Turns manifolds into rows of their colour. Normal row j: J = (-n, -r_a x n, n, r_b x n), angular parts premultiplied
/// by I^-1/2 and given by axes and arms (kernels/solve/row_arms.h); coupling of two points J_i M^-1 J_j^T; effective mass 1 / (1/m_a + 1/m_b + |j_a|^2 + |j_b|^2). Friction is a 2x2 block, given at the reference.
/// The loaded points lie in one plane with it, across n, and the passes find the centre of the load there
/// (kernels/solve/row_friction.h). Twist is one row about n; rolling is a 2x2 block of tangential rotation.
/// Writes the row's lane, and counts it at its bodies if PredictStart hasn't; the last row of a colour also writes the
/// lanes up to the next colour. One thread per row, in row_order.
struct Prepare {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Pairs pairs;
  PairWork work;
  const ContactMaterial* materials;
  Rows rows;
  Parts parts;
  bool rolling;
  const Quatd* axes{nullptr};  ///< [1] (bodies) Belts::axes

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t band = band_of(work.sorted_row_key[i]);
    const RowRun at{i, row_slot(work, parts, i), 1};
    if (i + 1 == parts.color_begin[band + 1]) pad(at.slot + 1, parts.color_row[band + 1]);
    run<float>(at);
  }

  /// The same for the rows of a run. After the last row of a colour it pads the lanes of a T.
  template <class T>
  CAIRN_HD void run(RowRun at) const {
    RowBlock& row = rows[at.slot / kRowLanes];
    const std::uint32_t lane = at.slot % kRowLanes;
    Lanes<T> lanes;
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) look_up(at.entry + (i < at.count ? i : 0), row, lane + i, i, lanes);
    for (std::uint32_t i = 0; i < at.count; ++i) count_row(*lanes.manifold[i], lanes.a[i], lanes.b[i]);
    write(row, lane, lanes);
    if (at.count < kLanesOf<T>) pad_behind<T>(row, lane, at.count);
  }

 private:
  /// Inputs of a row from its bodies and shapes, lane by lane.
  template <class T>
  struct Lanes {
    const Manifold* manifold[kLanesOf<T>];
    std::uint32_t a[kLanesOf<T>], b[kLanesOf<T>];
    float inv_mass[2][kLanesOf<T>], movable[2][kLanesOf<T>];
    float jointed[kLanesOf<T>], anchored[kLanesOf<T>];
    float belt[3][kLanesOf<T>], moves[kLanesOf<T>];  // where belts are
  };

  template <class T>
  CAIRN_HD void look_up(std::uint32_t entry, RowBlock& row, std::uint32_t lane, std::uint32_t i, Lanes<T>& to) const {
    const std::uint32_t pair = work.row_order[entry];
    const Manifold& m = pairs.manifold[pair];
    const std::uint32_t shape_a = pairs.shape_a(pair), shape_b = pairs.shape_b[pair];
    const std::uint32_t a = shapes.body[shape_a], b = shapes.body[shape_b];
    const std::uint32_t flags_a = bodies.flags[a], flags_b = bodies.flags[b];
    const bool pushes_a = is_awake_dynamic(flags_a), pushes_b = is_awake_dynamic(flags_b);
    to.manifold[i] = &m;
    to.a[i] = row.body_a[lane] = a;
    to.b[i] = row.body_b[lane] = b;
    to.inv_mass[0][i] = pushes_a ? bodies.inv_mass[a] : 0.0f;
    to.inv_mass[1][i] = pushes_b ? bodies.inv_mass[b] : 0.0f;
    to.movable[0][i] = pushes_a ? 1.0f : 0.0f;
    to.movable[1][i] = pushes_b ? 1.0f : 0.0f;
    row.count[lane] = m.count;

    const ContactMaterial &mat_a = materials[shapes.material[shape_a]], &mat_b = materials[shapes.material[shape_b]];
    const std::uint32_t world = bodies.world[a];
    const WorldParams& params = worlds.params[world];
    row.mu[lane] = mix(params.friction_mix, mat_a.friction, mat_b.friction);
    row.bounce_speed[lane] =
        max(params.restitution_threshold, k.falls * k.h * fall_of(bodies, a, b, worlds.gravity[world]));
    row.restitution[lane] = mix(params.restitution_mix, mat_a.restitution, mat_b.restitution);
    if (rolling) row.rolling_reach[lane] = mix(params.rolling_mix, mat_a.rolling_friction, mat_b.rolling_friction);

    // jointed bodies and articulations are solved between passes, all together
    const bool linked = is_link(flags_a) || is_link(flags_b);
    const bool jointed = linked || bodies.jointed[a] != 0 || bodies.jointed[b] != 0;
    const bool direct = parts.has_direct() && band_of(work.sorted_row_key[entry]) >= Parts::band_of(parts.swept, 0);
    const bool cold = !jointed && !direct && (m.flags & kManifoldCold) != 0;
    const std::uint32_t stays = direct ? kManifoldRecycled : kManifoldRecycled | kManifoldSame;
    const bool damped = k.soft_contacts && !jointed && (m.flags & stays) != 0;
    to.jointed[i] = jointed ? 1.0f : 0.0f;
    row.damped[lane] = damped ? 1.0f : 0.0f;
    const auto boxes = [&] {
      return class_of(shapes.geometry[shape_a].kind, shapes.geometry[shape_b].kind) == PairClass::kBoxes;
    };
    const bool patched = k.soft_contacts && (m.flags & kManifoldFlat) != 0 && boxes();
    row.patch[lane] = patched ? kTwistPatch * min_extent_of(bodies, a, b) : 0.0f;
    to.anchored[i] = row.anchored[lane] = damped && !cold && !direct ? 1.0f : 0.0f;
    const bool repeats = cold || (k.residual_target > 0.0f && !jointed && !direct);
    row.repeats[lane] = repeats ? (1 + world) | (cold ? kRepeatsCold : 0) : 0;
    if (repeats) atomic_store(&parts.repeats[parts.of_world[world]], 0u);

    const Belts belts{materials, axes};
    if (!belts.any()) return;
    Vec3 belt{0, 0, 0};
    to.moves[i] = belts.between(bodies, shapes, shape_a, shape_b, belt) ? 1.0f : 0.0f;
    to.belt[0][i] = belt.x;
    to.belt[1][i] = belt.y;
    to.belt[2][i] = belt.z;
  }

  /// Counts a row at the ends where PredictStart hasn't counted its colour.
  CAIRN_HD void count_row(const Manifold& m, std::uint32_t a, std::uint32_t b) const {
    for (const std::uint32_t body : {a, b}) {
      const std::uint32_t flags = bodies.flags[body];
      const bool counted = m.color != kMaskColors && is_awake_free(flags);
      if (is_awake_dynamic(flags) && !counted) atomic_add(&bodies.solve[body].rows, 1u);
    }
  }

  template <class T>
  CAIRN_HD RowEnd<T> end_of(const Lanes<T>& lanes, int end) const {
    const std::uint32_t* const body = end == 0 ? lanes.a : lanes.b;
    return {from_lanes<T>(lanes.inv_mass[end]), from_lanes<T>(lanes.movable[end]),
            matrices_at<T>([&](std::uint32_t i) { return &bodies.inv_sqrt_inertia[body[i]]; })};
  }

  /// Loads a vector of the manifolds.
  template <class T>
  CAIRN_HD static Vec3T<T> of_manifolds(const Lanes<T>& lanes, Vec3 Manifold::*which) {
    return vectors_at<T>([&](std::uint32_t i) { return &(lanes.manifold[i]->*which); });
  }

  template <class T>
  CAIRN_HD void write(RowBlock& row, std::uint32_t lane, const Lanes<T>& lanes) const {
    const std::uint32_t points = max_points<T>(&row.count[lane]);
    const T count = of_lanes<T>([&](std::uint32_t i) { return static_cast<float>(row.count[lane + i]); });
    const auto has = [&](std::uint32_t j) { return T(static_cast<float>(j)) < count; };
    const RowPoints<T> p(lanes.manifold, points);
    const RowEnd<T> end_a = end_of(lanes, 0), end_b = end_of(lanes, 1);
    const T inv_mass = end_a.inv_mass + end_b.inv_mass;
    const Vec3T<T> n = of_manifolds(lanes, &Manifold::normal);
    store3(row.normal, lane, n);

    // the reference: the mean of the points, which stays in place from step to step while they do, at the height of the
    // deepest one
    const T none(0.0f);
    Vec3T<T> from_a{none, none, none}, from_b = from_a, deepest_a = p.r_a(0), deepest_b = p.r_b(0);
    T deepest = p.separation(0);
    const T share = T(1.0f) / count;
    for (std::uint32_t j = 0; j < points; ++j) {
      const auto deeper = has(j) && p.separation(j) < deepest;
      deepest = select(deeper, p.separation(j), deepest);
      deepest_a = select(deeper, p.r_a(j), deepest_a);
      deepest_b = select(deeper, p.r_b(j), deepest_b);
      from_a = select(has(j), fma(share, p.r_a(j), from_a), from_a);
      from_b = select(has(j), fma(share, p.r_b(j), from_b), from_b);
    }
    from_a = fma(dot(deepest_a - from_a, n), n, from_a);
    from_b = fma(dot(deepest_b - from_b, n), n, from_b);
    const Vec3T<T> tangent = tangent_of(n);
    const Vec3T<T> tangents[2] = {tangent, cross(n, tangent)};

    const auto arm_of = [&](const RowEnd<T>& end, Vec3T<T> from) {
      return RowArm<T>{{end.angular(tangents[0]), end.angular(tangents[1]), end.angular(n)},
                       {dot(from, tangents[0]), dot(from, tangents[1]), dot(from, n)}};
    };
    const RowArms<T> arms{arm_of(end_a, from_a), arm_of(end_b, from_b)};
    for (int t = 0; t < 3; ++t) {
      store3(row.axes_a[t], lane, arms.a.axes[t]);
      store3(row.axes_b[t], lane, arms.b.axes[t]);
    }
    store3(row.arm_a, lane, arms.a.arm);
    store3(row.arm_b, lane, arms.b.arm);

    const auto held = from_lanes<T>(lanes.jointed) > none;
    for (std::uint32_t j = 0; j < row_points(rows); ++j) {
      RowBlock::Point& to = row.point[j];
      const auto put = [&](float* field, T value) { store(field, lane, select(has(j), value, none)); };
      if (j >= points) {
        clear_point<T>(row, j, lane);
        continue;
      }
      const T rest = k.soft_contacts ? select(held, none, p.rest(j)) : none;
      put(to.rest, rest);
      put(to.separation, p.separation(j) - rest);
      const Vec3T<T> from = p.r_a(j) - from_a;
      const Along<T> at{dot(from, tangents[0]), dot(from, tangents[1])};
      put(to.place[0], at.x);
      put(to.place[1], at.y);
      const Vec3T<T> j_a = arms.a.normal(at), j_b = arms.b.normal(at);
      const auto weight = [&](Vec3T<T> i_a, Vec3T<T> i_b) {
        return fma(end_a.movable, dot(i_a, j_a), fma(end_b.movable, dot(i_b, j_b), inv_mass));
      };
      put(to.mass, inverse_or_zero(weight(j_a, j_b)));
      for (std::uint32_t i = 0; i < j; ++i) {
        const Along<T> other = load2<T>(row.point[i].place, lane);
        put(row.coupling[coupling_at(i, j)], weight(arms.a.normal(other), arms.b.normal(other)));
      }
      put(to.impulse, p.impulse(j));
      store(to.total, lane, none);
    }

    store3(row.tangent, lane, tangent);
    const Vec3T<T> friction = of_manifolds(lanes, &Manifold::friction), slip = of_manifolds(lanes, &Manifold::slip);
    for (int t = 0; t < 2; ++t) {
      store(row.friction_impulse[t], lane, dot(friction, tangents[t]));
      store(row.friction_total[t], lane, none);
      store(row.slip[t], lane, dot(slip, tangents[t]));
      store(row.slip_place[t], lane, none);
    }
    const Along<T> reference{none, none};
    const Vec3T<T> on_a[3] = {arms.a.first(reference), arms.a.second(reference), arms.a.axes[2]};
    const Vec3T<T> on_b[3] = {arms.b.first(reference), arms.b.second(reference), arms.b.axes[2]};
    put_friction_block(row, lane, [&](int x, int y) {
      const T shifts = x == y && x < 2 ? inv_mass : none;
      return fma(end_a.movable, dot(on_a[x], on_a[y]), fma(end_b.movable, dot(on_b[x], on_b[y]), shifts));
    });
    store(row.twist_impulse, lane, of_lanes<T>([&](std::uint32_t i) { return lanes.manifold[i]->twist; }));
    const auto starts = from_lanes<T>(lanes.anchored) > none && dot(slip, slip) == none;
    // else friction starts without slip
    if (any(starts) && holds(k.friction)) {
      const Slide<T> slide(row, lane, n, load_of<T>(row, lane, points).centre());
      const Along<T> first = held_slip(k.friction, row, lane, slide);
      store2(row.slip, lane, select(starts, first, load2<T>(row.slip, lane)));
    }
    if (axes != nullptr) {
      const Vec3T<T> velocity{from_lanes<T>(lanes.belt[0]), from_lanes<T>(lanes.belt[1]), from_lanes<T>(lanes.belt[2])};
      const auto moves = from_lanes<T>(lanes.moves) > none;
      for (int t = 0; t < 2; ++t) store(row.belt[t], lane, select(moves, dot(velocity, tangents[t]), T(kNoBelt)));
    } else {
      for (int t = 0; t < 2; ++t) store(row.belt[t], lane, T(kNoBelt));
    }
    if (!rolling) return;

    const Vec3T<T> rolled = of_manifolds(lanes, &Manifold::rolling);
    const auto resists = load<T>(row.rolling_reach, lane) > none;
    for (int t = 0; t < 2; ++t) {
      // an impulse that the material no longer resists is no warm start
      store(row.rolling_impulse[t], lane, select(resists, dot(rolled, tangents[t]), none));
    }
    const auto turning = [&](int x, int y) {
      return fma(end_a.movable, dot(arms.a.axes[x], arms.a.axes[y]),
                 end_b.movable * dot(arms.b.axes[x], arms.b.axes[y]));
    };
    put_block_inverse(row.rolling_mass, lane, turning(0, 0), turning(0, 1), turning(1, 1));
  }

  /// Makes the row slots harmless: no points, both ends the immovable body, and 0 for all factors in row functors.
  CAIRN_HD void pad(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t slot = begin; slot < end; ++slot) {
      pad_behind<float>(rows[slot / kRowLanes], slot % kRowLanes, 0);
    }
  }
  /// The same for the lanes of a T after the first `count`.
  template <class T>
  CAIRN_HD void pad_behind(RowBlock& row, std::uint32_t lane, std::uint32_t count) const {
    float used[kLanesOf<T>];
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      used[i] = i < count ? 1.0f : 0.0f;
      if (i < count) continue;
      row.body_a[lane + i] = row.body_b[lane + i] = k.body_count;
      row.count[lane + i] = row.repeats[lane + i] = 0;
    }
    const auto keep = from_lanes<T>(used) > T(0.0f);
    float* field = reinterpret_cast<float*>(reinterpret_cast<unsigned char*>(&row) + offsetof(RowBlock, normal));
    const std::size_t fields = (rows.bytes - offsetof(RowBlock, normal)) / sizeof(row.normal[0]);
    for (std::size_t f = 0; f < fields; ++f, field += kRowLanes) {
      store(field, lane, select(keep, load<T>(field, lane), T(0.0f)));
    }
  }

  template <class T>
  CAIRN_HD static void clear_point(RowBlock& row, std::uint32_t j, std::uint32_t lane) {
    RowBlock::Point& p = row.point[j];
    for (float* field : {p.separation, p.rest, p.mass, p.place[0], p.place[1], p.impulse, p.total}) {
      store(field, lane, T(0.0f));
    }
    for (std::uint32_t i = 0; i < j; ++i) store(row.coupling[coupling_at(i, j)], lane, T(0.0f));
  }
};

}  // namespace cairn::kernels
