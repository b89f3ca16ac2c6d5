// What couples more than two bodies, or bodies by way of the world: gears, racks, pulleys.

#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

/// Two blocks on a rope, the second of 1 kg.
Scene over_pulleys(float mass, const PulleyJoint& rope, const StepParams& params) {
  const Vec3 half{0.1f, 0.1f, 0.1f};
  Scene scene = scene_of({block("a", {0, 0, 0}, half, mass), block("b", {1, 0, 0}, half, 1)}, params);
  scene.add_joint({.name = "rope", .body_a = 0, .body_b = 1, .kind = rope});
  return scene;
}

double turn_of(const World& world, std::size_t joint) { return world.state(world.joints()[joint]).coordinates[3]; }

class GearsAndPulleys : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, GearsAndPulleys, testing::ValuesIn(kJointSolvers), name_of_solver);

TEST_P(GearsAndPulleys, gears_turn_by_their_ratio) {
  Scene scene = wheels(2, GetParam());
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .ratio_a = 2, .ratio_b = 1}});
  World world(scene);
  world.set_drive(world.joints()[0], {.damping = 10, .rate = 3, .max_force = 100});
  run(world, 10);
  EXPECT_NEAR(turn_of(world, 0), 30, 0.5);
  EXPECT_NEAR(turn_of(world, 1), -2 * turn_of(world, 0), 1e-3);
}

TEST_P(GearsAndPulleys, a_rack_goes_by_the_radius_of_its_pinion) {
  Scene scene = wheels(1, GetParam());
  scene.add_body(block("rack", {1, 0, 0}, {0.1f, 0.1f, 0.1f}, 2));
  scene.add_joint({.name = "rail", .body_b = 1, .frame_a = {{1, 0, 0}, {}}, .kind = SliderJoint{}});
  // r turn - shift = 0
  scene.add_joint({.name = "teeth", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .ratio_a = 0.1f, .ratio_b = -1}});
  World world(scene);
  world.set_drive(world.joints()[0], {.damping = 1, .rate = 4, .max_force = 10});
  run(world, 3);
  EXPECT_GT(turn_of(world, 0), 10);
  EXPECT_NEAR(world.state(world.joints()[1]).coordinates[0], 0.1 * turn_of(world, 0), 1e-4);
}

TEST_P(GearsAndPulleys, a_gear_follows_a_wheel_that_it_cant_push) {
  Scene scene = wheels(2, GetParam());
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .ratio_a = 2, .ratio_b = 1}});
  World world(scene);
  world.set_type(world.bodies()[0], BodyType::kKinematic);
  world.set_velocity(world.bodies()[0], {}, {1, 0, 0});
  run(world, 4);
  EXPECT_NEAR(turn_of(world, 0), 4, 0.03);
  EXPECT_NEAR(turn_of(world, 1), -2 * turn_of(world, 0), 0.02);
}

TEST_P(GearsAndPulleys, a_gear_lets_go_where_an_axle_breaks) {
  Scene scene = wheels(2, GetParam());
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1}});
  World world(scene);
  Joint weak = scene.joints()[1];
  weak.breaking_force = 50;
  world.set_joint(world.joints()[1], weak);
  world.add_force(world.bodies()[1], {0, 200, 0});
  world.step();
  ASSERT_TRUE(world.state(world.joints()[1]).broken);
  const BodyState before = world.state(world.bodies()[1]);
  world.set_velocity(world.bodies()[0], {}, {3, 0, 0});
  run(world, 1);
  EXPECT_NEAR(world.state(world.bodies()[0]).angular_velocity.x, 3, 1e-4);
  EXPECT_NEAR(world.state(world.bodies()[1]).angular_velocity.x, before.angular_velocity.x, 1e-4);
}

TEST_P(GearsAndPulleys, a_gear_that_comes_wakes_what_it_pulls) {
  Scene scene = wheels(2, GetParam());
  scene.set_params({.solver = GetParam(), .sleeping = true});
  World world(scene);
  run(world, 3);
  ASSERT_EQ(world.report().asleep, 2u);
  world.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .offset = 1}});
  run(world, 2);
  EXPECT_NEAR(turn_of(world, 0) + turn_of(world, 1), 1, 2e-3);
}

TEST_P(GearsAndPulleys, an_atwood_machine_falls_by_the_difference_of_its_weights) {
  // a = g (m_a - r m_b) / (m_a + r^2 m_b) of side a, tension m_a (g - a); side b goes the other way by 1 / r
  for (const float ratio : {1.0f, 2.0f}) {
    constexpr double kMassA = 3, kMassB = 1;
    const float length = 4 + 4 * ratio;
    World world(over_pulleys(kMassA, {{0, 0, 4}, {1, 0, 4}, ratio, length, length}, params_of(GetParam(), 12)));
    constexpr double kSeconds = 0.5;
    run(world, kSeconds);
    const double a = kG * (kMassA - kMassB / ratio) / (kMassA + kMassB / (ratio * ratio));
    const BodyState side_a = world.state(world.bodies()[0]), side_b = world.state(world.bodies()[1]);
    EXPECT_NEAR(side_a.linear_velocity.z, -a * kSeconds, 0.01 * a * kSeconds) << ratio;
    EXPECT_NEAR(-side_a.position.z, ratio * side_b.position.z, 2e-3);
    // on b, up: the rope's tension times the ratio
    EXPECT_NEAR(world.state(world.joints()[0]).force.z, ratio * kMassA * (kG - a), 0.01 * kMassA * kG);
  }
}

TEST_P(GearsAndPulleys, a_pulley_whose_rope_is_slack_does_nothing) {
  World world(over_pulleys(1, {{0, 0, 4}, {1, 0, 4}, 1, 0, 12}, params_of(GetParam(), 6)));
  run(world, 0.5);
  EXPECT_NEAR(world.state(world.bodies()[0]).linear_velocity.z, -0.5 * kG, 1e-3);
  EXPECT_EQ(world.state(world.joints()[0]).force, (Vec3{0, 0, 0}));
}

TEST(JointAnchors, that_are_moved_wake_what_hangs_on_them) {
  const Vec3 half{0.1f, 0.1f, 0.1f};
  Scene scene = scene_of({made_static(block("hook", {0, 0, 1}, half, 1)), block("hangs", {0, 0, 0}, half, 1)},
                         testing_support::with_sleeping());
  scene.add_joint({.name = "rod", .body_a = 0, .body_b = 1, .kind = DistanceJoint{1, 1}});
  World world(scene);
  run(world, 3);
  ASSERT_EQ(world.report().asleep, 1u);
  BodyState moved = world.state(world.bodies()[0]);
  moved.position.z += 0.1;
  world.set_state(world.bodies()[0], moved);
  run(world, 3);
  EXPECT_NEAR(world.state(world.bodies()[1]).position.z, 0.1, 1e-3);
}

TEST(JointAnchors, of_static_bodies_measure_too) {
  Scene scene = scene_of({made_static(block("wall", {0, 0, 1}, {0.1f, 0.1f, 0.1f}, 1))});
  scene.add_joint({.name = "gap", .body_b = 0, .kind = DistanceJoint{0, 3}});
  World world(scene);
  world.step();
  EXPECT_EQ(world.state(world.joints()[0]).coordinates[0], 1.0);
}

}  // namespace
}  // namespace cairn::joints_test
