#pragma once

#include "kernels/common/hertz.h"
#include "kernels/prepare/prepare.h"

namespace cairn::kernels {

/// [1] Lower bound of the coefficient of restitution for damping: that of 0 would be infinite.
inline constexpr float kMinRestitution = 0.05f;

/// alpha(e) of the damping c = alpha sqrt(m* K) depth^1/4 of a Hertzian contact F = K depth^3/2 + c vn >= 0, which ends
/// where F does. The law is from Tsuji, Tanaka and Ishida 1992; the end from Schwager and Poeschel 2007, so that no
/// contact ever pulls. Then e depends on alpha alone. The inverse is our fit to the integrated equation of motion:
/// within 6e-5 of alpha for e of 0.03 to 1.
CAIRN_HD float restitution_damping(float e) {
  e = clamp(e, kMinRestitution, 1.0f);
  const float s = sqrt(e);
  float p = fma(0.1990087f, s, -0.6894640f);
  p = fma(p, s, 0.8880218f);
  p = fma(p, s, -0.3651372f);
  p = fma(p, s, -0.4564336f);
  p = fma(p, s, 1.1358097f);
  return ((1.0f - e) / s) * p;
}

/// Data of a row of `hertz_mindlin` beside Prepare's: 1/E* and 1/G* are the sums of (1 - nu^2) / E and (2 - nu) / G,
/// 1/R* that of 1/R of spheres (Johnson 1985, 4.2 and 7.2); m* that of the bodies. The separation is computed again, in
/// double from positions as float pairs: depths are 1e-4 of a radius and less, beyond a float's digits. All shapes
/// except spheres are flat. Writes the rows' lane of the block, separation, friction and rolling impulses; the last row
/// of a colour also the lanes up to the next. One thread per row, in row_order, after Prepare.
struct PrepareHertz {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Pairs pairs;
  PairWork work;
  const ContactMaterial* materials;
  Rows rows;
  HertzBlock* blocks;
  Parts parts;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t band = band_of(work.sorted_row_key[i]);
    const std::uint32_t slot = row_slot(work, parts, i);
    if (i + 1 == parts.color_begin[band + 1]) pad(slot + 1, parts.color_row[band + 1]);
    const std::uint32_t pair = work.row_order[i];
    const Manifold& m = pairs.manifold[pair];
    RowBlock& row = rows[slot / kRowLanes];
    HertzBlock& to = blocks[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    const std::uint32_t shape_a = pairs.shape_a(pair), shape_b = pairs.shape_b[pair];
    const std::uint32_t a = row.body_a[lane], b = row.body_b[lane];
    const ShapeGeometry& ga = shapes.geometry[shape_a];
    const ShapeGeometry& gb = shapes.geometry[shape_b];
    const bool round_a = ga.kind == ShapeKind::kSphere, round_b = gb.kind == ShapeKind::kSphere;

    const ContactMaterial mat_a = materials[shapes.material[shape_a]], mat_b = materials[shapes.material[shape_b]];
    const float ra = round_a ? ga.size.x : 0.0f, rb = round_b ? gb.size.x : 0.0f;
    // a flat side leaves the other's radius as it is
    const float radius = round_a && round_b ? (ra * rb) / (ra + rb) : ra + rb;
    const float mass = inverse_or_zero(inv_mass_of(a) + inv_mass_of(b));
    const float normal = inverse_or_zero(mat_a.compliance + mat_b.compliance) * sqrt(radius) * (4.0f / 3.0f);
    const float shear = inverse_or_zero(mat_a.shear_compliance + mat_b.shear_compliance) * sqrt(radius) * 8.0f;
    const float damping = restitution_damping(row.restitution[lane]);
    to.stiffness[lane] = normal;
    to.shear[lane] = shear;
    to.rolling[lane] = shear * (radius * radius);
    to.damping[lane] = damping * sqrt(mass * normal);
    // the same share of critical damping: alpha^2 m* K depth^1/2 is alpha^2 m* (2/3) dF/ddepth
    to.shear_damping[lane] = damping * sqrt((2.0f / 3.0f) * (mass * shear));
    to.rolling_damping[lane] = to.shear_damping[lane] * (radius * radius);
    to.radius_a[lane] = ra;
    to.radius_b[lane] = rb;

    const Vec3 n = m.normal, t0 = load3<float>(row.tangent, lane), t1 = cross(n, t0);
    const Vec3d c_a = centre_of(a, ga), c_b = centre_of(b, gb);
    const Vec3d between = (widen(bodies.x[b]) - widen(bodies.x[a])) + (widen(bodies.x_low[b]) - widen(bodies.x_low[a]));
    const double distance = length(between + c_b - c_a);
    const bool apart = round_a && round_b && distance > 1e-3 * (double{ra} + double{rb});
    to.curvature[lane] = apart ? static_cast<float>(1.0 / distance) : 0.0f;
    row.point[0].separation[lane] = separation(m, ga, gb, a, b, between, c_a, c_b);
    store3(to.centre_a, lane, in_frame(round_a ? narrow(c_a) : m.points[0].r_a, n, t0, t1));
    store3(to.centre_b, lane, in_frame(round_b ? narrow(c_b) : m.points[0].r_b, n, t0, t1));
    store3(to.spring, lane, in_frame(m.friction, n, t0, t1));
    store3(to.roll, lane, in_frame(m.rolling, n, t0, t1));
  }

 private:
  CAIRN_HD float inv_mass_of(std::uint32_t body) const {
    return is_awake_dynamic(bodies.flags[body]) ? bodies.inv_mass[body] : 0.0f;
  }
  CAIRN_HD Quatd orientation(std::uint32_t body) const {
    return keeps_q1(bodies, body) ? bodies.q1[body] : widen(bodies.q[body]);
  }
  /// [m] From the centre of mass to the shape's origin.
  CAIRN_HD Vec3d centre_of(std::uint32_t body, const ShapeGeometry& g) const {
    if (g.position == Vec3{0, 0, 0}) return {0, 0, 0};
    return rotate(orientation(body), widen(g.position));
  }

  CAIRN_HD float separation(const Manifold& m, const ShapeGeometry& ga, const ShapeGeometry& gb, std::uint32_t a,
                            std::uint32_t b, Vec3d between, Vec3d c_a, Vec3d c_b) const {
    const bool round_a = ga.kind == ShapeKind::kSphere, round_b = gb.kind == ShapeKind::kSphere;
    const Vec3d offset = between + c_b - c_a;
    if (round_a && round_b) return static_cast<float>(length(offset) - (double{ga.size.x} + double{gb.size.x}));
    const float known = m.points[0].separation;
    // collide computed it from an anchor, in double
    if ((m.flags & kManifoldFar) != 0) return known;
    const ShapeGeometry& flat = round_a ? gb : ga;
    const Vec3d outwards = (round_a ? -1.0 : 1.0) * widen(m.normal), to_sphere = round_a ? -offset : offset;
    const double radius = round_a ? ga.size.x : gb.size.x;
    if (flat.kind == ShapeKind::kPlane) {
      return static_cast<float>(dot(outwards, to_sphere) / length(outwards) - radius);
    }
    if (flat.kind == ShapeKind::kBox) {
      const Quatd q = orientation(round_a ? b : a) * widen(flat.orientation);
      const Vec3d p = rotate_inverse(q, to_sphere), h = widen(flat.size);
      const Vec3d out{p.x - clamp(p.x, -h.x, h.x), p.y - clamp(p.y, -h.y, h.y), p.z - clamp(p.z, -h.z, h.z)};
      const double distance = length(out);
      if (distance > 1e-3 * radius) return static_cast<float>(distance - radius);
    }
    // the offset in collide was rounded to floats
    if ((m.flags & kManifoldFresh) == 0) return known;
    return static_cast<float>(known + dot(widen(m.normal), between - widen(m.offset)));
  }

  CAIRN_HD void pad(std::uint32_t begin, std::uint32_t end) const {
    constexpr std::size_t kFields = sizeof(HertzBlock) / sizeof(HertzBlock::stiffness);
    for (std::uint32_t slot = begin; slot < end; ++slot) {
      float* field = reinterpret_cast<float*>(&blocks[slot / kRowLanes]);
      for (std::size_t f = 0; f < kFields; ++f) field[f * kRowLanes + slot % kRowLanes] = 0.0f;
    }
  }
};

}  // namespace cairn::kernels
