// Adding and removing bodies at run time.

#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

TEST(World, empty_world_steps_and_reports_nothing) {
  World world(Scene{}, cpu());
  run(world, 3);
  const StepReport report = world.report();
  EXPECT_EQ(report.steps, 3u);
  EXPECT_EQ(report.bodies, 0u);
  EXPECT_EQ(report.pairs, 0u);
  EXPECT_EQ(report.status, 0u);
  EXPECT_FLOAT_EQ(static_cast<float>(report.time), 3.0f / 60.0f);
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_TRUE(world.bodies().empty());
  EXPECT_TRUE(states(world).empty());
}

TEST(World, body_added_to_an_empty_world_falls_freely) {
  World world(Scene{}, cpu());
  run(world, 2);
  const BodyHandle ball_handle = world.add_body(ball("ball", {1, 2, 3}));
  world.step();
  // one step of 6 substeps from rest: v = -g dt, to a rounding a substep
  EXPECT_NEAR(world.state(ball_handle).linear_velocity.z, -9.81 / 60, 6 * 0.2 * 0x1p-24);
  EXPECT_EQ(world.report().bodies, 1u);
  world.remove_body(ball_handle);
  world.step();
  EXPECT_EQ(world.body_count(), 0u);
  EXPECT_EQ(world.report().shapes, 0u);
}

TEST(World, handles_list_bodies_in_slot_order_scene_first) {
  World world(tower(3), cpu());
  const BodyHandle added = world.add_body(ball("ball", {5, 0, 1}));
  const std::vector<BodyHandle> all = world.bodies();
  ASSERT_EQ(all.size(), 5u);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(all[i].index, i + 1);
  EXPECT_EQ(all[4], added);
  EXPECT_EQ(world.description(all[1]).name, "box0");
  EXPECT_EQ(world.description(added).name, "ball");
}

TEST(World, stale_and_null_handles_are_refused_by_every_call_and_named) {
  World world(tower(2), cpu());
  const BodyHandle stale = world.bodies()[1];
  world.remove_body(stale);
  // the slot lives again under another generation
  const BodyHandle reborn = world.add_body(box("again", {3, 0, 0.5}));
  EXPECT_EQ(reborn.index, stale.index);
  EXPECT_NE(reborn.generation, stale.generation);
  EXPECT_TRUE(world.alive(reborn));
  for (const BodyHandle bad :
       {stale, BodyHandle{}, BodyHandle{99, 1}, BodyHandle{reborn.index, reborn.generation + 1}}) {
    EXPECT_FALSE(world.alive(bad));
    const std::string label = "{" + std::to_string(bad.index) + ", " + std::to_string(bad.generation) + "}";
    const auto refuses = [&](auto call) { EXPECT_TRUE(refused(world, call, {"body", label.c_str(), "stale"})); };
    refuses([&] { (void)world.state(bad); });
    refuses([&] { (void)world.description(bad); });
    refuses([&] { (void)world.asleep(bad); });
    refuses([&] { world.remove_body(bad); });
    refuses([&] { world.set_state(bad, {}); });
    refuses([&] { world.set_pose(bad, {}, {}); });
    refuses([&] { world.set_velocity(bad, {}, {}); });
    refuses([&] { world.set_mass(bad, 1); });
    refuses([&] { world.set_material(bad, 0); });
    refuses([&] { world.set_type(bad, BodyType::kStatic); });
    refuses([&] { world.wake(bad); });
    refuses([&] { world.add_force(bad, {}); });
    refuses([&] { world.add_force(bad, {}, {}); });
    refuses([&] { world.add_torque(bad, {}); });
  }
}

TEST(World, slots_and_shape_slots_are_used_again) {
  World world(tower(1), cpu());
  Body three = box("three", {0, 0, 5});
  three.shapes = {shape(Box{}, {-1, 0, 0}), shape(Sphere{}, {1, 0, 0}), shape(Capsule{}, {0, 0, 2})};
  BodyHandle last = world.add_body(three);
  world.step();
  world.remove_body(last);
  world.add_body(three);
  const std::uint64_t bytes = world.memory_bytes();
  for (int i = 0; i < 50; ++i) {
    world.remove_body(world.bodies().back());
    three.shapes.resize(static_cast<std::size_t>(1 + i % 3), shape(Sphere{}));
    last = world.add_body(three);
    EXPECT_EQ(last.index, 3u);
    world.step();
    EXPECT_EQ(world.report().shapes, 2u + three.shapes.size());
  }
  EXPECT_EQ(world.memory_bytes(), bytes);
  EXPECT_TRUE(sound(world));
}

TEST(World, bodies_that_rested_on_a_removed_one_fall) {
  World world(tower(3), cpu());
  run(world, 60);
  const std::vector<BodyHandle> all = world.bodies();
  const double before = world.state(all[3]).position.z;
  world.remove_body(all[1]);
  for (const Contact& c : world.contacts()) EXPECT_TRUE(world.alive(c.a) && world.alive(c.b));
  run(world, 10);
  // free fall of 10 steps is g t^2 / 2 = 0.136 m, and a semi-implicit substep falls a little farther
  EXPECT_LT(world.state(all[3]).position.z, before - 0.1);
  run(world, 110);
  EXPECT_NEAR(world.state(all[2]).position.z, 0.5, 0.02);
  EXPECT_NEAR(world.state(all[3]).position.z, 1.5, 0.03);
}

TEST(World, sleeping_bodies_that_rested_on_a_removed_one_wake_and_fall) {
  for (const bool floor : {false, true}) {
    World world = slept(tower(3, with_sleeping()), 3, 180);
    const std::vector<BodyHandle> all = world.bodies();
    world.remove_body(all[floor ? 0 : 1]);
    EXPECT_FALSE(world.asleep(all[3]));
    run(world, 10);
    EXPECT_LT(world.state(all[3]).position.z, 2.4) << (floor ? "floor" : "lowest box");
  }
}

TEST(World, a_floor_that_moves_wakes_all_that_sleep_on_it) {
  Scene scene = scene_of({body("floor", Box{{40, 40, 0.5f}}, {0, 0, -0.5}, BodyType::kStatic)}, with_sleeping());
  for (int i = 0; i < 100; ++i)
    scene.add_body(box("box" + std::to_string(i), {3.0 * (i % 10) - 15, 3.0 * (i / 10) - 15, 0.5}));
  scene.add_body(box("table", {0, 0, 20}, BodyType::kStatic));
  scene.add_body(box("elsewhere", {0, 0, 21}));
  World world = slept(scene, 101);
  const std::vector<BodyHandle> all = world.bodies();
  world.set_pose(all[0], {0, 0, -1}, {});
  for (std::size_t i = 1; i <= 100; ++i) EXPECT_FALSE(world.asleep(all[i])) << i;
  EXPECT_TRUE(world.asleep(all[102])) << "it touches nothing that moved";
  run(world, 10);
  for (std::size_t i = 1; i <= 100; ++i) EXPECT_LT(world.state(all[i]).position.z, 0.4) << i;
}

TEST(World, remove_and_add_in_the_same_slot_starts_without_contacts) {
  // the newcomer takes the slots of a box that bore a load, and must not inherit its impulses
  World world(tower(5), cpu()), fresh(Scene{}, cpu());
  run(world, 60);
  const BodyHandle low = world.bodies()[1];
  world.remove_body(low);
  const BodyHandle high = world.add_body(box("high", {0, 0, 50}));
  const BodyHandle lone = fresh.add_body(box("high", {0, 0, 50}));
  world.step();
  fresh.step();
  EXPECT_EQ(world.state(high), fresh.state(lone));
}

TEST(World, bodies_and_joints_need_no_names) {
  Scene scene = scene_of({box("", {0, 0, 1}), box("", {3, 0, 1}), box("named", {6, 0, 1})});
  scene.add_joint({.body_a = 0, .body_b = 1, .kind = BallJoint{}});
  World world(scene, cpu());
  world.add_body(box("", {9, 0, 1}));
  world.add_joint({.body_a = 1, .body_b = 2, .kind = BallJoint{}});
  EXPECT_EQ(world.body_count(), 4u);
  EXPECT_EQ(world.joints().size(), 2u);
  EXPECT_FALSE(world.find_body("").has_value());
  EXPECT_FALSE(world.find_joint("").has_value());
  EXPECT_EQ(world.find_body("named"), world.bodies()[2]);
  run(world, 5);
  expect_to_go_on_restored(world, 5);
  EXPECT_TRUE(refused(world, [&] { world.set_mass(world.bodies()[0], -1); }, {"a body without a name: mass"}));
}

TEST(World, names_of_living_bodies_and_materials_are_unique) {
  World world(tower(2), cpu());
  EXPECT_TRUE(refused(world, [&] { world.add_body(box("box1", {4, 0, 1})); }, {"box1", "name"}));
  world.remove_body(world.bodies()[2]);
  EXPECT_NO_THROW(world.add_body(box("box1", {4, 0, 1})));
  world.add_material({.name = "ice", .friction = 0});
  EXPECT_TRUE(refused(world, [&] { world.add_material({.name = "ice"}); }, {"ice", "name"}));
  EXPECT_TRUE(refused(world, [&] { world.set_material(0, {.name = "ice"}); }, {"ice", "name"}));
  EXPECT_NO_THROW(world.set_material(1, {.name = "ice", .friction = 0.1f}));
}

TEST(World, every_body_of_a_crowd_can_be_removed_while_it_runs) {
  World world(tower(0, with_sleeping()), cpu(2));
  for (int i = 0; i < 60; ++i) world.add_body(box("box" + std::to_string(i), {1.01 * (i % 4), 0, 0.5 + i / 4}));
  run(world, 30);
  while (world.body_count() > 1) {
    world.remove_body(world.bodies()[world.body_count() / 2]);
    world.step();
    ASSERT_TRUE(sound(world));
    ASSERT_EQ(world.report().status, 0u);
  }
  EXPECT_EQ(world.contacts().size(), 0u);
}

}  // namespace
}  // namespace cairn::world_test
