// What articulations do to the bodies of a World, and these to them.

#include <algorithm>

#include "tests/articulations/robots.h"

namespace cairn::articulations_test {
namespace {

using Joint = ArticulationJointKind;
constexpr double kGravity = 9.81;

class InWorld : public testing::TestWithParam<SolverKind> {
 protected:
  StepParams params() const { return solved_by(GetParam()); }
};

/// [kg] What the floor bears.
double weighed(const World& world) { return test::support(world, world.bodies()[0]) / kGravity; }

// one link that floats is a body like others
TEST_P(InWorld, a_link_that_floats_comes_to_rest_like_a_body) {
  Articulation one{.name = "one", .links = {block("block", {0.2f, 0.1f, 0.05f}, 2)}};
  one.links[0].joint.kind = Joint::kFree;
  // they land once the world isn't young any more: contacts of links are never cold
  Scene scene = on_floor(one, {{0, 0, 0.4, 0, 0, 0, 1}, {}}, params());
  scene.add_body(test::of_mass(2, test::body("twin", Box{{0.2f, 0.1f, 0.05f}}, {1, 0, 0.4})));
  World world(scene);
  test::run(world, 120);
  const BodyState link = world.state(world.bodies(robot_of(world))[0]), body = world.state(world.body_at(2));
  // both overlap by what the solver lets them, which differs by the float's rounding of their motion alone
  EXPECT_NEAR(link.position.z, body.position.z, 1e-6);
  EXPECT_NEAR(link.position.z, 0.05, 1e-3);
  EXPECT_LT(test::length(link.linear_velocity), 1e-4);
  EXPECT_EQ(world.report().status, 0u);
}

// the soles bear all of m g, over a step: sum of impulses = m g dt
TEST_P(InWorld, what_stands_presses_with_its_weight) {
  World world(on_floor(table(10, 0.5, kDriven), standing(0), params()));
  test::run(world, 240);
  EXPECT_NEAR(weighed(world) / 12, 1, 1e-3);
  const ArticulationState there = state_of(world);
  EXPECT_NEAR(there.q[2], 0.4, 1e-3);
  for (std::size_t leg = 7; leg < 11; ++leg) EXPECT_LT(std::abs(there.v[leg - 1]), 1e-3);
}

// A plate that has more contacts with dynamic bodies than there are colours: those of some of the robots, which touch
// nothing else, are solved one after the other.
TEST_P(InWorld, robots_stand_on_a_plate_with_more_contacts_than_colours) {
  const Body plate = test::body("plate", Box{{5, 5, 0.5f}}, {0, 0, 0.5});
  Scene scene = test::scene_of({test::plane(), test::of_mass(500, plate)}, params());
  Articulation one{.name = "one"};
  one.links = {block("body", {0.1f, 0.1f, 0.1f}, 2),
               on(block("arm", {0.05f, 0.05f, 0.05f}, 0.5), 0, {0, 0, 0.15}, {0, 0, 0}, kAlongZ, Joint::kRevolute)};
  one.links[0].joint.kind = Joint::kFree;
  for (int i = 0; i < 81; ++i) {
    one.name = "robot" + std::to_string(i);
    scene.add_articulation(one, {{i % 9 - 4.0, i / 9 - 4.0, 1.1, 0, 0, 0, 1, 0}, {}});
  }
  World world(scene);
  test::run(world, 60);
  EXPECT_GT(world.report().colors, 64u) << "the overflow colour is in use";
  EXPECT_EQ(world.report().status, 0u);
  const double top = world.state(*world.find_body("plate")).position.z + 0.5;
  for (const ArticulationHandle robot : world.articulations().list()) {
    const BodyState body = world.state(world.bodies(robot)[0]);
    EXPECT_NEAR(body.position.z, top + 0.1, 8e-3);
    EXPECT_LT(test::length(body.linear_velocity), 1e-2f);
  }
}

// 100 kg on feet of 50 g, which dry friction in the hips holds: what touches weighs 2,000 times less than what rests
TEST_P(InWorld, a_heavy_base_stands_on_light_feet) {
  World world(on_floor(table(100, 0.05, {.friction = 500}), standing(0.001), params()));
  test::run(world, 240);
  EXPECT_NEAR(weighed(world) / 100.2, 1, 2e-3);
  EXPECT_NEAR(state_of(world).q[2], 0.4, 1e-3);
}

// A rod on a hinge, I = m L^2 / 3 about it, is hit by a ball M at the distance r with the speed u, without a bounce:
// its angular momentum is kept, w = M u r / (I + M r^2).
TEST_P(InWorld, a_ball_that_hits_a_hinged_rod_turns_it_by_its_angular_momentum) {
  const Articulation gate{
      "gate", {on(block("rod", {0.5f, 0.02f, 0.1f}, 3), kWorldLink, {}, {-0.5, 0, 0}, kAlongZ, Joint::kRevolute)}};
  Scene scene = afloat(gate, {}, params());
  scene.add_body(test::moving(test::of_mass(0.5f, test::ball("ball", {0.8, -0.3, 0}, 0.1f)), {0, 2, 0}));
  World world(scene);
  const double moment = 3 * (1.0 * 1.0 + 0.04 * 0.04) / 12 + 3 * 0.25, r = 0.8;
  const double w = 0.5 * 2 * r / (moment + 0.5 * r * r);
  // the first substeps in which they touch give all of it; friction along the rod comes later
  const double turned = test::largest_over(world, 12, [&] { return std::abs(state_of(world).v[0]); });
  // speculative contacts stop the ball within the substep; 0.5 % is what r moves by meanwhile
  EXPECT_NEAR(turned, w, 5e-3 * w);
}

// Two fingers press a block with F each: friction holds it where 2 mu F > m g, and not where it is less.
TEST_P(InWorld, a_gripper_holds_by_friction) {
  for (const bool firm : {true, false}) {
    Scene scene = test::scene_of({}, params());
    scene.add_material({.name = "skin", .friction = 0.5f});
    Articulation gripper{.name = "gripper"};
    gripper.links.push_back(block("palm", {0.2f, 0.1f, 0.02f}, 1));
    gripper.links[0].frame_in_parent.position = {0, 0, 1};
    for (const int side : {-1, 1}) {
      // the fingers' axes point to each other
      const Quat inwards = side < 0 ? Quat{0, 0, 0, 1} : Quat{0, 0, 1, 0};
      gripper.links.push_back(on(block(side < 0 ? "left" : "right", {0.02f, 0.05f, 0.1f}, 0.2), 0,
                                 {0.07 * side, 0, -0.13}, {0, 0, 0}, inwards, Joint::kPrismatic));
    }
    scene.add_articulation(gripper);
    scene.add_body(test::of_mass(1, test::body("held", Box{{0.05f, 0.05f, 0.05f}}, {0, 0, 0.85})));
    World world(scene);
    const double press = (firm ? 1.3 : 0.7) * kGravity / (2 * 0.5);
    world.articulations().set_forces(robot_of(world), std::vector<double>{press, press});
    test::run(world, 60);
    const double z = world.state(world.bodies().back()).position.z;
    if (firm) {
      EXPECT_NEAR(z, 0.85, 1e-3);
    } else {
      // a = g - 2 mu F / m = 0.3 g for a second would be 1.47 m; it slips off the fingers after 0.15 m
      EXPECT_LT(z, 0.7);
    }
    EXPECT_EQ(world.report().status, 0u);
  }
}

// Links of one articulation that meet push both of themselves: two arms of a base that slides, with balls at their
// ends, are driven into each other and come to rest.
TEST_P(InWorld, links_of_one_articulation_stop_each_other) {
  Articulation pair{.name = "pair"};
  pair.links.push_back(on(block("base", {0.2f, 0.2f, 0.1f}, 2), kWorldLink, {}, {}, kAlongY, Joint::kPrismatic));
  pair.links[0].joint.damping = 20;
  for (const int side : {-1, 1}) {
    pair.links.push_back(on(block(side < 0 ? "left" : "right", {0.05f, 0.05f, 0.3f}, 1), 0, {0.2 * side, 0, 0},
                            {0, 0, -0.3}, kAlongY, Joint::kRevolute, {.drive_stiffness = 50, .drive_damping = 5}));
    pair.links.back().shapes = {test::shape(Sphere{0.05f}, {0, 0, 0.3f})};
  }
  World world(afloat(pair, {}, params()));
  const ArticulationHandle arms = robot_of(world);
  world.articulations().set_targets(arms, {{0, 1.0, -1.0}, {0, 0, 0}});
  test::run(world, 240);
  const ArticulationState there = world.state(arms);
  for (const double rate : there.v) EXPECT_LT(std::abs(rate), 1e-3);
  EXPECT_NEAR(there.q[1], -there.q[2], 1e-3);
  // the balls' middles, 0.6 m from the hinges, are a diameter apart: -0.2 + 0.6 sin q = -0.05
  EXPECT_NEAR(-0.2 + 0.6 * std::sin(there.q[1]), -0.05, 1e-3);
}

// A leg that leans on the end of its range stands there: limit and floor hold each other in one solve.
TEST_P(InWorld, limits_bear_what_stands_on_them) {
  World world(on_floor(table(10, 0.5, {.lower = -0.001, .upper = 0.001}), standing(0.001), params()));
  test::run(world, 240);
  const ArticulationState there = state_of(world);
  EXPECT_NEAR(there.q[2], 0.4, 1e-3);
  for (std::size_t leg = 7; leg < 11; ++leg) EXPECT_LT(std::abs(there.q[leg]), 0.0015);
}

/// Shifts in x and z by links without mass; what is on them, on a hinge about y or fixed.
Articulation in_a_plane(const ArticulationLink& carried, ArticulationJointKind last) {
  return {"flat",
          {{.name = "x", .joint = {.kind = Joint::kPrismatic}},
           on({.name = "z"}, 0, {}, {}, kAlongZ, Joint::kPrismatic),
           on(carried, 1, {}, {}, kAlongY, last)}};
}

// what can't move across a plane rubs along it: it stops after v^2 / (2 mu g)
TEST_P(InWorld, friction_stops_what_moves_in_a_plane) {
  const Scene scene =
      on_floor(in_a_plane(block("block", {0.2f, 0.1f, 0.05f}, 2), Joint::kFixed), {{0, 0.05}, {2, 0}}, params());
  const auto friction = double{scene.materials()[0].friction};
  World world(scene);
  test::run(world, 120);
  const ArticulationState there = state_of(world);
  // the first step's contacts may be late by it
  const double way = 2 * 2 / (2 * friction * kGravity);
  EXPECT_NEAR(there.q[0], way, 0.1 * way);
  EXPECT_LT(std::abs(there.v[0]), 1e-3);
  EXPECT_EQ(world.report().status, 0u);
}

// of the friction's two rows one has no weight but what rounding leaves
TEST_P(InWorld, a_ball_that_swings_in_a_plane_lands_on_the_floor) {
  ArticulationLink ball = block("ball", {0.1f, 0.1f, 0.1f}, 2);
  ball.centre_of_mass = {0.1, 0, 0};
  ball.shapes = {{.geometry = Sphere{0.1f}, .position = {0.1f, 0, 0}}};
  World world(on_floor(in_a_plane(ball, Joint::kRevolute), {{0, 0.3, 0}, {1, 0, 0}}, params()));
  test::run(world, 240);
  ASSERT_EQ(world.report().status, 0u);
  // the ball's middle is a radius above the floor, but for what the solver lets it sink
  const BodyState there = world.state(world.bodies(robot_of(world))[2]);
  const double sine = 2 * double{there.orientation.w} * double{there.orientation.y};
  EXPECT_NEAR(there.position.z - 0.1 * sine, 0.1, 2e-3);
}

// a turret that can only yaw stands with its flat bottom on the ground: nothing can lift it, whatever it overlaps
TEST_P(InWorld, what_a_joint_can_not_move_is_not_thrown_by_what_it_touches) {
  for (const double height : {0.0, -0.001}) {
    const ArticulationJoint yaw{.armature = 0.1, .drive_stiffness = 4000, .drive_damping = 200, .drive_max_force = 150};
    const Articulation made{"turret",
                            {on(block("turret", {0.06f, 0.06f, 0.1f}, 2), kWorldLink, {0, 0, 0.1 + height}, {}, kAlongZ,
                                Joint::kRevolute, yaw)}};
    World world(on_floor(made, {}, params()), test::cpu());
    const ArticulationHandle turret = robot_of(world);
    world.articulations().set_targets(turret, {{0.5}, {0}});
    for (int i = 0; i < 100; ++i) {
      world.step();
      ASSERT_LT(std::abs(world.state(turret).v[0]), 10) << i;
    }
    EXPECT_EQ(world.report().status, 0u);
    // what overlaps may be jammed by friction, and no more
    EXPECT_LT(world.state(turret).q[0], 0.51);
    if (height == 0) {
      EXPECT_NEAR(world.state(turret).q[0], 0.5, 1e-3);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, InWorld, testing::ValuesIn(test::kJointSolvers), test::name_of_solver);

}  // namespace
}  // namespace cairn::articulations_test
