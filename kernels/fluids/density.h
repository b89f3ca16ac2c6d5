#pragma once
// Fluid density, and the change of multipliers that it needs.

#include "kernels/fluids/image.h"

namespace cairn::kernels {

/// Writes density_ratio and the change of the multiplier of particle i, and lean of its walls. One thread per particle.
struct FluidDensity {
  FluidPass pass;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const FluidParticles& at = pass.fluids.at;
    FluidPlace& own = at.place[i];
    const FluidLaw& law = pass.fluids.laws[at.law[i]];
    const FluidImages mirror{pass.fluids};
    const bool walls = mirror.has(i);
    float density_ratio = kInvPi, w = 0.0f;
    Vec3 gradient{0, 0, 0}, by_other{0, 0, 0};
    const auto add = [&](const FluidImage& image, const LeaningWalls& through) {
      const float r = sqrt(image.square), q = r * law.inv_spacing;
      density_ratio = fma(image.weight, spline(q), density_ratio);
      const float slope = image.weight * (spline_slope(q) * law.inv_spacing) / r;
      gradient = fma(-slope, image.from, gradient);
      by_other = fma(slope, image.by_other, by_other);
      for (std::uint32_t k = 0; k < through.count; ++k) {
        Vec3& lean = pass.fluids.walls.lean[through.own[k]];
        lean = fma(slope, through.own_lean[k] + through.their_lean[k], lean);
      }
    };
    for (std::uint32_t n = at.neighbour_begin[i]; n < at.neighbour_begin[i + 1]; ++n) {
      const std::uint32_t j = pass.fluids.neighbours[n];
      const FluidPlace& other = at.place[j];
      const Vec3 e = FluidPass::between(own, other);
      const float r = length(e), q = r * law.inv_spacing;
      if (!(q < kFluidReach) || !(r > 0.0f)) continue;
      density_ratio += spline(q);
      const float slope = spline_slope(q) * law.inv_spacing;
      gradient = fma(-slope / r, e, gradient);
      if (!walls) {
        w = fma(other.inv_mass, slope * slope, w);
        continue;
      }
      by_other = (slope / r) * e;
      mirror.images(i, j, e, add);
      w = fma(other.inv_mass, dot(by_other, by_other), w);
    }
    if (walls) {
      by_other = Vec3{0, 0, 0};
      mirror.images(i, i, Vec3{0, 0, 0}, add);
      gradient = gradient + by_other;
      mirror.each(i, [&](const FluidMirror& wall) {
        const WallWeight weight = own_image(wall, law);
        density_ratio += weight.share;
        gradient = fma(weight.slope, wall.normal, gradient);
        Vec3& lean = pass.fluids.walls.lean[wall.pair];
        lean = fma(weight.slope, wall.normal, lean);
        w = w + weight_of(pass.fluids.walls.wall[wall.pair], lean);
      });
    }
    at.density_ratio[i] = density_ratio;
    w = fma(own.inv_mass, fma(kFluidSoftness * law.inv_spacing, law.inv_spacing, dot(gradient, gradient)), w);
    if (!(w > 0.0f)) return;
    const float wanted = kFluidShare * min(density_ratio - 1.0f, kMaxDensityRatio) * pass.k.inv_h / w;
    own.change = max(at.multiplier[i] + wanted, 0.0f) - at.multiplier[i];
  }

 private:
  /// [1/(kg m^2)] Inverse effective mass of the solid along `lean`, times the count of particles that push it: they
  /// push at once, so each has a share of its mass (mass splitting; Tonge, Benevolenski and Voroshilov 2012).
  CAIRN_HD float weight_of(const FluidWall& wall, Vec3 lean) const {
    const BodySolve& s = pass.bodies.solve[wall.solid];
    if (!(s.inv_mass > 0.0f)) return 0.0f;
    const std::uint32_t* begin = pass.fluids.solid_begin + wall.solid;
    const Vec3 turn = pass.bodies.inv_sqrt_inertia[wall.solid] * cross(wall.arm, lean);
    return static_cast<float>(begin[1] - begin[0]) * fma(s.inv_mass, dot(lean, lean), dot(turn, turn));
  }
};

}  // namespace cairn::kernels
