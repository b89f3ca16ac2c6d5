#pragma once
// Ropes, cloth and soft bodies, for tests.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/common/vec.h"
#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::particles_test {

namespace test = cairn::testing_support;
using test::steps_in;

inline constexpr double kG = 9.81;  ///< [m/s^2]

/// How particles are solved, by name.
struct Method {
  SolverKind solver;
  SweepKind sweep;
  const char* name;
};
inline constexpr Method kMethods[] = {
    {SolverKind::kXpbd, SweepKind::kGaussSeidel, "xpbd"},
    {SolverKind::kXpbd, SweepKind::kJacobi, "jacobi"},
    {SolverKind::kSoftStep, SweepKind::kGaussSeidel, "soft_step"},
    {SolverKind::kSequentialImpulse, SweepKind::kGaussSeidel, "sequential_impulse"},
    {SolverKind::kAvbd, SweepKind::kGaussSeidel, "avbd"},
};

inline std::string name_of_method(const testing::TestParamInfo<Method>& method) { return method.param.name; }

/// Of a step of 1/60 s; sequential impulses take no substeps, but so much shorter steps.
inline StepParams params_of(const Method& method, int substeps, int sweeps) {
  StepParams params{
      .solver = method.solver, .sweep = method.sweep, .substeps = substeps, .particle_iterations = sweeps};
  if (method.solver == SolverKind::kSequentialImpulse) params.dt = params.dt / static_cast<float>(substeps);
  return params;
}

/// A rope of so many particles below one that is fixed, straight down from (0, 0, 0).
struct Rope {
  int particles{100};
  double length{10};  ///< [m]
  float mass{0.05f};  ///< [kg] of a particle
  ConstraintLaw law{1e-4f, 0, 0};
  float damping{2};  ///< [1/s] of each particle

  double segment() const { return length / particles; }
  /// [N] The weight of a particle, as substeps of h feel it: the damping of what it would fall is implicit.
  double weight(double h) const { return double{mass} * kG / (1 + h * double{damping}); }
  /// [m] Of which the segments stretch under the rope's own weight: the sum of n, n - 1, ... 1 particles'.
  double stretch(double h) const { return double{law.compliance} * weight(h) * particles * (particles + 1) / 2; }
  ParticleSet set() const {
    ParticleSet made{.name = "rope", .mass = mass, .radius = 0.02f, .fixed = {0}, .linear_damping = damping};
    ConstraintGroup group{.law = law};
    for (int i = 0; i <= particles; ++i) {
      made.positions.push_back({0, 0, -segment() * i});
      if (i == 0) continue;
      group.particles.push_back(static_cast<std::uint32_t>(i - 1));
      group.particles.push_back(static_cast<std::uint32_t>(i));
      group.rest.push_back(static_cast<float>(segment()));
    }
    made.constraints = {group};
    return made;
  }
};

/// A square of so many by so many particles, `step` apart, in the plane z = height, with its diagonals, and hinges over
/// all inner edges of its triangles.
inline ParticleSet sheet(int side, double step, double height, const ConstraintLaw& stretch,
                         const ConstraintLaw& bend) {
  ParticleSet made{.name = "sheet", .mass = 0.01f, .radius = 0.3f * static_cast<float>(step)};
  const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(y * side + x); };
  ConstraintGroup edges{.law = stretch}, hinges{.kind = ConstraintKind::kBend, .law = bend};
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      made.positions.push_back({step * (x - 0.5 * (side - 1)), step * (y - 0.5 * (side - 1)), height});
      const bool right = x + 1 < side, up = y + 1 < side;
      const auto edge = [&](std::uint32_t b) { edges.particles.insert(edges.particles.end(), {at(x, y), b}); };
      const auto hinge = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        hinges.particles.insert(hinges.particles.end(), {a, b, c, d});
      };
      if (right) edge(at(x + 1, y));
      if (up) edge(at(x, y + 1));
      if (right && up) {
        edge(at(x + 1, y + 1));
        hinge(at(x, y), at(x + 1, y + 1), at(x, y + 1), at(x + 1, y));
      }
      if (right && up && y > 0) hinge(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y - 1));
      if (right && up && x > 0) hinge(at(x, y + 1), at(x, y), at(x + 1, y + 1), at(x - 1, y));
    }
  }
  made.constraints = {edges, hinges};
  return made;
}

/// A cube of 1 m of 8 particles in 5 tetrahedra, its lowest corner at `at`.
inline ParticleSet cube(Vec3d at, const ConstraintLaw& stretch, const ConstraintLaw& volume) {
  ParticleSet made{.name = "cube", .mass = 1, .radius = 0.05f};
  for (int i = 0; i < 8; ++i) made.positions.push_back({at.x + (i & 1), at.y + (i >> 1 & 1), at.z + (i >> 2 & 1)});
  ConstraintGroup edges{.law = stretch}, tetrahedra{.kind = ConstraintKind::kVolume, .law = volume};
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = a + 1; b < 8; ++b) edges.particles.insert(edges.particles.end(), {a, b});
  }
  tetrahedra.particles = {0, 1, 2, 4, 3, 2, 1, 7, 5, 4, 7, 1, 6, 7, 4, 2, 1, 2, 4, 7};
  made.constraints = {edges, tetrahedra};
  return made;
}

/// A block of particles `step` apart, all of them one cluster, or clusters of 8 that overlap.
inline ParticleSet lattice(int side, double step, Vec3d corner, const ConstraintLaw& law, bool whole) {
  ParticleSet made{.name = "block", .mass = 0.1f, .radius = 0.45f * static_cast<float>(step)};
  const auto at = [&](int x, int y, int z) { return static_cast<std::uint32_t>((z * side + y) * side + x); };
  ConstraintGroup shapes{.kind = ConstraintKind::kShape, .law = law, .cluster = 8};
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        made.positions.push_back({corner.x + step * x, corner.y + step * y, corner.z + step * z});
        if (x + 1 == side || y + 1 == side || z + 1 == side) continue;
        for (int k = 0; k < 8; ++k) shapes.particles.push_back(at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)));
      }
    }
  }
  if (whole) {
    shapes.cluster = static_cast<std::uint32_t>(made.positions.size());
    shapes.particles.clear();
    for (std::uint32_t i = 0; i < shapes.cluster; ++i) shapes.particles.push_back(i);
  }
  made.constraints = {shapes};
  return made;
}

/// An elastic block of nx by ny by nz cells of five tetrahedra, which mirror those of their neighbours, its lowest
/// corner at (0, 0, 0). The particles have the masses of what is around them.
struct Block {
  std::uint32_t nx{1}, ny{1}, nz{1};
  double step{0.1};      ///< [m]
  double density{1000};  ///< [kg/m^3]
  float young_modulus{1e5f};
  float poisson_ratio{0.3f};
  float damping{0};  ///< [s]

  std::uint32_t at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return (z * (ny + 1) + y) * (nx + 1) + x;
  }
  ParticleSet set() const {
    constexpr std::uint32_t kTetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
    ParticleSet made{.name = "block", .radius = 0.4f * static_cast<float>(step)};
    for (std::uint32_t i = 0; i < at(0, 0, nz + 1); ++i) {
      const std::uint32_t x = i % (nx + 1), y = i / (nx + 1) % (ny + 1), z = i / (nx + 1) / (ny + 1);
      made.positions.push_back({step * x, step * y, step * z});
    }
    made.masses.assign(made.positions.size(), 0);
    ConstraintGroup group{.kind = ConstraintKind::kElastic, .law = {.damping = damping}};
    group.young_modulus = young_modulus;
    group.poisson_ratio = poisson_ratio;
    for (std::uint32_t cell = 0; cell < nx * ny * nz; ++cell) {
      const std::uint32_t x = cell % nx, y = cell / nx % ny, z = cell / nx / ny;
      for (std::uint32_t t = 0; t < 5; ++t) {
        // the last is a third of the cell, the others a sixth each
        const double mass = density * step * step * step * (t == 4 ? 1.0 / 3 : 1.0 / 6);
        for (std::uint32_t corner : kTetrahedra[t]) {
          if ((x + y + z) % 2 != 0) corner ^= 1u;
          group.particles.push_back(at(x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)));
          made.masses[group.particles.back()] += static_cast<float>(mass / 4);
        }
      }
    }
    made.constraints = {group};
    return made;
  }
};

/// A set that nothing else is beside.
inline Scene alone(const ParticleSet& set, const StepParams& params, Vec3 gravity = Scene{}.gravity()) {
  Scene scene = test::scene_of({}, params);
  scene.set_gravity(gravity);
  scene.add_particles(set);
  return scene;
}

/// What is said against a set of these constraints alone.
inline std::string refusal_of_group(const ConstraintGroup& group) {
  ParticleSet set = cube({0, 0, 0}, {}, {});
  set.constraints = {group};
  return test::refusal_of([&] { Scene().add_particles(set); });
}

/// Of the set with this number.
inline std::vector<BodyHandle> bodies_of(const World& world, std::size_t set = 0) {
  return world.bodies(world.particles().list()[set]);
}
inline std::vector<BodyState> states_of(const World& world, std::size_t set = 0) {
  std::vector<BodyState> states;
  for (const BodyHandle body : bodies_of(world, set)) states.push_back(world.state(body));
  return states;
}
inline std::vector<float> forces_of(const World& world, std::size_t set = 0) {
  return world.particles().constraint_forces(world.particles().list()[set]);
}

/// Puts each particle of the first set where a map takes where it starts.
template <class Map>
void put(World& world, const Map& map) {
  const std::vector<BodyHandle> bodies = bodies_of(world);
  const std::vector<Vec3d>& from = world.description(world.particles().list()[0]).positions;
  for (std::size_t i = 0; i < bodies.size(); ++i) world.set_pose(bodies[i], map(from[i]), {});
}
/// That each is still where the map took it.
template <class Map>
void expect_put(const World& world, const Map& map, double allowed) {
  const std::vector<BodyState> at = states_of(world);
  const std::vector<Vec3d>& from = world.description(world.particles().list()[0]).positions;
  for (std::size_t i = 0; i < at.size(); ++i)
    EXPECT_LT(test::length(test::operator-(at[i].position, map(from[i]))), allowed) << i;
}

/// Numbers between -1 and 1.
struct Draw {
  std::mt19937_64 random{5};
  double operator()() { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; }
  Vec3d point() { return {(*this)(), (*this)(), (*this)()}; }
  kernels::Quatd turn() {
    const kernels::Quatd q{(*this)(), (*this)(), (*this)(), (*this)()};
    const double l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x / l, q.y / l, q.z / l, q.w / l};
  }
};

}  // namespace cairn::particles_test
