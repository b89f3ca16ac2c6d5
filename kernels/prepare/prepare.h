#pragma once

#include "kernels/color/row_order.h"

namespace cairn::kernels {

CAIRN_HD float mix(MixRule rule, float a, float b) {
  switch (rule) {
    case MixRule::kGeometricMean: return sqrt(a * b);
    case MixRule::kMin: return min(a, b);
    case MixRule::kMax: return max(a, b);
    case MixRule::kProduct: return a * b;
  }
  return 0.0f;
}

/// 1 / a, or 0 where there is nothing to push.
CAIRN_HD float inverse_or_zero(float a) { return a > 0.0f ? 1.0f / a : 0.0f; }

/// Inverse of the 2x2 matrix of a block of two rows; zero where it has none.
CAIRN_HD void put_block_inverse(float (&field)[3][kRowLanes], std::uint32_t lane, float xx, float xy, float yy) {
  // scaled to 1, so that the determinant of very light or heavy bodies stays in the float's range
  const float scale = inverse_or_zero(max(xx, yy));
  xx *= scale;
  yy *= scale;
  xy *= scale;
  const float inv_det = scale * inverse_or_zero(fma(xx, yy, -(xy * xy)));
  field[0][lane] = yy * inv_det;
  field[1][lane] = -xy * inv_det;
  field[2][lane] = xx * inv_det;
}

/// One end of a row: inverse mass, and I^-1/2 where the body turns by impulses (an identity where it doesn't).
struct RowEnd {
  float inv_mass;  ///< [1/kg] 0 where nothing may push it
  float turnable;  ///< [1] 1 where impulses turn it, else 0
  Sym3 scale;

  CAIRN_HD Vec3 angular(Vec3 a) const { return turnable > 0.0f ? scale * a : a; }
};

/// Turns manifolds into rows of their colour. Normal row j: J = (-n, -r_a x n, n, r_b x n), angular parts premultiplied
/// by I^-1/2; effective mass 1 / (1/m_a + 1/m_b + |j_a|^2 + |j_b|^2). Friction is a 2x2 block at the weighted contact
/// centre; twist one row about n; rolling a 2x2 block of tangential turning.
/// Writes the row's lane; the last row of a colour also the lanes up to the next colour. One thread per row, in
/// row_order.
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
    row.count[lane] = m.count;
    put(row.normal, lane, m.normal);

    const ContactMaterial mat_a = materials[shapes.material[shape_a]],
                          mat_b = materials[shapes.material[shape_b]];
    const std::uint32_t world = bodies.world[a];
    const WorldParams params = worlds.params[world];
    row.mu[lane] = mix(params.friction_mix, mat_a.friction, mat_b.friction);
    row.bounce_speed[lane] = max(params.restitution_threshold, k.falls * k.h * length(worlds.gravity[world]));
    row.restitution[lane] = mix(params.restitution_mix, mat_a.restitution, mat_b.restitution);

    // the friction centre: overlapping points count in full, points ahead of contact less the farther they are
    const float reach = max(min(bodies.radius[a], bodies.radius[b]) * params.recycle_tolerance, 1e-9f);
    Vec3 centre_a{0, 0, 0}, centre_b{0, 0, 0};
    float weights = 0.0f;
    for (std::uint32_t j = 0; j < m.count; ++j) {
      const ManifoldPoint& p = m.points[j];
      const float weight = clamp(1.0f - p.separation / reach, 0.01f, 1.0f);
      centre_a = fma(weight, p.r_a, centre_a);
      centre_b = fma(weight, p.r_b, centre_b);
      weights += weight;
    }
    centre_a = (1.0f / weights) * centre_a;
    centre_b = (1.0f / weights) * centre_b;

    for (std::uint32_t j = 0; j < m.count; ++j) {
      const ManifoldPoint& p = m.points[j];
      RowBlock::Point& to = row.point[j];
      const Vec3 j_a = end_a.angular(cross(p.r_a, m.normal)), j_b = end_b.angular(cross(p.r_b, m.normal));
      put(to.angular_a, lane, j_a);
      put(to.angular_b, lane, j_b);
      to.separation[lane] = p.separation;
      to.mass[lane] = inverse_or_zero(fma(end_a.turnable, dot(j_a, j_a), fma(end_b.turnable, dot(j_b, j_b), inv_mass)));
      const Vec3 arm = p.r_a - centre_a;
      to.lever[lane] = length(arm - dot(arm, m.normal) * m.normal);
      to.impulse[lane] = p.impulse;
      to.total[lane] = 0.0f;
      to.approach[lane] = 0.0f;
    }
    const std::uint32_t room = (rows.bytes - bytes_of_rows(0)) / sizeof(RowBlock::Point);
    for (std::uint32_t j = m.count; j < room; ++j) clear_point(row.point[j], lane);

    const Vec3 tangent = tangent_of(m.normal);
    const Vec3 tangents[2] = {tangent, cross(m.normal, tangent)};
    put(row.tangent, lane, tangent);
    Vec3 f_a[2], f_b[2];
    for (int t = 0; t < 2; ++t) {
      f_a[t] = end_a.angular(cross(centre_a, tangents[t]));
      f_b[t] = end_b.angular(cross(centre_b, tangents[t]));
      put(row.friction_a[t], lane, f_a[t]);
      put(row.friction_b[t], lane, f_b[t]);
      row.friction_impulse[t][lane] = dot(m.friction, tangents[t]);
      row.friction_total[t][lane] = 0.0f;
      row.slip[t][lane] = dot(m.slip, tangents[t]);
    }
    put_inverse(row.friction_mass, lane, f_a, f_b, inv_mass, end_a.turnable, end_b.turnable);
    const Vec3 n_a = end_a.angular(m.normal), n_b = end_b.angular(m.normal);
    put(row.twist_a, lane, n_a);
    put(row.twist_b, lane, n_b);
    row.twist_mass[lane] = inverse_or_zero(fma(end_a.turnable, dot(n_a, n_a), end_b.turnable * dot(n_b, n_b)));
    row.twist_impulse[lane] = m.twist;
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
    put_inverse(row.rolling_mass, lane, f_a, f_b, 0.0f, end_a.turnable, end_b.turnable);
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
      row.count[lane] = 0;
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
    p.separation[lane] = p.mass[lane] = p.lever[lane] = p.impulse[lane] = p.total[lane] = p.approach[lane] = 0.0f;
  }
};

}  // namespace cairn::kernels
