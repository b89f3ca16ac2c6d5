// Ropes of particles that hang: stretch and forces against closed forms, the price of few sweeps, and plain PBD.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "tests/strain/sets.h"

namespace cairn::strain_test {
namespace {

struct Hung {
  double stretch, speed, residual;  ///< [m], [m/s] of the fastest, [m] most that a segment is off its spring's law
  std::vector<float> forces;        ///< [N]
};

Hung hang(const Rope& rope, const StepParams& params, double seconds) {
  Scene scene;
  scene.set_params(params);
  scene.add_particles(rope.set());
  World world(scene, test::cpu());
  for (int i = steps_of(world, seconds); i > 0; --i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  const std::vector<BodyState> at = states_of(world, world.particles()[0]);
  Hung hung{-at.back().position.z - rope.length, 0, 0, world.constraint_forces(world.particles()[0])};
  for (std::size_t i = 1; i < at.size(); ++i) {
    hung.speed = std::max(hung.speed, std::abs(static_cast<double>(at[i].linear_velocity.z)));
    const double longer = at[i - 1].position.z - at[i].position.z - rope.segment();
    const double pulled = double{rope.law.compliance} * double{hung.forces[i - 1]};
    hung.residual = std::max(hung.residual, std::abs(longer - pulled));
  }
  return hung;
}

class Ropes : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Ropes, testing::ValuesIn(kMethods),
                         [](const auto& method) { return std::string(method.param.name); });

// Swept until no segment is off its law by more than 1e-4 of the stretch, the rope is a chain of springs: the k-th
// bears what hangs below it, whatever the substeps.
TEST_P(Ropes, stretch_as_springs_of_their_compliance_at_any_substeps) {
  const Rope rope;
  // a sweep carries a load on by few particles; the shorter the substep, the softer a spring is beside their inertia
  constexpr std::pair<int, int> kPlans[] = {{1, 400}, {5, 60}, {10, 15}, {40, 5}};
  const int times = GetParam().sweep == SweepKind::kJacobi ? 4 : 1;
  for (const auto& [substeps, sweeps] : kPlans) {
    // more than there may be
    if (times * sweeps > 1000) continue;
    const Hung hung = hang(rope, params_of(GetParam(), substeps, times * sweeps), 8);
    const double h = 1.0 / 60 / substeps;
    EXPECT_LT(hung.residual, 1e-4 * rope.stretch(h)) << substeps;
    EXPECT_NEAR(hung.stretch, rope.stretch(h), 0.01 * rope.stretch(h)) << substeps;
    for (int i = 0; i < rope.particles; i += 11) {
      const double below = rope.weight(h) * (rope.particles - i);
      EXPECT_NEAR(hung.forces[static_cast<std::size_t>(i)], below, 0.01 * below) << substeps << ", segment " << i;
    }
  }
}

// What one sweep leaves undone in a substep is a share of what the rope falls in it, which is of h^2; there and back,
// the share falls too.
TEST(Rope, is_longer_by_no_more_than_the_square_of_the_substep_at_one_sweep) {
  const Rope rope{.particles = 20};
  std::vector<double> excess;
  for (const int substeps : {10, 20, 40}) {
    const Hung hung = hang(rope, params_of(kMethods[0], substeps, 1), 20);
    EXPECT_LT(hung.speed, 1e-4) << substeps;
    excess.push_back(hung.stretch - rope.stretch(1.0 / 60 / substeps));
  }
  for (std::size_t i = 1; i < excess.size(); ++i) EXPECT_GT(excess[i - 1] / excess[i], 4) << i;
}

// Plain PBD is as hard as its sweeps make it: the same stiffness hangs lower with fewer of them.
TEST(Rope, of_plain_pbd_hangs_by_how_often_it_is_swept) {
  const Rope rope{.particles = 20, .law = {0, 0, 0.2f}};
  const double few = hang(rope, params_of(kMethods[0], 10, 1), 20).stretch;
  const double many = hang(rope, params_of(kMethods[0], 10, 8), 20).stretch;
  EXPECT_GT(few, 3 * many);
  EXPECT_GT(many, 0);
}

// A mass on one spring: the implicit step turns the phase by atan(omega h) a substep, and takes the damping that goes
// with it.
TEST(Rope, of_one_segment_swings_at_its_frequency) {
  const Rope rope{.particles = 1, .length = 1, .mass = 1, .law = {1e-2f, 0, 0}, .damping = 0};
  Scene scene;
  scene.set_params(params_of(kMethods[0], 40, 1));
  scene.add_particles(rope.set());
  World world(scene, test::cpu());
  const double h = 1.0 / 60 / 40, omega = std::sqrt(1 / (1e-2 * 1.0)), rest = -1 - rope.stretch(h);
  double before = 1, first = 0, last = 0;
  int crossings = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    const double off = states_of(world, world.particles()[0])[1].position.z - rest;
    if (before < 0 && off >= 0) {
      last = (i + before / (before - off)) / 60;
      if (crossings++ == 0) first = last;
    }
    before = off;
  }
  const double turns = (crossings - 1) / (last - first) * 2 * std::numbers::pi;
  // implicit Euler: atan(omega h) / h; the crossing is interpolated between steps of omega dt = 0.17: within its cube
  EXPECT_NEAR(turns, std::atan(omega * h) / h, 1e-3 * omega);
  EXPECT_GT(crossings, 6);
}

}  // namespace
}  // namespace cairn::strain_test
