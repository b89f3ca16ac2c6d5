#pragma once

#include "kernels/press/mirror.h"

namespace cairn::kernels {

/// Writes v and v1 and the multiplier of particle i, and the push of its walls. One thread per particle.
struct PressPush {
  PressPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    const FluidPlace& own = at.place[i];
    const FluidLaw& law = pass.fluids.laws[at.law[i]];
    const PressMirror mirror{pass.fluids};
    const bool walls = own.change != 0.0f && mirror.has(i);
    // [N s/m^2] of what a change of a multiplier does, times the vector to the image
    const auto along = [&](float change, const FluidImage& image) {
      const float r = sqrt(image.square);
      return change * image.weight * (spline_slope(r * law.inv_spacing) * law.inv_spacing) / r;
    };
    Vec3 impulse{0, 0, 0};
    for (std::uint32_t n = at.near_begin[i]; n < at.near_begin[i + 1]; ++n) {
      const std::uint32_t j = pass.fluids.near[n];
      const FluidPlace& other = at.place[j];
      if (own.change == 0.0f && other.change == 0.0f) continue;
      const Vec3 e = PressPass::between(own, other);
      const float r = length(e), q = r * law.inv_spacing;
      if (!(q < kFluidReach) || !(r > 0.0f)) continue;
      impulse = impulse + ((own.change + other.change) * (spline_slope(q) * law.inv_spacing) / r) * e;
      if (walls) {
        mirror.images(i, j, e, [&](const FluidImage& image, const LeaningWalls&) {
          impulse = fma(along(own.change, image), image.from, impulse);
        });
      }
      if (other.change != 0.0f && mirror.has(j)) {
        mirror.images(j, i, -e, [&](const FluidImage& image, const LeaningWalls&) {
          impulse = fma(-along(other.change, image), image.by_other, impulse);
        });
      }
    }
    if (walls) {
      mirror.images(i, i, Vec3{0, 0, 0}, [&](const FluidImage& image, const LeaningWalls&) {
        impulse = fma(along(own.change, image), image.from - image.by_other, impulse);
      });
    }
    mirror.each(i, [&](const FluidMirror& wall) {
      impulse = fma(-own.change * own_image(wall, law).slope, wall.normal, impulse);
    });
    const FluidWalls& of = pass.fluids.walls;
    for (std::uint32_t n = at.wall_begin[i]; n < at.wall_begin[i + 1]; ++n) {
      of.push[of.order[n]] = own.change * of.lean[of.order[n]];
    }
    at.multiplier[i] = at.multiplier[i] + own.change;
    if (!(own.inv_mass > 0.0f)) return;
    const std::uint32_t body = at.body[i];
    pass.bodies.solve[body].v = fma(own.inv_mass, impulse, pass.bodies.solve[body].v);
    pass.bodies.v1[body] = fma(own.inv_mass, impulse, pass.bodies.v1[body]);
  }
};

}  // namespace cairn::kernels
