#pragma once
// The drawn form of particles: cloth, the outside of soft bodies, ropes, the surface of a fluid.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/particle_set.h"
#include "src/picture/camera.h"

namespace cairn::picture {

/// A triangle with a normal at each corner, of either sign.
struct SkinTriangle {
  std::array<Double3, 3> at;      ///< [m]
  std::array<Double3, 3> normal;  ///< [1] unit
};

/// Drawn in place of particles.
struct Skin {
  std::vector<SkinTriangle> triangles;
  std::vector<std::array<Double3, 2>> tubes;  ///< [m] ends
  std::vector<Double3> drops;                 ///< [m] middles
  double radius{0};                           ///< [m] of tubes and drops
  std::vector<std::uint32_t> covered;         ///< particles whose spheres aren't drawn
  std::uint32_t body{0};                      ///< gives its colour, unless it is a fluid or has its own
  std::optional<Vec3> color{};                ///< [1] its own, sRGB
  bool fluid{false};
};

/// [m] (particles) Positions of a set's particles; empty for removed ones and ones that aren't finite.
using ParticlePlaces = std::span<const std::optional<Double3>>;

/// For a set that isn't a fluid, whose particles have the radius [m]: the triangles of its bends, as a cloth of the
/// particles' thickness, thin along its edges; the outside of its tetrahedra, moved out to the particles' surface; and
/// tubes along the other stretches. `broken` constraints (all of the set, 1: broken) are left out.
Skin skin_of(const ParticleSet& set, double radius, ParticlePlaces at, std::span<const std::uint8_t> broken);

/// The surface where the density of a fluid's particles is half of that inside; particles at lower densities are drops.
Skin surface_of(const Fluid& fluid, ParticlePlaces at);

}  // namespace cairn::picture
