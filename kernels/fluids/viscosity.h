#pragma once
// Viscosity and surface tension: forces between particles of fluids.

#include "kernels/fluids/fluid_pass.h"

namespace cairn::kernels {

/// Viscosity, along the line between two, so that angular momentum is conserved (Monaghan 2005, eq. 8.8): with e from i
/// to j
///   J = c (v_ij . e) e, c = 10 h mu V^2 |W'| / (r (r^2 + 0.04 s^2)),
/// split over the sweeps of a substep, and of each the share 1 / (1 + (d_i + d_j) / 4) is done, d_i = sum_j c r^2 /
/// m_i: so all impulses at once never reverse velocities, for any viscosity.
/// Surface tension as a force between two (Tartakovsky and Panchenko 2016): F = A c(r / 2s) towards each other, with
///   c(q) = q (1 - q)^2 (q - 1/2),
/// which pulls beyond a spacing and pushes below. The fourth moment of c gives the tension of a surface (Kirkwood and
/// Buff 1949, with no order among the particles): sigma = (pi / 8 V^2) A (2s)^5 integral q^4 c, hence A =
/// FluidLaw::cohesion = sigma s / (4 pi integral). The third is a pull inside, 3.2 sigma / s, which pressure carries.
/// With a third moment of 0 (5/8 for 1/2) drops froze in their shape.
struct ViscosityPass {
  FluidPass pass;
  float part;  ///< [1] of the substep's viscosity
  float pull;  ///< [1] of its surface tension

  /// [kg/m^2] c of two particles.
  CAIRN_HD float drag_of(const FluidLaw& a, const FluidLaw& b, float r) const {
    const float s = a.spacing, q = r * a.inv_spacing;
    const float mu = 0.5f * (a.viscosity + b.viscosity);
    return 10.0f * (part * pass.k.h) * mu * (s * s) * -spline_slope(q) / (r * fma(r, r, 0.04f * s * s));
  }
};

/// [1] Integral of q^4 c(q) from 0 to 1.
inline constexpr double kCohesionMoment = 1.0 / 1008.0;
/// [1] Of d, see above.
inline constexpr float kViscosityBound = 0.25f;

/// Writes drag of particle i. One thread per particle.
struct ViscosityDrag {
  ViscosityPass viscosity;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Fluids& fluids = viscosity.pass.fluids;
    const FluidParticles& at = fluids.at;
    const FluidPlace& own = at.place[i];
    const FluidLaw& law = fluids.laws[at.law[i]];
    float sum = 0.0f;
    for (std::uint32_t n = at.neighbour_begin[i]; n < at.neighbour_begin[i + 1]; ++n) {
      const std::uint32_t j = fluids.neighbours[n];
      const Vec3 e = FluidPass::between(own, at.place[j]);
      const float r = length(e);
      if (!(r * law.inv_spacing < 2.0f) || !(r > 0.0f)) continue;
      sum = fma(viscosity.drag_of(law, fluids.laws[at.law[j]], r), r * r, sum);
    }
    at.drag[i] = own.inv_mass * sum;
  }
};

/// Writes impulse of particle i. One thread per particle.
struct Viscosity {
  ViscosityPass viscosity;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidPass& pass = viscosity.pass;
    const FluidParticles& at = pass.fluids.at;
    const FluidPlace& own = at.place[i];
    const FluidLaw& law = pass.fluids.laws[at.law[i]];
    const Vec3 v = pass.bodies.solve[at.body[i]].v;
    Vec3 impulse{0, 0, 0};
    for (std::uint32_t n = at.neighbour_begin[i]; n < at.neighbour_begin[i + 1]; ++n) {
      const std::uint32_t j = pass.fluids.neighbours[n];
      const FluidLaw& theirs = pass.fluids.laws[at.law[j]];
      const Vec3 e = FluidPass::between(own, at.place[j]);
      const float r = length(e);
      if (!(r * law.inv_spacing < 2.0f) || !(r > 0.0f)) continue;
      const float closing = dot(pass.bodies.solve[at.body[j]].v - v, e);
      const float drag = viscosity.drag_of(law, theirs, r) / fma(kViscosityBound, at.drag[i] + at.drag[j], 1.0f);
      // between two fluids the weaker cohesion counts
      const float q = 0.5f * r * law.inv_spacing, a = 1.0f - q;
      const float pull = viscosity.pull * pass.k.h * min(law.cohesion, theirs.cohesion) * (q * (a * a)) * (q - 0.5f);
      impulse = impulse + fma(drag, closing, pull / r) * e;
    }
    at.impulse[i] = impulse;
  }
};

/// Writes v and v1 of particle i. One thread per particle.
struct TakeViscosity {
  ViscosityPass viscosity;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = viscosity.pass.fluids.at;
    const float inv_mass = at.place[i].inv_mass;
    if (!(inv_mass > 0.0f)) return;
    const std::uint32_t body = at.body[i];
    const Bodies& bodies = viscosity.pass.bodies;
    bodies.solve[body].v = fma(inv_mass, at.impulse[i], bodies.solve[body].v);
    bodies.v1[body] = fma(inv_mass, at.impulse[i], bodies.v1[body]);
  }
};

}  // namespace cairn::kernels
