#pragma once

#include "cairn/params.h"
#include "kernels/common/state.h"
#include "kernels/press/kernel.h"

namespace cairn::kernels {

/// What the functors of the stage share.
///
/// Position-based fluids (Macklin and Mueller 2013) in velocities: positions at the substep's end are x + h v, so a
/// correction of positions is a change of v (see StrainRow). With m the mass and V = s^3 the volume of a particle and
/// W the spline, its constraint is
///   C_i = sum_j V W(x_i - x_j) + walls - 1 <= 0   (eq. 1, by volumes, so that fluids of any density meet)
/// A sweep takes all at once (Jacobi; eq. 11 and 12, with the multiplier kept over the sweeps of a substep):
///   P_i' = max(P_i + 1/2 (C_i / h) / (g M^-1 g + e), 0),  g the gradient of C_i by all that it hangs on,
///   dv_i = -1/m_i (sum_j (dP_i + dP_j) V grad W + dP_i grad walls).
/// Each sum goes in the order of a list that holds j for i where it holds i for j, and what i does to j is what j does
/// to i with the other sign, to the bit: momentum is kept to rounding. P_i / (h V) is the pressure [Pa]. It starts from
/// 0 in each substep: started from the last one's it winds up with the error of position, which sweeps that aren't many
/// can't take back, and gains energy. Tension of the density is left out (P >= 0): cohesion is kernels/press/rub.h.
struct PressPass {
  StepConstants k;
  Bodies bodies;
  Fluids fluids;

  /// From i to j, at the substep's end. The other way it is the same with the other sign, to the bit.
  CAIRN_HD static Vec3 between(const FluidPlace& i, const FluidPlace& j) { return (j.x - i.x) + (j.y - i.y); }

  /// [m] How far the point of a solid that is nearest moves along the normal by the substep's end.
  CAIRN_HD float way_of(const FluidWall& wall) const {
    const BodySolve& s = bodies.solve[wall.solid];
    Vec3 turn = fma(k.h, s.w, s.dtheta);
    if (s.turnable > 0.0f) turn = bodies.inv_sqrt_inertia[wall.solid] * turn;
    return dot(wall.normal, fma(k.h, s.v, s.dx) + cross(turn, wall.arm));
  }
};

/// Writes place of particle i; in the first sweep of a substep, its multiplier. One thread per particle.
struct PressPlace {
  PressPass pass;
  bool fresh;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    const std::uint32_t body = at.body[i];
    const BodySolve& s = pass.bodies.solve[body];
    at.place[i] = {pass.bodies.x[body], s.inv_mass, fma(pass.k.h, s.v, pass.bodies.x_low[body] + s.dx), 0.0f};
    if (fresh) at.multiplier[i] = 0.0f;
  }
};

/// Writes v and v1 and the multiplier of particle i, and the push of its walls. One thread per particle.
struct PressPush {
  PressPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    const FluidPlace& own = at.place[i];
    const FluidLaw& law = pass.fluids.laws[at.law[i]];
    Vec3 impulse{0, 0, 0};
    for (std::uint32_t n = at.near_begin[i]; n < at.near_begin[i + 1]; ++n) {
      const FluidPlace& other = at.place[pass.fluids.near[n]];
      const float change = own.change + other.change;
      if (change == 0.0f) continue;
      const Vec3 e = PressPass::between(own, other);
      const float r = length(e), q = r * law.inv_spacing;
      if (!(q < 2.0f) || !(r > 0.0f)) continue;
      impulse = impulse + (change * (spline_slope(q) * law.inv_spacing) / r) * e;
    }
    const FluidWalls& of = pass.fluids.walls;
    for (std::uint32_t n = at.wall_begin[i]; n < at.wall_begin[i + 1]; ++n) {
      const std::uint32_t pair = of.order[n];
      const float push = own.change * of.slope[pair];
      of.push[pair] = push;
      impulse = impulse - push * of.wall[pair].normal;
    }
    at.multiplier[i] = at.multiplier[i] + own.change;
    if (!(own.inv_mass > 0.0f)) return;
    const std::uint32_t body = at.body[i];
    pass.bodies.solve[body].v = fma(own.inv_mass, impulse, pass.bodies.solve[body].v);
    pass.bodies.v1[body] = fma(own.inv_mass, impulse, pass.bodies.v1[body]);
  }
};

/// Adds up what particles did to body i, in the order of the pairs. Writes v, v1, w~ and w1 of body i. One thread per
/// body slot.
struct PressSolid {
  PressPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Fluids& fluids = pass.fluids;
    const std::uint32_t begin = fluids.solid_begin[i], end = fluids.solid_begin[i + 1];
    BodySolve& s = pass.bodies.solve[i];
    if (begin == end || !(s.inv_mass > 0.0f)) return;
    Vec3 impulse{0, 0, 0}, moment{0, 0, 0};
    for (std::uint32_t n = begin; n < end; ++n) {
      const std::uint32_t pair = fluids.walls.solid_order[n];
      const Vec3 push = fluids.walls.push[pair] * fluids.walls.wall[pair].normal;
      impulse = impulse + push;
      moment = moment + cross(fluids.walls.wall[pair].arm, push);
    }
    const Vec3 turn = pass.bodies.inv_sqrt_inertia[i] * moment;
    s.v = fma(s.inv_mass, impulse, s.v);
    s.w = s.w + turn;
    pass.bodies.v1[i] = fma(s.inv_mass, impulse, pass.bodies.v1[i]);
    pass.bodies.w1[i] = pass.bodies.w1[i] + turn;
  }
};

}  // namespace cairn::kernels
