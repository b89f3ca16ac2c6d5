// Fluids in flight: momentum, energy, viscosity, surface tension.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/fluids/tanks.h"
#include "tests/support/sums.h"

namespace cairn::fluids_test {
namespace {

using test::Sums;
using test::sums_of;

class Drops : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Drops,
                         testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse,
                                         SolverKind::kAvbd));

// Without gravity a drop flies at a box and a ball. What one gives the other takes: momentum stays to rounding.
TEST_P(Drops, and_bodies_keep_their_momentum_together) {
  constexpr int kSteps = 60;
  constexpr double kSpeed = 3;
  Scene scene = test::afloat({test::of_mass(3, test::body("box", Box{{0.1f, 0.1f, 0.1f}}, {0.45, 0.2, 0.1})),
                              test::of_mass(1, test::ball("ball", {0.4, 0.02, 0.3}, 0.08f))},
                             {.solver = GetParam()});
  ParticleSet drop = block(6, 6, 6, {0, 0, 0}, {.viscosity = 2, .surface_tension = 1});
  drop.velocities.assign(drop.positions.size(), {static_cast<float>(kSpeed), 0, 0});
  scene.add_particles(drop);
  World world(scene, test::cpu());
  const Sums before = sums_of(world);
  EXPECT_NEAR(before.mass, 3 + 1 + 216 * 0.125, 1e-4);
  test::run(world, kSteps);
  const Sums after = sums_of(world);
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_GT(world.state(world.bodies()[0]).linear_velocity.x, 0.5f) << "the box was hit";
  EXPECT_LT(after.kinetic, before.kinetic);
  // each body rounds its velocity, of up to 4 m/s, some 12 times a substep: in 4 sweeps of pressure, 4 of viscosity,
  // for forces and contacts. The roundings add up at random: five times their deviation, for particles and for the box
  const double times = kSteps * 6 * 12, ulp = 0x1p-25 * 4;
  const double allowed = 5 * ulp * (0.125 * std::sqrt(216 * times) + 3 * std::sqrt(times));
  test::expect_near(after.momentum, before.momentum, allowed);
}

// A drop that meets a plate far from its edges turns it by what it loses itself.
TEST_P(Drops, and_a_plate_keep_their_angular_momentum_together) {
  constexpr int kSteps = 30;
  Scene scene = test::afloat({test::of_mass(5, test::body("plate", Box{{0.5f, 0.5f, 0.05f}}, {0, 0, 0}))},
                             {.solver = GetParam()});
  ParticleSet drop = block(4, 4, 4, {0.05, 0.1, 0.06});
  drop.velocities.assign(drop.positions.size(), {0.3f, 0.1f, -1.5f});
  scene.add_particles(drop);
  World world(scene, test::cpu());
  const auto spin = [&] {
    Vec3d sum{0, 0, 0};
    const std::vector<BodyHandle> bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const BodyState s = world.state(bodies[i]);
      const Vec3 v = s.linear_velocity;
      const double m = i == 0 ? 5 : 0.125;
      sum.x += m * (s.position.y * double{v.z} - s.position.z * double{v.y});
      sum.y += m * (s.position.z * double{v.x} - s.position.x * double{v.z});
    }
    // the plate turns by less than a degree: its axes stay its principal ones
    const Vec3 w = world.state(bodies[0]).angular_velocity;
    const double inertia = 5.0 / 3 * (0.25 + 0.0025);
    return Vec3d{sum.x + inertia * double{w.x}, sum.y + inertia * double{w.y}, 0};
  };
  const Vec3d before = spin();
  test::run(world, kSteps);
  const Vec3d after = spin();
  // impulses along the plate act at heights of the step's start, late by half a step of the drop's fall
  const double allowed = 0.0125 * 64 * 0.125 * std::hypot(0.3, 0.1);
  EXPECT_NEAR(after.x, before.x, allowed);
  EXPECT_NEAR(after.y, before.y, allowed);
}

// A block of still fluid stays as it is: nothing pulls or pushes without a crowd.
TEST(Fluids, stay_as_they_are_where_nothing_acts) {
  World world(floating(block(6, 6, 6)), test::cpu());
  run(world, 1);
  // a full lattice is 0.02 % too dense, and gives way by that once
  for (const BodyHandle body : world.bodies()) EXPECT_LT(test::speed(world, body), 1e-2);
}

// A shear flow v_x = U cos(pi z / H) between free surfaces dies by exp(-nu (pi / H)^2 t). Of the neighbours on a
// lattice only those along diagonals rub, 5 sum x^2 z^2 |W'| / (r (r^2 + 0.04 s^2)) = 0.698 of what they do without
// order.
TEST(Fluids, rub_as_viscous_as_they_are) {
  constexpr int kLong = 20, kAcross = 10, kHigh = 10;
  constexpr double kHeight = kHigh * kSpacing, kViscosity = 0.5, kLattice = 0.698;
  ParticleSet set = block(kLong, kAcross, kHigh, {0, 0, 0}, {.viscosity = static_cast<float>(kViscosity)});
  for (const Vec3d& x : set.positions) {
    set.velocities.push_back({static_cast<float>(0.01 * std::cos(std::numbers::pi * x.z / kHeight)), 0, 0});
  }
  World world(floating(set), test::cpu(2));
  // of those in the middle
  const auto amplitude = [&] {
    double of = 0, norm = 0;
    const std::vector<BodyHandle> bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3d& x = set.positions[i];
      if (std::abs(x.x - kLong * kSpacing / 2) > 3 * kSpacing) continue;
      if (std::abs(x.y - kAcross * kSpacing / 2) > 2.1 * kSpacing) continue;
      const double shape = std::cos(std::numbers::pi * x.z / kHeight);
      of += shape * double{world.state(bodies[i]).linear_velocity.x};
      norm += shape * shape;
    }
    return of / norm;
  };
  const double first = amplitude();
  run(world, 0.25);
  const double k = std::numbers::pi / kHeight, rate = kViscosity / 1000 * k * k;
  EXPECT_NEAR(-std::log(amplitude() / first) / (rate * 0.25), kLattice, 0.03 * kLattice);
}

// A cube of fluid is drawn into a ball, which comes to rest.
TEST(Fluids, are_drawn_into_balls_by_their_surface) {
  constexpr int kCubed = 6;
  constexpr float kTension = 1;
  const Fluid fluid{.viscosity = 5, .surface_tension = kTension};
  World world(floating(block(kCubed, kCubed, kCubed, {0, 0, 0}, fluid)), test::cpu(2));
  const double ball = std::cbrt(3 / (4 * std::numbers::pi)) * kCubed * kSpacing;
  // root of the mean square distance from the middle: half the edge of a cube, sqrt(3/5) of the radius of a ball
  EXPECT_NEAR(sums_of(world).size, kCubed * kSpacing / 2, 0.02 * kCubed * kSpacing / 2);
  run(world, 3);
  const Sums rest = sums_of(world);
  EXPECT_NEAR(rest.size, std::sqrt(0.6) * ball, 0.03 * std::sqrt(0.6) * ball);
  EXPECT_LT(rest.kinetic, 1e-3);
  double farthest = 0;
  for (const BodyHandle body : world.bodies()) {
    const Vec3d x = world.state(body).position;
    farthest = std::max(farthest, test::length(test::operator-(x, rest.centre)));
  }
  // a corner of the cube was 1.2 radii out
  EXPECT_LT(farthest, 1.06 * ball);
}

}  // namespace
}  // namespace cairn::fluids_test
