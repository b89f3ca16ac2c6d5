#pragma once

#include "kernels/color/row_order.h"
#include "kernels/common/atomic.h"
#include "kernels/common/belts.h"
#include "kernels/common/mix.h"
#include "kernels/solve/repeated_rows.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// Inverse of the 2x2 matrix of a block of two rows; zero where it has none.
CAIRN_HD void put_block_inverse(float (&field)[3][kRowLanes], std::uint32_t lane, float xx, float xy, float yy) {
  const BlockMass<float> m = block_mass(xx, xy, yy);
  field[0][lane] = m.xx;
  field[1][lane] = m.xy;
  field[2][lane] = m.yy;
}

/// weight(i, j): how much an impulse along one of (tangent, second tangent, turn about the normal) moves another.
template <class F>
CAIRN_HD void put_friction_block(RowBlock& row, std::uint32_t lane, const F& weight) {
  row.friction_block[0][lane] = weight(0, 0);
  row.friction_block[1][lane] = weight(0, 1);
  row.friction_block[2][lane] = weight(1, 1);
  row.friction_block[3][lane] = weight(0, 2);
  row.friction_block[4][lane] = weight(1, 2);
  row.friction_block[5][lane] = weight(2, 2);
}

/// One end of a row: inverse mass, and I^-1/2 where the body turns by impulses (an identity where it doesn't).
struct RowEnd {
  float inv_mass;  ///< [1/kg] 0 where nothing may push it
  float movable;   ///< [1] 1 if awake and dynamic, else 0
  Sym3 scale;

  CAIRN_HD Vec3 angular(Vec3 a) const { return movable > 0.0f ? scale * a : a; }
};

/// f(body) for the dynamic bodies of a joint that holds: what joints are fixed to is as firm without them.
template <class F>
CAIRN_HD void each_held(const Joints& joints, std::uint32_t joint, const Bodies& bodies, const F& f) {
  const JointModel& model = joints.model[joint];
  if (!holds(model, joints.memory[joint])) return;
  for (const std::uint32_t body : {model.body_a, model.body_b}) {
    if (body != kNone && is_dynamic(bodies.flags[body])) f(body);
  }
}

/// Marks what joints hold. One thread per joint slot.
struct MarkJointed {
  Joints joints;
  Bodies bodies;
  CAIRN_HD void operator()(std::uint32_t i) const {
    each_held(joints, i, bodies, [&](std::uint32_t body) { atomic_store(&bodies.jointed[body], 1u); });
  }
};

/// No part has rows that are repeated yet, and none has had a round. One thread per part.
struct ClearRounds {
  Parts parts;
  CAIRN_HD void operator()(std::uint32_t part) const {
    parts.repeats[part] = kNone;
    parts.last_round[part] = 0;
  }
};

/// Turns manifolds into rows of their colour. Normal row j: J = (-n, -r_a x n, n, r_b x n), angular parts premultiplied
/// by I^-1/2; effective mass 1 / (1/m_a + 1/m_b + |j_a|^2 + |j_b|^2). Friction is a 2x2 block, given at the
/// reference: what carries load lies in one plane with that, across n, and the passes find the centre of the load there
/// (kernels/solve/row_friction.h). Twist is one row about n; rolling a 2x2 block of tangential turning.
/// Writes the row's lane, and counts it at its bodies; the last row of a colour also the lanes up to the next colour.
/// One thread per row, in row_order.
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
    const std::uint32_t slot = row_slot(work, parts, i);
    if (i + 1 == parts.color_begin[band + 1]) pad(slot + 1, parts.color_row[band + 1]);
    const std::uint32_t pair = work.row_order[i];
    const Manifold& m = pairs.manifold[pair];
    RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;

    const std::uint32_t shape_a = static_cast<std::uint32_t>(pairs.key[pair] >> 32), shape_b = pairs.shape_b[pair];
    const std::uint32_t a = shapes.body[shape_a], b = shapes.body[shape_b];
    const RowEnd end_a = end_of(a), end_b = end_of(b);
    const float inv_mass = end_a.inv_mass + end_b.inv_mass;
    row.body_a[lane] = a;
    row.body_b[lane] = b;
    if (end_a.movable > 0.0f) atomic_add(&bodies.solve[a].rows, 1u);
    if (end_b.movable > 0.0f) atomic_add(&bodies.solve[b].rows, 1u);
    row.count[lane] = m.count;
    put(row.normal, lane, m.normal);

    const ContactMaterial mat_a = materials[shapes.material[shape_a]], mat_b = materials[shapes.material[shape_b]];
    const std::uint32_t world = bodies.world[a];
    const WorldParams params = worlds.params[world];
    row.mu[lane] = mix(params.friction_mix, mat_a.friction, mat_b.friction);
    row.bounce_speed[lane] =
        max(params.restitution_threshold, k.falls * k.h * fall_of(bodies, a, b, worlds.gravity[world]));
    row.restitution[lane] = mix(params.restitution_mix, mat_a.restitution, mat_b.restitution);

    // the reference: the mean of the points, which stays where it is from step to step while they do, at the height of
    // the deepest one
    std::uint32_t deepest = 0;
    Vec3 from_a{0, 0, 0}, from_b{0, 0, 0};
    const float share = 1.0f / static_cast<float>(m.count);
    for (std::uint32_t j = 0; j < m.count; ++j) {
      if (m.points[j].separation < m.points[deepest].separation) deepest = j;
      from_a = fma(share, m.points[j].r_a, from_a);
      from_b = fma(share, m.points[j].r_b, from_b);
    }
    from_a = fma(dot(m.points[deepest].r_a - from_a, m.normal), m.normal, from_a);
    from_b = fma(dot(m.points[deepest].r_b - from_b, m.normal), m.normal, from_b);
    const Vec3 tangent = tangent_of(m.normal);
    const Vec3 tangents[2] = {tangent, cross(m.normal, tangent)};

    // what joints hold, and articulations, are solved between passes, all together
    const bool linked = is_link(bodies.flags[a]) || is_link(bodies.flags[b]);
    const bool jointed = linked || bodies.jointed[a] != 0 || bodies.jointed[b] != 0;
    const bool direct = parts.has_direct() && band >= Parts::band_of(parts.swept, 0);
    const bool cold = !jointed && !direct && (m.flags & kManifoldCold) != 0;
    const std::uint32_t stays = direct ? kManifoldRecycled : kManifoldRecycled | kManifoldSame;
    const bool damped = k.soft_step && !jointed && (m.flags & stays) != 0;
    const bool anchored = damped && !cold && !direct;
    row.damped[lane] = damped ? 1.0f : 0.0f;
    row.anchored[lane] = anchored ? 1.0f : 0.0f;
    const bool repeats = cold || (k.residual_target > 0.0f && !jointed && !direct);
    row.repeats[lane] = repeats ? (1 + world) | (cold ? kRepeatsCold : 0) : 0;
    if (repeats) atomic_store(&parts.repeats[parts.of_world[world]], 0u);

    for (std::uint32_t j = 0; j < m.count; ++j) {
      const ManifoldPoint& p = m.points[j];
      RowBlock::Point& to = row.point[j];
      const Vec3 j_a = end_a.angular(cross(p.r_a, m.normal)), j_b = end_b.angular(cross(p.r_b, m.normal));
      put(to.angular_a, lane, j_a);
      put(to.angular_b, lane, j_b);
      to.rest[lane] = k.soft_step && !jointed ? p.rest : 0.0f;
      to.separation[lane] = p.separation - to.rest[lane];
      to.mass[lane] = inverse_or_zero(fma(end_a.movable, dot(j_a, j_a), fma(end_b.movable, dot(j_b, j_b), inv_mass)));
      for (int t = 0; t < 2; ++t) to.place[t][lane] = dot(p.r_a - from_a, tangents[t]);
      to.impulse[lane] = p.impulse;
      to.total[lane] = 0.0f;
    }
    const std::uint32_t room = (rows.bytes - bytes_of_rows(0)) / sizeof(RowBlock::Point);
    for (std::uint32_t j = m.count; j < room; ++j) clear_point(row.point[j], lane);

    put(row.tangent, lane, tangent);
    Vec3 f_a[2], f_b[2];
    for (int t = 0; t < 2; ++t) {
      f_a[t] = end_a.angular(cross(from_a, tangents[t]));
      f_b[t] = end_b.angular(cross(from_b, tangents[t]));
      put(row.friction_a[t], lane, f_a[t]);
      put(row.friction_b[t], lane, f_b[t]);
      row.friction_impulse[t][lane] = dot(m.friction, tangents[t]);
      row.friction_total[t][lane] = 0.0f;
      row.slip[t][lane] = dot(m.slip, tangents[t]);
      row.slip_place[t][lane] = 0.0f;
    }
    const Vec3 n_a = end_a.angular(m.normal), n_b = end_b.angular(m.normal);
    put(row.twist_a, lane, n_a);
    put(row.twist_b, lane, n_b);
    put_friction_block(row, lane, [&](int p, int q) {
      const Vec3 on_a[3] = {f_a[0], f_a[1], n_a}, on_b[3] = {f_b[0], f_b[1], n_b};
      const float shifts = p == q && p < 2 ? inv_mass : 0.0f;
      return fma(end_a.movable, dot(on_a[p], on_a[q]), fma(end_b.movable, dot(on_b[p], on_b[q]), shifts));
    });
    row.twist_impulse[lane] = m.twist;
    if (anchored && dot(m.slip, m.slip) == 0.0f) {
      const Slide<float> slide(row, lane, m.normal, load_of<float>(row, lane, m.count).centre());
      held_slip(k.friction, row, lane, slide, row.slip[0][lane], row.slip[1][lane]);
    }
    Vec3 velocity;
    const Belts belts{materials, axes};
    const bool moves = belts.any() && belts.between(bodies, shapes, shape_a, shape_b, velocity);
    for (int t = 0; t < 2; ++t) row.belt[t][lane] = moves ? dot(velocity, tangents[t]) : kNoBelt;
    if (!rolling) return;

    row.rolling_reach[lane] = mix(params.rolling_mix, mat_a.rolling_friction, mat_b.rolling_friction);
    for (int t = 0; t < 2; ++t) {
      f_a[t] = end_a.angular(tangents[t]);
      f_b[t] = end_b.angular(tangents[t]);
      put(row.rolling_a[t], lane, f_a[t]);
      put(row.rolling_b[t], lane, f_b[t]);
      // what a material no longer resists is no warm start
      row.rolling_impulse[t][lane] = row.rolling_reach[lane] > 0.0f ? dot(m.rolling, tangents[t]) : 0.0f;
    }
    put_inverse(row.rolling_mass, lane, f_a, f_b, 0.0f, end_a.movable, end_b.movable);
  }

 private:
  CAIRN_HD RowEnd end_of(std::uint32_t body) const {
    const std::uint32_t flags = bodies.flags[body];
    if (!is_awake_dynamic(flags)) return {0.0f, 0.0f, {1, 1, 1, 0, 0, 0}};
    return {bodies.inv_mass[body], 1.0f, bodies.inv_sqrt_inertia[body]};
  }

  /// Makes the row slots harmless: no points, both ends the immovable body, and 0 for all that the row functors
  /// multiply with.
  CAIRN_HD void pad(std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t slot = begin; slot < end; ++slot) {
      RowBlock& row = rows[slot / kRowLanes];
      const std::uint32_t lane = slot % kRowLanes;
      row.body_a[lane] = row.body_b[lane] = k.body_count;
      row.count[lane] = row.repeats[lane] = 0;
      float* field = reinterpret_cast<float*>(reinterpret_cast<unsigned char*>(&row) + offsetof(RowBlock, normal));
      const std::size_t fields = (rows.bytes - offsetof(RowBlock, normal)) / sizeof(row.normal[0]);
      for (std::size_t f = 0; f < fields; ++f) field[f * kRowLanes + lane] = 0.0f;
    }
  }

  CAIRN_HD static void put(float (&field)[3][kRowLanes], std::uint32_t lane, Vec3 a) {
    field[0][lane] = a.x;
    field[1][lane] = a.y;
    field[2][lane] = a.z;
  }

  CAIRN_HD static void put_inverse(float (&field)[3][kRowLanes], std::uint32_t lane, const Vec3 (&a)[2],
                                   const Vec3 (&b)[2], float inv_mass, float turn_a, float turn_b) {
    put_block_inverse(field, lane, fma(turn_a, dot(a[0], a[0]), fma(turn_b, dot(b[0], b[0]), inv_mass)),
                      fma(turn_a, dot(a[0], a[1]), turn_b * dot(b[0], b[1])),
                      fma(turn_a, dot(a[1], a[1]), fma(turn_b, dot(b[1], b[1]), inv_mass)));
  }

  CAIRN_HD static void clear_point(RowBlock::Point& p, std::uint32_t lane) {
    put(p.angular_a, lane, Vec3{0, 0, 0});
    put(p.angular_b, lane, Vec3{0, 0, 0});
    p.place[0][lane] = p.place[1][lane] = 0.0f;
    p.separation[lane] = p.rest[lane] = p.mass[lane] = p.impulse[lane] = p.total[lane] = 0.0f;
  }
};

}  // namespace cairn::kernels
