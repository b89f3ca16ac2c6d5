// Articulations sleep as a whole, with what lies on them, and wake with it.

#include "tests/articulations/robots.h"

namespace cairn::sleep_test {
namespace {

using namespace testing_support;
using articulations_test::block;
using articulations_test::laid;
using articulations_test::standing;
using articulations_test::table;

bool all_asleep(const World& world, bool asleep) {
  for (const BodyHandle b : world.bodies()) {
    if (world.description(b).type == BodyType::kDynamic && world.asleep(b) != asleep) return false;
  }
  return true;
}

TEST(SleepRobots, at_rest_with_what_lies_on_them_and_keep_still) {
  World world(laid(), cpu());
  run(world, 300);
  ASSERT_TRUE(all_asleep(world, true));
  EXPECT_EQ(world.report().asleep, 6u);
  const ArticulationHandle robot = world.articulations().list()[0];
  const ArticulationState there = world.state(robot);
  EXPECT_EQ(there.v, std::vector<double>(10, 0.0));
  const std::uint64_t hash = world.state_hash();
  run(world, 60);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(world.state(robot), there);
  World restored(world.snapshot(), cpu());
  EXPECT_TRUE(all_asleep(restored, true));
  for (World* w : {&world, &restored}) {
    w->add_force(w->bodies().back(), {0, 0, 50});
    run(*w, 30);
  }
  EXPECT_EQ(restored.state_hash(), world.state_hash());
}

TEST(SleepRobots, wake_when_something_is_done_to_them) {
  const World asleep = [] {
    World world(laid(), cpu());
    run(world, 300);
    return world;
  }();
  const Snapshot taken = asleep.snapshot();
  const auto wakes = [&](auto act) {
    World world(taken, cpu());
    ASSERT_TRUE(all_asleep(world, true));
    const ArticulationHandle robot = world.articulations().list()[0];
    act(world, robot);
    world.step();
    EXPECT_TRUE(all_asleep(world, false));
  };
  const ArticulationState there = asleep.state(asleep.articulations().list()[0]);
  ArticulationState bent = there;
  bent.q[7] = 0.3;
  wakes([&](World& w, ArticulationHandle h) { w.articulations().set_targets(h, bent); });
  wakes([&](World& w, ArticulationHandle h) { w.articulations().set_forces(h, std::vector<double>(10, 0.5)); });
  wakes([&](World& w, ArticulationHandle h) { w.set_state(h, bent); });
  wakes([&](World& w, ArticulationHandle h) { w.add_force(w.bodies(h)[3], {5, 0, 0}); });
  wakes([&](World& w, ArticulationHandle) { w.set_gravity({0, 1, -9}, 0); });
  wakes([&](World& w, ArticulationHandle) {
    double force[10] = {1};
    w.arrays().set_articulations({.force = dense_view(force, ElementType::kFloat64, Device::cpu(), 1, 10)});
  });
  wakes([&](World& w, ArticulationHandle) {
    w.add_body(moving(ball("hits", {0, 0, 0.85}, 0.1f), {0, 0, -3}));
    run(w, 5);
  });
}

TEST(SleepRobots, on_the_world_sleep_and_afloat_or_with_a_link_that_turns_unseen_do_not) {
  Scene scene = scene_of({}, with_sleeping());
  Articulation pendulum{.name = "pendulum"};
  pendulum.links.push_back(articulations_test::on(block("arm", {0.2f, 0.02f, 0.02f}, 1), kWorldLink, {0, 0, 1},
                                                  {0, 0, 0}, articulations_test::kAlongY,
                                                  ArticulationJointKind::kRevolute));
  Articulation flywheel = pendulum;
  flywheel.name = "flywheel";
  flywheel.links.push_back(articulations_test::on(block("wheel", {0.1f, 0.1f, 0.1f}, 1), 0, {0, 0, 0}, {0, 0, 0},
                                                  articulations_test::kAlongY, ArticulationJointKind::kRevolute));
  flywheel.links[1].shapes.clear();
  flywheel.links[0].joint.friction = 1;
  scene.add_articulation(pendulum);
  flywheel.links[0].frame_in_parent.position.x = 5;
  scene.add_articulation(flywheel, {{0, 0}, {0, 2}});
  World still(scene, cpu());
  run(still, 60);
  EXPECT_TRUE(still.asleep(still.bodies(still.articulations().list()[0])[0]));
  EXPECT_FALSE(still.asleep(still.bodies(still.articulations().list()[1])[0]));

  Scene space = testing_support::afloat({}, with_sleeping());
  space.add_articulation(table(10, 0.5, {}), standing(3));
  World afloat(space, cpu());
  run(afloat, 60);
  EXPECT_TRUE(all_asleep(afloat, false));
}

// Joints hold two robots and a body together; one breaks, and what it held goes to sleep for itself.
TEST(SleepRobots, on_one_side_of_a_broken_joint_and_wake_together_over_a_whole_one) {
  Scene scene = scene_of({}, with_sleeping());
  const auto arm = [&](const std::string& name, double x) {
    Articulation one{.name = name};
    one.links.push_back(articulations_test::on(block(name, {0.2f, 0.02f, 0.02f}, 1), kWorldLink, {x, 0, 1}, {0, 0, 0},
                                               articulations_test::kAlongY, ArticulationJointKind::kRevolute));
    one.links[0].joint.friction = 0.2;
    one.links[0].joint.drive_stiffness = 50;
    one.links[0].joint.drive_damping = 5;
    scene.add_articulation(one);
  };
  arm("left", 0);
  arm("right", 1);
  scene.add_body(body("held", Box{{0.05f, 0.05f, 0.05f}}, {0.5, 0, 1}));
  scene.add_joint({.name = "left",
                   .body_a = 0,
                   .body_b = 2,
                   .frame_a = {{0.2, 0, 0}, {}},
                   .frame_b = {{-0.3, 0, 0}, {}},
                   .kind = FixedJoint{}});
  scene.add_joint({.name = "weak",
                   .body_a = 1,
                   .body_b = 2,
                   .frame_a = {{-0.2, 0, 0}, {}},
                   .frame_b = {{0.3, 0, -0.2}, {}},
                   .kind = DistanceJoint{.min_length = 0.2f, .max_length = 0.2f},
                   .breaking_force = 30});
  World world(scene, cpu());
  run(world, 200);
  ASSERT_FALSE(world.state(world.joints()[1]).broken);
  ASSERT_TRUE(all_asleep(world, true));
  const ArticulationHandle left = world.articulations().list()[0], right = world.articulations().list()[1];
  world.articulations().set_targets(left, {{0.2}, {0}});
  world.step();
  ASSERT_TRUE(all_asleep(world, false));
  for (int i = 0; i < 20 && !world.state(world.joints()[1]).broken; ++i) {
    world.add_force(world.bodies()[2], {0, 0, -100});
    world.step();
  }
  ASSERT_TRUE(world.state(world.joints()[1]).broken);
  run(world, 300);
  world.articulations().set_targets(left, {{-0.2}, {0}});
  const ArticulationState slept = world.state(right);
  for (int i = 0; i < 30; ++i) {
    world.step();
    ASSERT_TRUE(world.asleep(world.bodies(right)[0]));
    ASSERT_FALSE(world.asleep(world.bodies(left)[0]));
    ASSERT_EQ(world.state(right), slept);
    ASSERT_EQ(world.state(world.bodies(right)[0]).linear_velocity, (Vec3{0, 0, 0}));
  }
  EXPECT_EQ(slept.v, std::vector<double>(1, 0.0));
}

}  // namespace
}  // namespace cairn::sleep_test
