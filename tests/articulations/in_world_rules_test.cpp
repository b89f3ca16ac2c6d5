// Articulations in a World: the same bits everywhere, and what is refused.

#include "cairn/device_arrays.h"
#include "cairn/world_scales.h"
#include "tests/articulations/robots.h"

namespace cairn::articulations_test {
namespace {

// coordinates and rates have the bits that the same articulation has by itself: contacts alone make a difference
TEST(InWorldBits, what_touches_nothing_moves_as_by_itself) {
  const Articulation free = snake("snake", 6, 0.05, 2);
  const ArticulationState start{{0, 0, 5, 0, 0, 0, 1, 0.3, 0.2, 0.4, 0.1, 0.3}, {0.1, 0, 0, 1, 2, 3, 1, -1, 2, 0, 1}};
  Scene scene = scene_with(free, start);
  // as the articulation's, in float
  scene.set_gravity({0, 0, -9.75f});
  World world(scene);
  Articulation same = free;
  same.gravity = {0, 0, -9.75};
  Articulations alone(same, 1);
  alone.set_state(start.q, start.v);
  expect_as_by_itself(world, alone, 60);
}

// a world that stops keeps coordinates and poses of the step before
TEST(InWorldBits, a_step_that_is_not_taken_over_moves_no_joint) {
  Scene scene = scene_with(snake("snake", 3, 0, 2), {{0, 0, 0, 0, 0, 0, 1, 0.3, 0.2}, {}});
  Body runaway = test::ball("runaway", {50, 0, 0});
  runaway.linear_velocity = {600, 0, 0};
  scene.add_body(runaway);
  WorldLimits limits = scene.limits();
  limits.upper = {100, 100, 100};
  limits.lower = {-100, -100, -100};
  scene.set_limits(limits);
  World world(scene);
  const ArticulationHandle snake = robot_of(world);
  ArticulationState before = world.state(snake);
  int steps = 0;
  while (world.report().status == 0 && steps++ < 20) {
    before = world.state(snake);
    world.step();
  }
  // 10 m a step, from 50 m to past 100 m
  EXPECT_EQ(steps, 6);
  EXPECT_EQ(world.state(snake), before);
}

TEST(InWorldRules, states_put_links_where_their_joints_say) {
  World world(scene_with(table(10, 0.5, {}), standing(0)));
  const ArticulationHandle robot = robot_of(world);
  ArticulationState there = world.state(robot);
  there.q[7] = 1.0;
  there.v[6] = 2.0;
  world.set_state(robot, there);
  EXPECT_EQ(world.state(robot), there);
  const BodyState leg = world.state(world.bodies(robot)[1]);
  // 0.15 m along the leg from the hip, turned by 1 rad about y
  EXPECT_NEAR(leg.position.x, -0.25 - 0.15 * std::sin(1.0), 1e-6);
  EXPECT_NEAR(leg.position.z, 0.3 - 0.15 * std::cos(1.0), 1e-6);
  EXPECT_NEAR(leg.angular_velocity.y, 2, 1e-6);
  EXPECT_NE(refusal_of([&] { world.set_state(robot, {{1, 2}, {}}); }).find("must be 11 numbers"), std::string::npos);
}

TEST(InWorldRules, what_would_move_a_link_by_itself_is_refused_by_name) {
  World world(scene_with(table(10, 0.5, {}), standing(0)));
  const BodyHandle base = world.bodies(robot_of(world))[0];
  const auto names_it = [&](auto call) {
    EXPECT_NE(refusal_of(call).find("body \"table/base\" is a link"), std::string::npos) << refusal_of(call);
  };
  names_it([&] { world.remove_body(base); });
  names_it([&] { world.set_state(base, {}); });
  names_it([&] { world.set_velocity(base, {}, {}); });
  names_it([&] { world.set_mass(base, 1); });
  names_it([&] { world.set_body(base, world.description(base)); });
  names_it([&] { world.add_impulse(base, {1, 0, 0}); });
  names_it([&] { world.add_impulse(base, {1, 0, 0}, {}); });
  names_it([&] { world.add_angular_impulse(base, {1, 0, 0}); });
  EXPECT_EQ(world.articulations().find("table"), robot_of(world));
  names_it([&] { world.set_type(base, BodyType::kStatic); });
  names_it([&] { world.set_enabled(base, false); });
  const auto names_articulation = [&](auto call) {
    EXPECT_NE(refusal_of(call).find("articulation \"table\""), std::string::npos) << refusal_of(call);
  };
  StepParams avbd = world.params();
  avbd.solver = SolverKind::kAvbd;
  world.set_params(avbd);
  names_articulation([&] { world.step(); });
}

/// A table and a box on a slope, of a friction.
Scene slope(float friction) {
  Scene scene = test::scene_of({});
  scene.set_gravity({3, 0, -9});
  scene.add_material({.name = "stuff", .density = 1000, .friction = friction});
  scene.add_body(test::plane());
  scene.add_articulation(table(10, 0.5, kDriven), standing(0));
  scene.add_body(test::box("box", {3, 0, 0.5}));
  return scene;
}

TEST(InWorldRules, scales_of_materials_and_of_other_bodies_are_what_they_are_elsewhere) {
  World rough(slope(0.5f)), slick(slope(0.5f)), made(slope(0.125f)), same(slope(0.5f));
  slick.scales().set(Scales{.friction = 0.25f}, 0);
  same.scales().set(Scales{}, 0);
  for (World* world : {&rough, &slick, &made, &same}) test::run(*world, 60);
  EXPECT_EQ(slick.state_hash(), made.state_hash());
  EXPECT_EQ(same.state_hash(), rough.state_hash());
  EXPECT_NE(slick.state_hash(), rough.state_hash());
  test::expect_to_go_on_restored(slick, 30);
}

TEST(InWorldRules, draws_move_no_links) {
  World world = World::copies(slope(0.5f), 2);
  const std::vector<std::uint8_t> mask{0, 1};
  const std::vector<BodyState> before = test::states(world);
  const ArticulationHandle robot = world.articulations().list(1)[0];
  const ArticulationState there = world.state(robot);
  const Randomisation ranges{
      .friction = {0.5f, 1}, .body_mass = {2, 3}, .position = {0.1f, 0.1f, 0}, .linear_velocity = {1, 1, 1}};
  world.scales().randomise(mask, ranges);
  const std::vector<BodyState> after = test::states(world);
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].position == before[i].position, i + 1 != after.size()) << i;
  }
  EXPECT_EQ(world.state(robot), there);
  for (const BodyHandle body : {world.bodies(robot)[0], world.bodies(1).back()}) {
    EXPECT_GT(world.scales().get(body).mass, 1.9f);
  }
  world.step();
  EXPECT_EQ(world.report().status, 0u);
}

TEST(InWorldRules, a_link_of_another_material_is_a_link_still) {
  Scene scene = test::scene_of({test::plane()});
  scene.add_material({.name = "ice", .friction = 0});
  scene.add_articulation(table(10, 0.5, kDriven), standing(0));
  World world(scene);
  const ArticulationHandle robot = robot_of(world);
  test::run(world, 10);
  for (std::uint32_t link = 0; link < 5; ++link) world.set_material(world.bodies(robot)[link], 1);
  test::run(world, 60);
  // where its joints say, to the rounding of a pose
  Articulations alone(table(10, 0.5, {}), 1);
  const ArticulationState there = world.state(robot);
  alone.set_state(there.q, there.v);
  for (std::uint32_t link = 0; link < 5; ++link) {
    const BodyState as_body = world.state(world.bodies(robot)[link]), as_link = alone.link_states()[link];
    EXPECT_LT(test::length(test::operator-(as_body.position, as_link.position)), 1e-6);
  }
  EXPECT_NEAR(there.q[2], 0.4, 2e-3);
}

TEST(InWorldRules, what_could_touch_nothing_is_refused) {
  Articulation bare = table(10, 0.5, {});
  for (ArticulationLink& link : bare.links) link.shapes.clear();
  Scene scene;
  EXPECT_NE(refusal_of([&] { scene.add_articulation(bare); }).find("links must have shapes"), std::string::npos);
}

TEST(InWorldRules, a_scene_that_refuses_an_articulation_has_not_changed) {
  Scene scene;
  Articulation bad = table(10, 0.5, {});
  bad.links[3].shapes[0].geometry = Box{{-1, 1, 1}};
  EXPECT_NE(refusal_of([&] { scene.add_articulation(bad, standing(0)); }).find("table/leg2"), std::string::npos);
  EXPECT_TRUE(scene.bodies().empty() && scene.ignored().empty() && scene.materials().empty());
  EXPECT_TRUE(scene.articulations().empty());
  EXPECT_FALSE(scene.find_body("table/base").has_value());
  scene.add_articulation(table(10, 0.5, {}), standing(0));
  EXPECT_NE(refusal_of([&] { scene.add_articulation(table(1, 1, {}), standing(0)); }).find("name must be unique"),
            std::string::npos);
  EXPECT_EQ(scene.bodies().size(), 5u);
  // the base and each of its legs
  EXPECT_EQ(scene.ignored().size(), 4u);
}

}  // namespace
}  // namespace cairn::articulations_test
