// Forces and torques: they hold for one step, add up, and are cleared.

#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

/// One box of 1 m and 1000 kg, without gravity.
World lone_box() { return World(afloat({box("box", {1, 2, 3})}), cpu()); }

TEST(Force, holds_for_one_step_and_adds_up) {
  World world = lone_box();
  const BodyHandle b = world.bodies()[0];
  world.add_force(b, {20'000, 0, 0});
  world.add_force(b, {40'000, 0, -6'000});
  world.step();
  const Vec3 v = world.state(b).linear_velocity;
  EXPECT_NEAR(v.x, 1, 1e-6);
  EXPECT_NEAR(v.z, -0.1, 1e-6);
  world.step();
  EXPECT_EQ(world.state(b).linear_velocity, v);
}

/// A ball so small that it moves farther than itself in a step.
World small_ball(float g) {
  Scene scene = scene_of({of_mass(1, ball("ball", {0, 0, 0}, 0.01f))});
  scene.set_gravity({0, 0, -g});
  return World(scene, cpu());
}

// Its way was cut to that of its speed before.
TEST(Force, takes_a_small_body_as_far_as_gravity_does) {
  World by_gravity = small_ball(9.81f), by_force = small_ball(0);
  for (int i = 0; i < 30; ++i) {
    by_force.add_force(by_force.bodies()[0], {0, 0, -9.81f});
    by_gravity.step();
    by_force.step();
  }
  // for 1 kg the two are one number
  EXPECT_EQ(by_force.state_hash(), by_gravity.state_hash());
}

// From rest: 60 m/s after a step, by a sixth in each substep, the first of which it moves by already.
TEST(Force, takes_a_small_body_along_at_once) {
  World world = small_ball(0);
  const double dt = double{world.params().dt};
  world.add_force(world.bodies()[0], {3600, 0, 0});
  world.step();
  EXPECT_NEAR(world.state(world.bodies()[0]).position.x, 3600 * dt * dt * 7 / 12, 6 * 0x1p-23);
}

TEST(Force, at_a_point_turns_as_well) {
  World world = lone_box();
  const BodyHandle b = world.bodies()[0];
  // half a metre off the centre along x, pushing along y: torque (0, 0, 5000) on I = 1000/6
  world.add_force(b, {0, 10'000, 0}, {1.5, 2, 3});
  world.step();
  EXPECT_NEAR(world.state(b).linear_velocity.y, 10.0 / 60, 1e-6);
  EXPECT_NEAR(world.state(b).angular_velocity.z, 5000.0 / (1000.0 / 6) / 60, 1e-6);
  EXPECT_NEAR(world.state(b).angular_velocity.x, 0, 1e-9);
}

TEST(Force, at_the_centre_of_mass_turns_nothing_wherever_the_centre_is) {
  Body b = box("lopsided", {10, 20, 30});
  b.shapes = {shape(Box{{1, 0.5f, 0.25f}}, {3, 0, 0})};
  b.orientation = {0, 0, 1, 0};  // half a turn about z: the centre of mass is at 10 - 3
  World world(afloat({b}), cpu());
  const BodyHandle at = world.bodies()[0];
  world.add_force(at, {0, 1000, 500}, {7, 20, 30});
  world.step();
  EXPECT_LT(length(world.state(at).angular_velocity), 1e-6);
  EXPECT_NEAR(world.state(at).linear_velocity.y, 1.0 / 60, 1e-7);  // 1000 kg
}

TEST(Force, torque_is_in_world_axes) {
  World world = lone_box();
  const BodyHandle b = world.bodies()[0];
  const float r = std::sqrt(0.5f);
  world.set_pose(b, {}, {r, 0, 0, r});
  world.add_torque(b, {0, 1000, 0});
  world.step();
  EXPECT_NEAR(world.state(b).angular_velocity.y, 6.0 / 60, 1e-6);
  EXPECT_NEAR(world.state(b).angular_velocity.z, 0, 1e-7);
  const Vec3 w = world.state(b).angular_velocity;
  world.step();
  EXPECT_LT(std::abs(world.state(b).angular_velocity.y - w.y), 1e-7) << "cleared";
}

TEST(Force, wakes_a_sleeping_island_and_moves_it_in_the_same_step) {
  World world = slept(tower(2, with_sleeping()), 2);
  const std::vector<BodyHandle> all = world.bodies();
  world.add_force(all[2], {0, 0, 60'000});
  EXPECT_FALSE(world.asleep(all[1]));
  world.step();
  // the force, 60 m/s^2, less gravity
  EXPECT_NEAR(world.state(all[2]).linear_velocity.z, (60 - 9.81) / 60, 0.01);
}

TEST(Force, stays_through_other_changes_before_the_step) {
  World world = lone_box();
  const BodyHandle b = world.bodies()[0];
  world.add_force(b, {60'000, 0, 0});
  world.set_mass(b, 500);
  world.set_material(b, 0);
  world.set_pose(b, {5, 5, 5}, {});
  world.step();
  EXPECT_NEAR(world.state(b).linear_velocity.x, 2, 1e-5);
}

TEST(Force, moves_neither_static_nor_kinematic_bodies) {
  World world(scene_of({box("wall", {}, BodyType::kStatic), box("lift", {3, 0, 0}, BodyType::kKinematic)}), cpu());
  for (const BodyHandle b : world.bodies()) {
    world.add_force(b, {1e6f, 0, 0});
    world.add_torque(b, {1e6f, 0, 0});
  }
  const std::uint64_t before = world.state_hash();
  world.step();
  EXPECT_EQ(world.state_hash(), before);
  // nor does it lie in wait for them to become dynamic
  world.set_type(world.bodies()[1], BodyType::kDynamic);
  world.step();
  EXPECT_EQ(world.state(world.bodies()[1]).linear_velocity.x, 0);
}

}  // namespace
}  // namespace cairn::world_test
