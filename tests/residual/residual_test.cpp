// How far a step is from the laws of contact: closed forms, and that more passes come nearer.

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::residual_test {
namespace {

using namespace testing_support;

constexpr float kGravity = 9.81f;  ///< [m/s^2] the engine's default

StepParams passes(int count, SolverKind solver = SolverKind::kSequentialImpulse) {
  return {.solver = solver, .substeps = count};
}

/// Two balls, one on the other, that just touch.
Scene two_balls(const StepParams& params) {
  return scene_of({plane(), ball("lower", {0, 0, 0.5}), ball("upper", {0, 0, 1.5})}, params);
}

TEST(Residual, of_two_balls_halves_with_every_pass) {
  // in the first step of gravity, once contacts aren't cold, both fall at g dt. A pass first shares the speed
  // difference of the balls between them, then the floor stops the lower one: what is left of the approach is g dt in
  // the first pass, and half of it in each one more
  for (int n = 1; n <= 8; ++n) {
    World world(two_balls(passes(n)), cpu());
    world.set_gravity({0, 0, 0});
    run(world, 12);
    world.set_gravity({0, 0, -kGravity});
    world.step();
    const double left = kGravity / 60.0 / (1 << (n - 1));
    // a float of 0.16 m/s, through a few operations a pass
    EXPECT_NEAR(world.residual().signorini, left, 4 * n * kGravity / 60.0 * 0x1p-24) << n;
    EXPECT_EQ(world.residual().points, 2u);
  }
}

TEST(Residual, of_a_ball_at_rest_is_rounding) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kSequentialImpulse}) {
    World world(scene_of({plane(), ball("ball", {0, 0, 0.5})}, passes(6, solver)), cpu());
    run(world, 120);
    // m / g h of it is what the only row solves exactly, to some ulps of its fall in a step
    const ContactResidual r = world.residual();
    EXPECT_LT(r.signorini, 8 * kGravity / 60 * 0x1p-23f);
    EXPECT_LT(r.coulomb, 8 * kGravity / 60 * 0x1p-23f);
    EXPECT_LT(r.twist, 8 * kGravity / 60 * 0x1p-23f);
    // soft contacts rest g h^2 / (2 pi f h)^2 deep, others within what is let be
    EXPECT_LT(r.penetration, 0.005f);
  }
}

TEST(Residual, a_box_that_slides_obeys_the_cone_and_one_that_is_pulled_free_has_none) {
  // so heavy to turn that friction doesn't tip it
  Body box = moving(of_mass(1000, testing_support::box("box", {0, 0, 0.5})), {5, 0, 0});
  box.inertia = Inertia{{1e7f, 1e7f, 1e7f}};
  World world(scene_of({plane(), box}, passes(6, SolverKind::kSoftStep)), cpu());
  run(world, 20);
  ASSERT_GT(speed(world, world.bodies()[1]), 1);
  const ContactResidual sliding = world.residual();
  // f is as long as the cone allows and against the slip, both to rounding: of 5 m/s, and of an impulse m g h
  EXPECT_LT(sliding.coulomb, 64 * 5 * 0x1p-23f);
  EXPECT_LT(sliding.cone, 8 * 1000 * kGravity / 360 * 0x1p-23f);

  world.set_gravity({0, 0, 20});
  run(world, 5);
  EXPECT_EQ(world.residual().signorini, 0) << "what leaves is not held";
}

TEST(Residual, falls_with_the_passes_of_a_tower) {
  for (const SolverKind solver :
       {SolverKind::kSoftStep, SolverKind::kSequentialImpulse, SolverKind::kXpbd, SolverKind::kAvbd}) {
    float before = 0;
    for (const int n : {1, 4, 16, 64}) {
      World world(tower(6, passes(n, solver)), cpu());
      // the first step has no impulses to start from
      world.step();
      const ContactResidual r = world.residual();
      EXPECT_GT(r.signorini, 0.0f);
      EXPECT_TRUE(n == 1 || r.signorini < before) << static_cast<int>(solver) << ", " << n << ": " << r.signorini;
      before = r.signorini;
    }
  }
}

TEST(Residual, of_a_world_in_a_batch_is_that_of_the_world_alone_on_any_number_of_threads) {
  std::vector<Scene> scenes{two_balls(passes(2)), tower(3, passes(2)), two_balls(passes(2))};
  World batch(scenes, cpu(3));
  run(batch, 3);
  const auto all = batch.residuals();
  for (std::uint32_t k = 0; k < scenes.size(); ++k) {
    World alone(scenes[k], cpu());
    run(alone, 3);
    EXPECT_EQ(all[k], alone.residual()) << k;
    EXPECT_EQ(batch.residual(k), all[k]) << k;
  }
  EXPECT_EQ(batch.residual().signorini, std::max(all[0].signorini, all[1].signorini));
  EXPECT_EQ(batch.residual().points, all[0].points + all[1].points + all[2].points);
  EXPECT_THROW(batch.residual(3), InvalidArgument);

  batch.reset(1);
  EXPECT_EQ(batch.residual(1), ContactResidual{}) << "a world that was reset has taken no step";
  EXPECT_EQ(batch.residual(2), all[2]);
}

TEST(Residual, stays_while_bodies_come) {
  // rows lie in memory of the pairs, which grows, and whose contacts get more points when the first box comes
  for (const int steps : {20, 21}) {
    World world(two_balls(passes(2)), cpu());
    run(world, steps);
    const ContactResidual before = world.residual();
    EXPECT_EQ(before.points, 2u);
    world.add_body(testing_support::box("box", {10, 0, 0.5}));
    EXPECT_EQ(world.residual(), before);
    for (int i = 0; i < 100; ++i) world.add_body(ball("ball" + std::to_string(i), {20.0f + 2 * i, 0, 0.5f}));
    EXPECT_EQ(world.residual(), before);
  }
}

TEST(Residual, asking_changes_no_bit) {
  World asked(scenes::make("pile:count=60", 1), cpu()), plain(scenes::make("pile:count=60", 1), cpu());
  EXPECT_EQ(asked.residual(), ContactResidual{});
  for (int i = 0; i < 60; ++i) {
    asked.step();
    plain.step();
    EXPECT_TRUE(i < 30 || asked.residual().points > 0);
  }
  EXPECT_EQ(asked.state_hash(), plain.state_hash());
}

}  // namespace
}  // namespace cairn::residual_test
