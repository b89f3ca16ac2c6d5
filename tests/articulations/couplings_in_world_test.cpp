// Coupled joints of articulations in a World: what touches one link feels all that it carries along.

#include "tests/articulations/robots.h"

namespace cairn::articulations_test {
namespace {

/// Jaws of `masses` that shift along x, the second beyond the first, 0.1 m thick; coordinates 0 at these places. Theirs
/// and so many times that of the second sum up to 0.
Articulation jaws(double mass_a, double mass_b, double at_a, double at_b, double times) {
  Articulation made{.name = "gripper"};
  const auto jaw = [](const std::string& name, double mass, double at) {
    ArticulationLink link = block(name, {0.05f, 0.2f, 0.2f}, mass);
    link.joint.kind = ArticulationJointKind::kPrismatic;
    link.frame_in_parent.position = {at, 0, 1};
    return link;
  };
  made.links = {jaw("a", mass_a, at_a), jaw("b", mass_b, at_b)};
  made.couplings.push_back({.name = "gear", .terms = {{0, 1}, {1, times}}, .lower = 0, .upper = 0});
  return made;
}

Body heavy(Body body, float mass) {
  body.mass = mass;
  return body;
}

class CouplingsInWorld : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CouplingsInWorld, testing::ValuesIn(test::kJointSolvers), test::name_of_solver);

TEST_P(CouplingsInWorld, what_hits_one_jaw_stops_by_the_mass_of_both) {
  Scene scene = afloat(jaws(1, 3, 0, 1, 2), {}, solved_by(GetParam()));
  Body ball = heavy(test::ball("ball", {-0.3, 0, 1}, 0.1f), 2);
  ball.linear_velocity = {3, 0, 0};
  scene.add_body(ball);
  World world(scene);
  run_soundly(world, 15);
  const ArticulationState state = state_of(world);
  // jaw b goes half as fast, the other way: 1 kg + 3 kg / 4
  const double together = 2 * 3 / (2 + 1 + 0.75);
  EXPECT_NEAR(state.v[0], together, 0.02 * together);
  EXPECT_NEAR(state.v[1], -state.v[0] / 2, 1e-6);
  EXPECT_NEAR(state.q[0] + 2 * state.q[1], 0, 1e-6);
  const double ball_speed = static_cast<double>(world.state(*world.find_body("ball")).linear_velocity.x);
  EXPECT_NEAR(2 * ball_speed + 1.75 * state.v[0], 6, 1e-3);
}

TEST_P(CouplingsInWorld, jaws_that_meet_stop_each_other_though_one_follows_the_other) {
  World world(afloat(jaws(1, 3, 0, 0.3, -2), {{0, 0}, {0.5, 0.25}}, solved_by(GetParam())));
  run_soundly(world, 120);
  const ArticulationState state = state_of(world);
  // they touch where 0.2 = q0 - q1 = q0 / 2, and there can go no further
  EXPECT_NEAR(state.v[0], 0, 1e-3);
  EXPECT_NEAR(state.q[0], 0.4, 0.01);
  EXPECT_NEAR(state.q[0] - 2 * state.q[1], 0, 1e-5);
}

TEST_P(CouplingsInWorld, a_joint_of_the_world_pulls_all_that_is_coupled) {
  Scene scene = afloat(jaws(1, 3, 0, 1, -0.5), {}, solved_by(GetParam()));
  scene.add_body(heavy(test::body("weight", Box{{0.05f, 0.05f, 0.05f}}, {-0.5, 0, 1}), 2));
  scene.add_joint({.name = "weld", .body_a = 0, .body_b = 2, .frame_a = {{-0.5, 0, 0}, {}}, .kind = FixedJoint{}});
  World world(scene);
  world.articulations().set_forces(robot_of(world), std::vector{0.0, 15.0});
  run_soundly(world, 60);
  const ArticulationState state = state_of(world);
  // at jaw b: 3 kg + (1 + 2) / 4
  EXPECT_NEAR(state.v[1], 15.0 / 3.75, 0.01 * 15 / 3.75);
  EXPECT_NEAR(state.q[0] - 0.5 * state.q[1], 0, 1e-5);
}

TEST_P(CouplingsInWorld, a_joint_of_the_world_stops_at_a_limit_that_a_gear_hands_on) {
  Articulation gripper = jaws(1, 3, 0, 1, -0.5);
  gripper.links[0].joint.upper = 0;
  Scene scene = afloat(gripper, {}, solved_by(GetParam()));
  Body weight = heavy(test::body("weight", Box{{0.05f, 0.05f, 0.05f}}, {1.5, 0, 1}), 2);
  weight.linear_velocity = {2, 0, 0};
  scene.add_body(weight);
  scene.add_joint({.name = "weld", .body_a = 1, .body_b = 2, .frame_a = {{0.5, 0, 0}, {}}, .kind = FixedJoint{}});
  World world(scene);
  double fastest = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    const BodyState at = world.state(*world.find_body("weight"));
    fastest = std::max(fastest, std::abs(static_cast<double>(at.linear_velocity.x)));
  }
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_LT(fastest, 2.1);
  const BodyState weight_now = world.state(*world.find_body("weight"));
  // what it ran into the limit is led back without a rate
  EXPECT_NEAR(weight_now.linear_velocity.x, 0, 0.05);
  EXPECT_NEAR(weight_now.position.x, 1.5, 0.05);
  EXPECT_LT(state_of(world).q[0], 0.03);
}

TEST_P(CouplingsInWorld, a_tendon_holds_a_box_by_the_friction_of_its_force) {
  for (const double share : {0.9, 1.15}) {
    Articulation gripper = jaws(0.5, 0.5, -0.151, 0.151, 1);
    // pulls both by half its force: friction of 0.6 on both sides bears 0.6 f
    gripper.couplings.push_back({.name = "tendon",
                                 .terms = {{0, 0.5}, {1, -0.5}},
                                 .drive_stiffness = 1e5,
                                 .drive_damping = 100,
                                 .drive_max_force = share * 10 / 0.6});
    Scene scene = scene_with(gripper, {}, solved_by(GetParam()));
    scene.set_gravity({0, 0, -10});
    scene.add_body(heavy(test::body("box", Box{{0.1f, 0.1f, 0.1f}}, {0, 0, 1}), 1));
    World world(scene);
    world.articulations().set_targets(robot_of(world), {{0.1, -0.1}, {0, 0}});
    run_soundly(world, 60);
    const double fallen = 1 - world.state(*world.find_body("box")).position.z;
    if (share > 1) {
      EXPECT_LT(fallen, 0.02) << share;
    } else {
      EXPECT_GT(fallen, 0.1) << share;
    }
  }
}

void expect_gpu_as_cpu(const Scene& scene, int steps) {
  const std::vector<DeviceInfo> all = devices();
  if (all.size() < 2) GTEST_SKIP() << "no CUDA device";
  World cpu(scene), gpu(scene, {.device = all[1].device});
  for (int i = 0; i < steps; ++i) {
    cpu.step();
    gpu.step();
    ASSERT_EQ(gpu.state_hash(), cpu.state_hash()) << i;
  }
  EXPECT_EQ(cpu.report().status, 0u);
}

TEST(CouplingsInWorld, Gpu_gives_the_bits_of_the_cpu) { expect_gpu_as_cpu(coupled_snakes(), 20); }

// a warp goes through such a tree in several rounds
TEST(CouplingsInWorld, Gpu_gives_the_bits_of_the_cpu_of_more_nodes_than_a_warp_has_lanes) {
  Articulation long_one = snake("long", 40, 0.05, 0.4);
  long_one.couplings.push_back({.name = "gear", .terms = {{3, 1}, {36, -1}}, .lower = 0, .upper = 0});
  std::vector<double> q{0, 0, 0.1, 0, 0, 0, 1};
  for (int i = 1; i < 40; ++i) q.push_back(0.02 * (i % 5));
  q[7 + 35] = q[7 + 2];
  expect_gpu_as_cpu(on_floor(long_one, {q, {}}), 4);
}

}  // namespace
}  // namespace cairn::articulations_test
