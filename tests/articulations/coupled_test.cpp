// Gears, ropes over pulleys and drags on links of articulations.

#include "tests/articulations/closed.h"

namespace cairn::articulations_test {
namespace {

class Coupled : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Coupled, testing::ValuesIn(test::kJointSolvers), test::name_of_solver);

/// An arm of 1 m and 3 kg on a hinge along y, which lies along x.
Articulation arm(const ArticulationJoint& joint = {}) {
  return {"arm",
          {on(block("arm", {0.5f, 0.03f, 0.03f}, 3), kWorldLink, {0, 0, 1}, {-0.5, 0, 0}, kAlongY,
              ArticulationJointKind::kRevolute, joint)}};
}

Body wheel(const std::string& name, Vec3d at, float mass = 1) {
  return {.name = name, .position = at, .shapes = {test::shape(Box{{0.05f, 0.05f, 0.05f}})}, .mass = mass};
}

/// The arm's own hinge once more.
void add_hinge(Scene& scene, const std::string& name, const JointAxis& turn = {}) {
  scene.add_joint({.name = name,
                   .body_b = 0,
                   .frame_a = {{0, 0, 1}, kAlongY},
                   .frame_b = {{-0.5, 0, 0}, kAlongY},
                   .kind = HingeJoint{turn}});
}

/// From the arm's end up, over, and down to a weight.
std::uint32_t add_weight_over_pulleys(Scene& scene, float mass) {
  const std::uint32_t weight = scene.add_body(wheel("weight", {2, 0, 1}, mass));
  const PulleyJoint rope{.ground_a = {1, 0, 3}, .ground_b = {2, 0, 3}, .ratio = 1, .max_length = 4};
  scene.add_joint({.name = "rope", .body_a = 0, .body_b = weight, .frame_a = {{0.5, 0, 0}, {}}, .kind = rope});
  return weight;
}

/// A wheel that turns by four times the arm's angle, the other way.
std::uint32_t add_geared_wheel(Scene& scene) {
  const std::uint32_t motor = scene.add_body(wheel("motor", {0, 2, 1}));
  // so that a gear has a joint to follow
  add_hinge(scene, "arm");
  scene.add_joint({.name = "axle",
                   .body_b = motor,
                   .frame_a = {{0, 2, 1}, kAlongY},
                   .frame_b = {{}, kAlongY},
                   .kind = HingeJoint{}});
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1, .ratio_a = 4, .ratio_b = 1}});
  return motor;
}

TEST_P(Coupled, a_gear_turns_an_arm_by_the_wheel_of_its_motor) {
  Scene scene = afloat(arm(), {}, solved_by(GetParam()));
  const std::uint32_t motor = add_geared_wheel(scene);
  World world(scene);
  world.set_drive(world.joints()[1], {.damping = 1, .rate = 2, .max_force = 10});
  run_soundly(world, 240);
  // 1 N m s/rad against the wheel and, by 1/4 squared, the arm about its hinge: it lags by the rate times I / c
  const double inertia = 0.01 / 6 + (0.25 + 0.0009 + 0.75) / 16, turned = 2 * (4 - inertia);
  EXPECT_NEAR(4 * state_of(world).q[0], -turned, 2e-3);
  // joints that aren't relaxed tell of the last substep's start: the body tells of now
  const Quat q = world.state(world.bodies()[motor]).orientation;
  const double there = 2 * std::atan2(static_cast<double>(q.y), static_cast<double>(q.w));
  EXPECT_NEAR(std::remainder(there - turned, 2 * std::numbers::pi), 0, 2e-3);
}

// The arm's own drive holds it against the motor: each gives way by its torque, the gear by none.
TEST_P(Coupled, a_gear_is_stiff_between_a_stiff_drive_and_a_motor) {
  Scene scene = afloat(arm({.drive_stiffness = 1e4, .drive_damping = 1e3}), {}, solved_by(GetParam()));
  const std::uint32_t motor = add_geared_wheel(scene);
  World world(scene);
  // 100 N m at the wheel are 400 at the arm, which its drive bears at 0.04 rad
  world.set_drive(world.joints()[1], {.stiffness = 0, .damping = 1e3f, .rate = 1e3f, .max_force = 100});
  run_soundly(world, 300);
  EXPECT_NEAR(state_of(world).q[0], -400 / 1e4, 0.01 * 0.04);
  const Quat q = world.state(world.bodies()[motor]).orientation;
  EXPECT_NEAR(2 * std::atan2(static_cast<double>(q.y), static_cast<double>(q.w)), 4 * 400 / 1e4, 0.01 * 0.16);
}

// A joint of the World between the arm and the world drives what the arm's own joint holds by friction: it must push
// for that to give way.
TEST_P(Coupled, a_motor_overcomes_the_friction_of_the_joint_that_it_turns) {
  for (const float most : {8.0f, 12.0f}) {
    Scene scene = afloat(arm({.friction = 10}), {}, solved_by(GetParam()));
    add_hinge(scene, "motor",
              {.drive = {.damping = std::numeric_limits<float>::infinity(), .rate = 1, .max_force = most}});
    World world(scene);
    run_soundly(world, 120);
    const double turned = state_of(world).q[0];
    if (most < 10) {
      EXPECT_NEAR(turned, 0, 1e-6);
    } else {
      // 2 N m are left for m l^2 / 3 = 1 kg m^2 (and the arm's thickness) until the rate is 1 rad/s
      EXPECT_NEAR(turned, 2 - 0.25, 0.03);
    }
  }
}

// A hand that nothing stops leads an arm that friction holds; the joint reads what friction takes.
TEST_P(Coupled, a_hand_leads_an_arm_against_friction) {
  for (const double friction : {1.0, 50.0}) {
    Scene scene = afloat(arm({.friction = friction}), {}, solved_by(GetParam()));
    const std::uint32_t leads =
        scene.add_body(test::body("hand", Box{{0.05f, 0.05f, 0.05f}}, {1, 0, 1}, BodyType::kKinematic));
    scene.add_joint({.name = "grip", .body_a = leads, .body_b = 0, .frame_b = {{0.5, 0, 0}, {}}, .kind = BallJoint{}});
    World world(scene);
    for (int i = 0; i < 60; ++i) {
      const double turn = -0.5 * (i + 1) / 60;
      world.move_to(world.bodies()[leads], {std::cos(turn), 0, 1 - std::sin(turn)}, {}, world.params().dt);
      world.step();
    }
    EXPECT_EQ(world.report().status, 0u);
    EXPECT_NEAR(state_of(world).q[0], -0.5, 0.01) << friction;
    // with one substep a step it is read where it is largest
    const double share = GetParam() == SolverKind::kSequentialImpulse ? 0.3 : 0.1;
    EXPECT_NEAR(test::length(world.state(world.joints()[0]).force), friction, share * friction + 0.3);
  }
}

// A drum that a weld holds, and friction: with a weight on its rim it stays where it is, whatever each bears.
TEST_P(Coupled, a_weld_and_friction_hold_a_drum_together) {
  for (const double friction : {0.0, 1.0, 100.0}) {
    Scene scene = scene_with(arm({.friction = friction}), {}, solved_by(GetParam()));
    scene.add_joint({.name = "weld", .body_b = 0, .frame_a = {{0.5, 0, 1}, {}}, .kind = FixedJoint{}});
    const std::uint32_t hung = scene.add_body(wheel("weight", {1, 0, 0.8}, 50));
    scene.add_joint({.name = "hook",
                     .body_a = 0,
                     .body_b = hung,
                     .frame_a = {{0.5, 0, 0}, {}},
                     .frame_b = {{0, 0, 0.2}, {}},
                     .kind = BallJoint{}});
    World world(scene);
    run_soundly(world, 120);
    EXPECT_NEAR(state_of(world).q[0], 0, 1e-4) << friction;
    EXPECT_NEAR(world.state(world.joints()[1]).force.z, 50 * kG, 2e-3 * 50 * kG) << friction;
  }
}

// What one arm can't reach doesn't keep another from where a joint wants it, though a slack rope ties the two.
TEST_P(Coupled, an_arm_out_of_reach_hinders_no_other) {
  Scene scene = afloat(arm(), {}, solved_by(GetParam()));
  Articulation far = arm();
  far.links[0].frame_in_parent.position = {0, 5, 1};
  far.name = "far";
  scene.add_articulation(far, {});
  // beyond the end, and beside it
  scene.add_joint(
      {.name = "beyond", .body_b = 0, .frame_a = {{1.1, 0, 1}, {}}, .frame_b = {{0.5, 0, 0}, {}}, .kind = BallJoint{}});
  scene.add_joint({.name = "beside",
                   .body_b = 1,
                   .frame_a = {{std::cos(0.05), 5, 1 - std::sin(0.05)}, {}},
                   .frame_b = {{0.5, 0, 0}, {}},
                   .kind = BallJoint{}});
  scene.add_joint({.name = "rope", .body_a = 0, .body_b = 1, .kind = DistanceJoint{.min_length = 0, .max_length = 10}});
  World world(scene);
  run_soundly(world, 60);
  EXPECT_LT(gap_of(world, world.joints()[1]), 1e-4);
}

// An arm that lies on its limit: a rope, with more than half the arm's weight at its other end, lifts it off.
TEST_P(Coupled, a_rope_lifts_an_arm_off_its_limit) {
  for (const float mass : {1.0f, 2.0f}) {
    Scene scene = scene_with(arm({.lower = -0.8, .upper = 0}), {}, solved_by(GetParam()));
    add_weight_over_pulleys(scene, mass);
    World world(scene);
    run_soundly(world, 30);
    const double turned = state_of(world).q[0];
    // the end bears 1.5 kg; with 2 it rises by half of g (2 - 1.5) / (2 + I / l^2) t^2, and the arm turns by it
    if (mass < 1.5) {
      EXPECT_NEAR(turned, 0, 1e-4);
    } else {
      EXPECT_NEAR(turned, -0.5 * kG * 0.5 / (2 + 1.0) * 0.25, 0.02);
    }
  }
}

TEST_P(Coupled, a_rope_over_a_pulley_balances_an_arm_by_half_its_weight) {
  Scene scene = scene_with(arm(), {}, solved_by(GetParam()));
  const std::uint32_t weight = add_weight_over_pulleys(scene, 1);
  World world(scene);
  run_soundly(world, 120);
  // 3 kg at the middle pull the end by 1.5 kg: it sinks, and lifts the 1 kg
  EXPECT_GT(state_of(world).q[0], 0.05);
  EXPECT_GT(world.state(world.bodies()[weight]).position.z, 1.05);
  const BodyState a = world.state(world.bodies()[0]);
  const double turn = state_of(world).q[0];
  const Vec3d end{std::cos(turn), 0, 1 - std::sin(turn)};
  EXPECT_NEAR(a.position.z, 1 - 0.5 * std::sin(turn), 1e-5);
  const double up = std::hypot(end.x - 1, end.z - 3), down = 3 - world.state(world.bodies()[weight]).position.z;
  EXPECT_LE(up + down, 4 + 1e-3);
}

TEST_P(Coupled, a_drag_leads_a_link_to_its_target) {
  Scene scene = afloat(arm(), {}, solved_by(GetParam()));
  World world(scene);
  Drag drag(world, world.bodies()[0], {1, 0, 1}, {.frequency = 2});
  const Vec3d target{std::cos(0.6), 0, 1 + std::sin(0.6)};
  drag.move(target);
  run_soundly(world, 300);
  EXPECT_NEAR(state_of(world).q[0], -0.6, 2e-3);
}

/// A snake that the world holds by its first link, and one of links so many times as heavy on its last.
Scene light_holds_heavy(SolverKind solver, double ratio) {
  const Articulation light = snake("light", 4, 0.3, 0.5);
  Articulation heavy = snake("heavy", 4, 0.3, 0.5);
  for (ArticulationLink& link : heavy.links) {
    link.mass *= ratio;
    const Vec3 m = link.inertia.moments;
    const auto by = static_cast<float>(ratio);
    link.inertia.moments = {m.x * by, m.y * by, m.z * by};
  }
  Scene scene = scene_with(light, {{0, 0, 2, 0, 0, 0, 1, 0, 0, 0}, {}}, solved_by(solver));
  scene.add_articulation(heavy, {{0.8, 0, 2, 0, 0, 0, 1, 0, 0, 0}, {}});
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t k = 0; k < i; ++k) scene.ignore(i, k);
  }
  scene.add_joint(
      {.name = "hold", .body_b = 0, .frame_a = {{-0.1, 0, 2}}, .frame_b = {{-0.1, 0, 0}}, .kind = FixedJoint{}});
  scene.add_joint({.name = "weld",
                   .body_a = 3,
                   .body_b = 4,
                   .frame_a = {{0.1, 0, 0}},
                   .frame_b = {{-0.1, 0, 0}},
                   .kind = FixedJoint{}});
  return scene;
}

// Where joints close no loop they can't contradict each other: little is left out of what light links say.
TEST_P(Coupled, light_links_hold_ten_thousand_times_their_mass) {
  for (const double ratio : {300.0, 1e4}) {
    World world(light_holds_heavy(GetParam(), ratio));
    run_soundly(world, 300);
    const double weight = 2 * (1 + ratio) * kG;
    EXPECT_NEAR(world.state(world.joints()[0]).force.z, weight, 1e-3 * weight) << ratio;
    EXPECT_LT(test::speed(world, world.bodies()[7]), 1e-3) << ratio;
    for (const JointHandle joint : world.joints()) EXPECT_LT(gap_of(world, joint), 3e-4) << ratio;
  }
}

}  // namespace
}  // namespace cairn::articulations_test
