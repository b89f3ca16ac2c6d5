#pragma once

#include "cairn/params.h"
#include "kernels/common/state.h"
#include "kernels/fluids/kernel.h"

namespace cairn::kernels {

/// Data that the functors of the stage share.
///
/// Position-based fluids (Macklin and Mueller 2013) in velocities: positions at the substep's end are x + h v, so a
/// correction of positions is a change of v (see ConstraintRow). With m the mass and V = s^3 the volume of a particle
/// and W the spline, its constraint is
///   C_i = sum_j V W(x_i - x_j) - 1 <= 0   (eq. 1, by volumes, so that fluids of any density meet),
/// where images in solids are among the j (kernels/fluids/image.h).
/// A sweep takes all at once (Jacobi; eq. 11 and 12, with the multiplier kept over the sweeps of a substep):
///   P_i' = max(P_i + 1/2 (C_i / h) / (g M^-1 g + e), 0), g the gradient of C_i by all that it depends on,
///   dv_i = -1/m_i (dP_i grad_i C_i + sum_j dP_j grad_i C_j).
/// Each sum is in the order of a list that has j for i where it has i for j. Away from solids the effect of i on j is
/// exactly that of j on i with the other sign: momentum is conserved to rounding. P_i / (h V) is the pressure [Pa]. It
/// starts from 0 in each substep. Kept from the last one it would wind up with the error of position, which a few
/// sweeps can't correct, and gain energy. Tension of the density is left out (P >= 0): cohesion is
/// kernels/fluids/viscosity.h.
struct FluidPass {
  StepConstants k;
  Bodies bodies;
  Fluids fluids;

  /// From i to j, at the substep's end. From j to i it is exactly the same with the other sign.
  CAIRN_HD static Vec3 between(const FluidPlace& i, const FluidPlace& j) { return (j.x - i.x) + (j.y - i.y); }

  /// [m] Motion along the normal of the nearest point of a solid by the substep's end.
  CAIRN_HD float way_of(const FluidWall& wall) const {
    const BodySolve& s = bodies.solve[wall.solid];
    Vec3 turn = fma(k.h, s.w, s.dtheta);
    if (s.movable > 0.0f) turn = bodies.inv_sqrt_inertia[wall.solid] * turn;
    return dot(wall.normal, fma(k.h, s.v, s.dx) + cross(turn, wall.arm));
  }
};

/// Writes place and mirrors of particle i, and mirror and lean of its walls; in the first sweep of a substep, its
/// multiplier. One thread per particle.
struct PlaceFluid {
  FluidPass pass;
  bool fresh;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    const std::uint32_t body = at.body[i];
    const BodySolve& s = pass.bodies.solve[body];
    at.place[i] = {pass.bodies.x[body], s.inv_mass, fma(pass.k.h, s.v, pass.bodies.x_low[body] + s.dx), 0.0f};
    if (fresh) at.multiplier[i] = 0.0f;
    find_mirrors(i, fma(pass.k.h, s.v, s.dx));
  }

 private:
  CAIRN_HD void find_mirrors(std::uint32_t i, Vec3 moved) const {
    const FluidParticles& at = pass.fluids.at;
    const FluidWalls& of = pass.fluids.walls;
    const float farthest = kWallReach * pass.fluids.laws[at.law[i]].spacing;
    const std::uint32_t begin = at.wall_begin[i];
    std::uint32_t end = begin;
    for (std::uint32_t n = begin; n < at.wall_begin[i + 1]; ++n) {
      const std::uint32_t pair = of.order[n];
      of.lean[pair] = Vec3{0, 0, 0};
      const FluidWall& wall = of.wall[pair];
      const float gap = wall.distance + (dot(wall.normal, moved) - pass.way_of(wall));
      if (gap < farthest) of.mirror[end++] = {wall.normal, max(gap, 0.0f), 0.0f, pair};
    }
    for (std::uint32_t n = begin; n < end; ++n) of.mirror[n].share = share(n, begin, end);
    at.mirrors[i] = end - begin;
  }

  /// Weight of a mirror. A flat floor may have many pieces: of those with the same normal only the nearest is a mirror.
  CAIRN_HD float share(std::uint32_t own, std::uint32_t begin, std::uint32_t end) const {
    const FluidMirror* mirror = pass.fluids.walls.mirror;
    const float gap = mirror[own].gap;
    float left = 1.0f;
    for (std::uint32_t n = begin; n < end; ++n) {
      if (n == own || mirror[n].gap > gap || (mirror[n].gap == gap && n > own)) continue;
      left = left * (1.0f - max(dot(mirror[own].normal, mirror[n].normal), 0.0f));
    }
    return max(left, 0.0f);
  }
};

/// Adds the pushes of particles to body i, in the order of the pairs. Writes v, v1, w~ and w1 of body i. One thread per
/// body slot.
struct PushSolid {
  FluidPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Fluids& fluids = pass.fluids;
    const std::uint32_t begin = fluids.solid_begin[i], end = fluids.solid_begin[i + 1];
    BodySolve& s = pass.bodies.solve[i];
    if (begin == end || !(s.inv_mass > 0.0f)) return;
    Vec3 impulse{0, 0, 0}, moment{0, 0, 0};
    for (std::uint32_t n = begin; n < end; ++n) {
      const std::uint32_t pair = fluids.walls.solid_order[n];
      const Vec3 push = fluids.walls.push[pair];
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
