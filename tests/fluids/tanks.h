#pragma once
// Fluids at rest and in flight, for tests.

#include "tests/support/builders.h"

namespace cairn::fluids_test {

namespace test = cairn::testing_support;

inline constexpr double kG = 9.81;        ///< [m/s^2]
inline constexpr double kSpacing = 0.05;  ///< [m]

/// A block of a fluid: a lattice of so many particles, with its lowest corner at `corner`.
inline ParticleSet block(int nx, int ny, int nz, Vec3d corner = {0, 0, 0}, const Fluid& fluid = {}) {
  ParticleSet made{.name = "water"};
  const double s = double{fluid.spacing};
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      for (int x = 0; x < nx; ++x) {
        made.positions.push_back({corner.x + (x + 0.5) * s, corner.y + (y + 0.5) * s, corner.z + (z + 0.5) * s});
      }
    }
  }
  made.radius = 0.25f * fluid.spacing;
  made.fluid = fluid;
  return made;
}

/// It alone, without gravity.
inline Scene floating(const ParticleSet& fluid) {
  Scene scene = test::afloat({});
  scene.add_particles(fluid);
  return scene;
}

/// The floor and four walls of a tank from (0, 0, 0) on, of one body each.
inline void add_tank(Scene& scene, double x, double y) {
  const auto wall = [&](const char* name, Vec3 normal, Vec3d at) {
    scene.add_body(test::body(name, Plane{normal, 0}, at, BodyType::kStatic));
  };
  wall("floor", {0, 0, 1}, {0, 0, 0});
  wall("left", {1, 0, 0}, {0, 0, 0});
  wall("right", {-1, 0, 0}, {x, 0, 0});
  wall("front", {0, 1, 0}, {0, 0, 0});
  wall("back", {0, -1, 0}, {0, y, 0});
}

inline void run(World& world, double seconds) { test::run(world, test::steps_in(world, seconds)); }

}  // namespace cairn::fluids_test
