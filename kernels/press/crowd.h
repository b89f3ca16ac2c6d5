#pragma once
// How crowded particles are, and what that wants.

#include "kernels/press/press.h"

namespace cairn::kernels {

/// Writes crowding and the change of the multiplier of particle i, and share and slope of its walls. One thread per
/// particle.
struct PressCrowd {
  PressPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    FluidPlace& own = at.place[i];
    const FluidLaw& law = pass.fluids.laws[at.law[i]];
    float crowding = kInvPi, w = 0.0f;
    Vec3 gradient{0, 0, 0};
    for (std::uint32_t n = at.near_begin[i]; n < at.near_begin[i + 1]; ++n) {
      const FluidPlace& other = at.place[pass.fluids.near[n]];
      const Vec3 e = PressPass::between(own, other);
      const float r = length(e), q = r * law.inv_spacing;
      if (!(q < 2.0f) || !(r > 0.0f)) continue;
      crowding += spline(q);
      const float slope = spline_slope(q) * law.inv_spacing;
      gradient = fma(-slope / r, e, gradient);
      w = fma(other.inv_mass, slope * slope, w);
    }
    crowding += walls(i, own, law, gradient, w);
    at.crowding[i] = crowding;
    w = fma(own.inv_mass, fma(kPressSoftness * law.inv_spacing, law.inv_spacing, dot(gradient, gradient)), w);
    if (!(w > 0.0f)) return;
    const float wanted = kPressShare * min(crowding - 1.0f, kMostCrowding) * pass.k.inv_h / w;
    own.change = max(at.multiplier[i] + wanted, 0.0f) - at.multiplier[i];
  }

 private:
  /// What solids add, each of what those before it leave: of two at right angles a share of what the other has, of two
  /// that look the same way nothing. A flat floor may be made of many pieces.
  CAIRN_HD float walls(std::uint32_t i, const FluidPlace& own, const FluidLaw& law, Vec3& gradient, float& w) const {
    const FluidWalls& of = pass.fluids.walls;
    const std::uint32_t begin = pass.fluids.at.wall_begin[i], end = pass.fluids.at.wall_begin[i + 1];
    if (begin == end) return 0.0f;
    const Vec3 moved = own.y - pass.bodies.x_low[pass.fluids.at.body[i]];
    for (std::uint32_t n = begin; n < end; ++n) {
      const std::uint32_t pair = of.order[n];
      const FluidWall& wall = of.wall[pair];
      const float distance = wall.distance + (dot(wall.normal, moved) - pass.way_of(wall));
      const WallWeight weight = wall_weight(distance * law.inv_spacing);
      of.share[pair] = weight.share;
      of.slope[pair] = weight.slope * law.inv_spacing;
    }
    float sum = 0.0f;
    for (std::uint32_t n = begin; n < end; ++n) {
      const std::uint32_t pair = of.order[n];
      const FluidWall& wall = of.wall[pair];
      float left = 1.0f, turned = 1.0f;
      for (std::uint32_t o = begin; o < end; ++o) {
        if (o == n) continue;
        const float c = dot(wall.normal, of.wall[of.order[o]].normal);
        const float apart = 1.0f - min(of.share[of.order[o]], 1.0f) * (1.0f + min(c, 0.0f));
        if (o < n) {
          left = left * (apart * (1.0f - max(c, 0.0f)));
          turned = turned * (apart * (1.0f - max(c, 0.0f)));
        } else {
          turned = turned * (1.0f - (1.0f - apart) * (1.0f - max(c, 0.0f)));
        }
      }
      sum = fma(left, of.share[pair], sum);
      // the share is read by the others yet; the slope is its own
      const float slope = turned * of.slope[pair];
      of.slope[pair] = slope;
      gradient = fma(slope, wall.normal, gradient);
      w = fma(weight_of(wall), slope * slope, w);
    }
    return sum;
  }

  /// [1/kg] What a push on the solid does there, times the particles that push it: its mass is shared out among them,
  /// since all want their share at once (mass splitting; Tonge, Benevolenski and Voroshilov 2012).
  CAIRN_HD float weight_of(const FluidWall& wall) const {
    const BodySolve& s = pass.bodies.solve[wall.solid];
    if (!(s.inv_mass > 0.0f)) return 0.0f;
    const std::uint32_t* begin = pass.fluids.solid_begin + wall.solid;
    const Vec3 turn = pass.bodies.inv_sqrt_inertia[wall.solid] * cross(wall.arm, wall.normal);
    return static_cast<float>(begin[1] - begin[0]) * (s.inv_mass + dot(turn, turn));
  }
};

}  // namespace cairn::kernels
