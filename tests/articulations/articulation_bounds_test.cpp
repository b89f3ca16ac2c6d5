// Limits, dry friction, and drives that can't give all.

#include "tests/articulations/models.h"

namespace cairn::articulations_test {
namespace {

constexpr double kH = 1.0 / 240;  // [s]

/// One link on the world; about x nothing pulls, since gravity is 0.
Articulation single(const ArticulationJoint& joint) {
  ArticulationLink l = link("link", kWorldLink, joint.kind);
  l.joint = joint;
  l.centre_of_mass = {};
  return {"single", {l}, {}};
}
constexpr double kTurnInertia = 0.004f;  // of that link

TEST(ArticulationBounds, limits_hold_and_let_go) {
  Articulations batch = started(single({.kind = Kind::kRevolute, .lower = -0.5, .upper = 0.7}), {0}, {3}, {0.01});
  for (int i = 0; i < 200; ++i) {
    batch.step(kH);
    EXPECT_LE(batch.positions()[0], 0.7 + 1e-12) << i;
  }
  EXPECT_NEAR(batch.positions()[0], 0.7, 1e-12);
  EXPECT_NEAR(batch.rates()[0], 0, 1e-9);
  batch.set_forces(std::vector{-0.01});
  batch.step(kH);
  // away from the limit it is free
  EXPECT_NEAR(batch.rates()[0], -0.01 / kTurnInertia * kH, 1e-12);
  for (int i = 0; i < 2000; ++i) batch.step(kH);
  EXPECT_NEAR(batch.positions()[0], -0.5, 1e-12);
}

TEST(ArticulationBounds, what_starts_beyond_a_limit_comes_back_without_a_throw) {
  Articulations batch = started(single({.kind = Kind::kPrismatic, .lower = 0, .upper = 1}), {-0.3}, {0});
  double before = -0.3;
  for (int i = 0; i < 200; ++i) {
    batch.step(kH);
    EXPECT_GE(batch.positions()[0], before - 1e-15);
    EXPECT_LE(batch.positions()[0], 1e-12);
    before = batch.positions()[0];
  }
  EXPECT_NEAR(before, 0, 1e-12);
  EXPECT_EQ(batch.rates()[0], 0);
}

TEST(ArticulationBounds, what_starts_far_beyond_a_limit_comes_back_at_10_metres_a_second) {
  for (const double start : {-1000.0, 1001.0}) {
    Articulations batch = started(single({.kind = Kind::kPrismatic, .lower = 0, .upper = 1}), {start}, {0});
    batch.step(1.0, 60);
    EXPECT_NEAR(batch.positions()[0], start < 0 ? start + 10 : start - 10, 1e-9);
    EXPECT_EQ(batch.rates()[0], 0);
  }
}

TEST(ArticulationBounds, chain_dropped_on_its_limits_rests_in_them) {
  Articulation chain{.name = "chain"};
  for (std::uint32_t i = 0; i < 12; ++i) {
    ArticulationLink l =
        link("link" + std::to_string(i), i == 0 ? kWorldLink : i - 1, i % 4 == 3 ? Kind::kPrismatic : Kind::kRevolute);
    // x of odd joints is y of the link before, so that turns don't cancel
    const auto half = static_cast<float>(std::sqrt(0.5));
    l.frame_in_parent = frame({0.3, 0, 0}, i % 2 == 0 ? Quat{0, 0, half, half} : Quat{0, -half, 0, half});
    l.joint.lower = -0.2;
    l.joint.upper = 0.3;
    l.joint.damping = 0.5;
    chain.links.push_back(l);
  }
  Articulations batch(chain, 1, Device::cpu(1));
  for (int i = 0; i < 2400; ++i) {
    batch.step(kH);
    for (const double q : batch.positions()) {
      ASSERT_LE(q, 0.3 + 1e-12) << i;
      ASSERT_GE(q, -0.2 - 1e-12) << i;
    }
  }
  EXPECT_LE(largest(batch.rates()), 1e-3);
}

TEST(ArticulationBounds, friction_stops_a_wheel_when_it_should_and_holds_it) {
  constexpr double kFriction = 0.01, kSpin = 5;
  Articulations batch = started(single({.kind = Kind::kRevolute, .friction = kFriction}), {0}, {kSpin});
  int steps = 0;
  while (batch.rates()[0] != 0 && steps < 10000) {
    batch.step(kH);
    ++steps;
  }
  EXPECT_NEAR(steps * kH, kTurnInertia * kSpin / kFriction, kH);
  const double stopped = batch.positions()[0];
  batch.set_forces(std::vector{0.99 * kFriction});
  for (int i = 0; i < 100; ++i) batch.step(kH);
  EXPECT_EQ(batch.positions()[0], stopped);
  batch.set_forces(std::vector{-1.5 * kFriction});
  batch.step(kH);
  EXPECT_NEAR(batch.rates()[0], -0.5 * kFriction / kTurnInertia * kH, 1e-15);
}

TEST(ArticulationBounds, friction_at_every_joint_holds_an_arm_against_gravity) {
  Articulation arm = random_tree(10, 3, false, 0.01, 0);
  double torque = 0;
  {
    Articulations weighed(arm, 1, Device::cpu(1));
    torque = largest(weighed.inverse_dynamics(std::vector<double>(weighed.dofs(), 0.0)));
  }
  for (ArticulationLink& l : arm.links) {
    if (l.joint.kind != Kind::kFixed) l.joint.friction = 1.01 * torque;
  }
  Articulations held(arm, 1, Device::cpu(1));
  const std::vector<double> before = held.positions();
  for (int i = 0; i < 240; ++i) held.step(kH);
  EXPECT_EQ(held.positions(), before);
  for (ArticulationLink& l : arm.links) l.joint.friction /= 2;
  Articulations slips(arm, 1, Device::cpu(1));
  for (int i = 0; i < 240; ++i) slips.step(kH);
  EXPECT_GE(largest(slips.rates()), 1e-3);
}

TEST(ArticulationBounds, a_drive_gives_no_more_than_its_most_and_reaches_its_target) {
  constexpr double kMax = 0.02;
  Articulations batch(
      single({.kind = Kind::kRevolute, .drive_stiffness = 50, .drive_damping = 2, .drive_max_force = kMax}), 1,
      Device::cpu(1));
  batch.set_targets(std::vector{1.0}, std::vector{0.0});
  for (int i = 1; i <= 20; ++i) {
    batch.step(kH);
    EXPECT_NEAR(batch.rates()[0], kMax / kTurnInertia * kH * i, 1e-12);
  }
  for (int i = 0; i < 4000; ++i) batch.step(kH);
  EXPECT_NEAR(batch.positions()[0], 1, 1e-9);
}

TEST(ArticulationBounds, a_ball_drive_turns_the_short_way_to_its_target) {
  Articulations batch(single({.kind = Kind::kBall, .drive_stiffness = 1e6, .drive_damping = 1e4}), 1, Device::cpu(1));
  const double half = std::sqrt(0.5);
  batch.set_targets(std::vector{-half, 0.0, 0.0, -half}, std::vector{0.0, 0.0, 0.0});
  for (int i = 0; i < 600; ++i) batch.step(1.0 / 60);
  const std::vector<double> q = batch.positions();
  EXPECT_TRUE(near(q, {half, 0, 0, half}, 1e-9));
}

TEST(ArticulationBounds, nothing_that_is_bounded_makes_energy) {
  Articulation tree = random_tree(14, 9, false, 0.01, 0);
  for (ArticulationLink& l : tree.links) {
    if (l.joint.kind == Kind::kFixed) continue;
    l.joint.friction = 0.05;
    if (l.joint.kind != Kind::kBall) {
      l.joint.lower = -0.4;
      l.joint.upper = 0.4;
    }
  }
  Articulations batch(tree, 1, Device::cpu(1));
  const double at_first = energy(batch);
  double most = at_first;
  for (int i = 0; i < 1200; ++i) {
    batch.step(1e-3);
    most = std::max(most, energy(batch));
  }
  // what semi-implicit Euler's own energy swings by
  EXPECT_LE(most - at_first, 0.01 * std::abs(at_first));
  EXPECT_LE(energy(batch), at_first);
}

}  // namespace
}  // namespace cairn::articulations_test
