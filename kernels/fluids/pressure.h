#pragma once

#include "kernels/fluids/image.h"

namespace cairn::kernels {

/// Writes v and v1 and the multiplier of particle i, and the push of its walls. One thread per particle.
struct FluidPressure {
  FluidPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    const FluidPlace& own = at.place[i];
    const FluidLaw& law = pass.fluids.laws[at.law[i]];
    const FluidImages mirror{pass.fluids};
    const bool walls = own.change != 0.0f && mirror.has(i);
    // [N s/m^2] impulse by a change of a multiplier, over the vector to the image
    const auto along = [&](float change, const FluidImage& image) {
      const float r = sqrt(image.square);
      return change * image.weight * (spline_slope(r * law.inv_spacing) * law.inv_spacing) / r;
    };
    // each image pushes the wall of i and the corresponding one of j: each particle adds to its own walls
    const auto push = [&](std::uint32_t pair, float scale, Vec3 lean) {
      Vec3& to = pass.fluids.walls.push[pair];
      to = fma(scale, lean, to);
    };
    for (std::uint32_t n = at.wall_begin[i]; n < at.wall_begin[i + 1]; ++n) {
      pass.fluids.walls.push[pass.fluids.walls.order[n]] = Vec3{0, 0, 0};
    }
    Vec3 impulse{0, 0, 0};
    for (std::uint32_t n = at.neighbour_begin[i]; n < at.neighbour_begin[i + 1]; ++n) {
      const std::uint32_t j = pass.fluids.neighbours[n];
      const FluidPlace& other = at.place[j];
      if (own.change == 0.0f && other.change == 0.0f) continue;
      const Vec3 e = FluidPass::between(own, other);
      const float r = length(e), q = r * law.inv_spacing;
      if (!(q < kFluidReach) || !(r > 0.0f)) continue;
      impulse = impulse + ((own.change + other.change) * (spline_slope(q) * law.inv_spacing) / r) * e;
      if (walls) {
        mirror.images(i, j, e, [&](const FluidImage& image, const LeaningWalls& through) {
          const float scale = along(own.change, image);
          impulse = fma(scale, image.from, impulse);
          for (std::uint32_t k = 0; k < through.count; ++k) push(through.own[k], scale, through.own_lean[k]);
        });
      }
      if (other.change != 0.0f && mirror.has(j)) {
        mirror.images(j, i, -e, [&](const FluidImage& image, const LeaningWalls& through) {
          const float scale = along(other.change, image);
          impulse = fma(-scale, image.by_other, impulse);
          for (std::uint32_t k = 0; k < through.count; ++k) push(through.theirs[k], scale, through.their_lean[k]);
        });
      }
    }
    if (walls) {
      mirror.images(i, i, Vec3{0, 0, 0}, [&](const FluidImage& image, const LeaningWalls& through) {
        const float scale = along(own.change, image);
        impulse = fma(scale, image.from - image.by_other, impulse);
        for (std::uint32_t k = 0; k < through.count; ++k) {
          push(through.own[k], scale, through.own_lean[k] + through.their_lean[k]);
        }
      });
      mirror.each(i, [&](const FluidMirror& wall) {
        const float change = own.change * own_image(wall, law).slope;
        impulse = fma(-change, wall.normal, impulse);
        push(wall.pair, change, wall.normal);
      });
    }
    at.multiplier[i] = at.multiplier[i] + own.change;
    if (!(own.inv_mass > 0.0f)) return;
    const std::uint32_t body = at.body[i];
    pass.bodies.solve[body].v = fma(own.inv_mass, impulse, pass.bodies.solve[body].v);
    pass.bodies.v1[body] = fma(own.inv_mass, impulse, pass.bodies.v1[body]);
  }
};

}  // namespace cairn::kernels
