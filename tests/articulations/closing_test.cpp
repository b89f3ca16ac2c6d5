// Joints of a World that hold links of articulations, against what statics and kinematics say of them.

#include <algorithm>

#include "scenes/builtin.h"
#include "tests/articulations/closed.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::articulations_test {
namespace {

using joints_test::give_of;
using joints_test::larger;
using joints_test::largest_over;
using joints_test::params_of;

class Closing : public testing::TestWithParam<SolverKind> {};

Scene swinging(SolverKind solver, int substeps) {
  const FourBar bars;
  Scene scene = scene_with(bars.open(), bars.start(), params_of(solver, substeps));
  scene.add_joint(bars.closing(2));
  return scene;
}

/// The same bars, all pins being joints of the World.
Scene of_joints(int substeps) {
  const Scene all = scenes::make("four_bar:rate=0,crank=0.3", 1);
  Scene scene;
  scene.set_params(params_of(SolverKind::kSoftStep, substeps));
  scene.add_material(all.materials()[0]);
  for (const Body& body : all.bodies()) {
    if (body.type == BodyType::kDynamic) scene.add_body(body);
  }
  for (Joint joint : all.joints()) {
    // the floor was the first body
    if (joint.body_a != kWorldBody) joint.body_a -= 1;
    joint.body_b -= 1;
    joint.kind = HingeJoint{};
    scene.add_joint(joint);
  }
  return scene;
}

double energy_of(const World& world) {
  double sum = 0;
  for (const BodyHandle body : world.bodies()) {
    const BodyState s = world.state(body);
    const Vec3 half = std::get<Box>(world.description(body).shapes[0].geometry).half_extents;
    const double m = FourBar::mass(2 * double{half.x}), v = test::length(s.linear_velocity), w = s.angular_velocity.y;
    sum += m / 2 * (v * v + (double{half.x} * half.x + double{half.z} * half.z) / 3 * w * w) + m * kG * s.position.z;
  }
  return sum;
}

// Three hinges of an articulation and one of the World: of five rows three say nothing that the bars could do.
TEST_P(Closing, of_four_bars_stays_shut_for_ten_seconds) {
  World world(swinging(GetParam(), 6));
  const JointHandle pin = world.joints()[0];
  double force = 0, torque = 0;
  const double gap = largest_over(world, 600, [&] {
    force = larger(force, test::length(world.state(pin).force));
    torque = larger(torque, test::length(world.state(pin).torque));
    return gap_of(world, pin);
  });
  // of the rocker alone, pushed at its end
  EXPECT_LT(gap, give_of(force, 4 / FourBar::mass(FourBar::kRocker), world));
  // rows that nothing obeys push nothing: what is left is the mean force's lever over a step's way
  EXPECT_LT(torque, 2e-3 * force);
  EXPECT_EQ(world.report().status, 0u);
}

// Their motion and energy are those of the same bars in maximal coordinates, to first order in the substep as all of an
// articulation's: with half the substep half the error.
TEST(ClosingOrder, of_four_bars_is_the_articulations_own) {
  World fine(of_joints(96));
  test::run(fine, 60);
  const double x = fine.state(fine.bodies()[0]).position.x, start = energy_of(World(of_joints(6)));
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    std::vector<double> off, lost;
    for (const int substeps : {6, 12, 24}) {
      World world(swinging(solver, substeps));
      test::run(world, 60);
      off.push_back(std::abs(world.state(world.bodies()[0]).position.x - x));
      test::run(world, 540);
      lost.push_back(std::abs(energy_of(world) - start));
    }
    for (std::size_t i = 1; i < off.size(); ++i) {
      EXPECT_LT(off[i], 0.65 * off[i - 1]) << static_cast<int>(solver);
      EXPECT_LT(lost[i], 0.65 * lost[i - 1]) << static_cast<int>(solver);
    }
    // of what the bars' centres fall by, 0.4 m of 35 kg
    EXPECT_LT(lost[0], 0.05 * 140);
  }
}

// The motor of a closing hinge drives the loop, and Freudenstein's equation tells the rocker's angle.
TEST_P(Closing, hinge_with_a_motor_drives_four_bars_through_a_turn) {
  const FourBar bars;
  const double b = FourBar::kCoupler, c = FourBar::kRocker, a = bars.crank;
  Scene scene = scene_with(bars.backwards(), bars.start_backwards(), params_of(GetParam(), 12));
  Joint pin = bars.crank_pin(2);
  std::get<HingeJoint>(pin.kind).turn.drive = {
      .damping = std::numeric_limits<float>::infinity(), .rate = 2, .max_force = 1000};
  scene.add_joint(pin);
  World world(scene);
  const JointHandle driven = world.joints()[0];
  double turned = 0;
  while (turned < 2 * std::numbers::pi) {
    world.step();
    ASSERT_EQ(world.report().status, 0u);
    const double before = turned;
    turned = world.state(driven).coordinates[3];
    ASSERT_GT(turned, before);
    const double want = joints_test::rocker_angle(a, turned);
    // the crank's angle is of the last substep's start; the pin gives way, under the bars' weight and their
    // centripetal force, over the rocker's length and the sine of the angle at which the coupler pushes it
    const double load = FourBar::mass(a + b + c) * (kG + 4 * a), h = joints_test::substep(world.params());
    const double give = give_of(load, 4 / FourBar::mass(a), world) + 2 * a * h;
    EXPECT_NEAR(std::remainder(state_of(world).q[0] - want, 2 * std::numbers::pi), 0, 2 * give / c) << turned;
  }
}

/// An arm that its drive holds level, 1 m from its hinge about y to its end.
Articulation arm(const std::string& name, Vec3d at) {
  return {name,
          {on(block("rod", {0.5f, 0.02f, 0.02f}, 2), kWorldLink, at, {-0.5, 0, 0}, kAlongY,
              ArticulationJointKind::kRevolute, {.drive_stiffness = 1e6, .drive_damping = 1e4})}};
}

// What hangs from a link reads m g, and the arm's drive gives way by the torque of both weights.
TEST_P(Closing, joint_that_a_weight_hangs_by_reads_its_weight) {
  for (const JointKind& kind : {JointKind{BallJoint{}}, JointKind{FixedJoint{}},
                                JointKind{DistanceJoint{.min_length = 0, .max_length = 0.5f}}}) {
    const bool rope = std::holds_alternative<DistanceJoint>(kind);
    Scene scene = scene_with(arm("arm", {0, 0, 2}), {}, params_of(GetParam(), 12));
    const Body weight = test::body("weight", Box{{0.1f, 0.1f, 0.1f}}, {1, 0, rope ? 1.4 : 1.8});
    const std::uint32_t held = scene.add_body(test::of_mass(50, weight));
    scene.add_joint({.name = "hook",
                     .body_a = 0,
                     .body_b = held,
                     .frame_a = {{0.5, 0, 0}},
                     .frame_b = {{0, 0, rope ? 0.1 : 0.2}},
                     .kind = kind});
    World world(scene);
    test::run(world, 300);
    const JointState hook = world.state(world.joints()[0]);
    EXPECT_NEAR(hook.force.z, 50 * kG, 1e-3 * 50 * kG) << kind.index();
    EXPECT_NEAR(hook.force.x, 0, 1e-3 * 50 * kG) << kind.index();
    const double angle = (50 * 1.0 + 2 * 0.5) * kG / 1e6;
    EXPECT_NEAR(state_of(world).q[0], angle, 0.01 * angle + 1e-5) << kind.index();
    EXPECT_LT(gap_of(world, world.joints()[0]) - (rope ? 0.5 : 0), give_of(50 * kG, 1.0 / 50 + 3.0 / 2, world));
  }
}

// Two arms hold a bar by welds: what they read is its weight, half each.
TEST_P(Closing, welds_of_two_articulations_share_the_weight_of_a_bar) {
  Scene scene = scene_with(arm("left", {-2, 0, 1}), {}, params_of(GetParam(), 12));
  Articulation right = arm("right", {2, 0, 1});
  right.links[0].frame_in_link = {{0.5, 0, 0}, kAlongY};
  scene.add_articulation(right);
  const std::uint32_t held = scene.add_body(test::of_mass(10, test::body("bar", Box{{0.9f, 0.05f, 0.05f}}, {0, 0, 1})));
  for (const std::uint32_t side : {0u, 1u}) {
    const double to_bar = side == 0 ? 1.0 : -1.0;
    scene.add_joint({.name = "grip" + std::to_string(side),
                     .body_a = side,
                     .body_b = held,
                     .frame_a = {{0.5 * to_bar, 0, 0}},
                     .frame_b = {{-1.0 * to_bar, 0, 0}},
                     .kind = FixedJoint{}});
  }
  World world(scene);
  test::run(world, 300);
  const double weight = 10 * kG;
  double sum = 0;
  for (const JointHandle grip : world.joints()) {
    sum += world.state(grip).force.z;
    EXPECT_NEAR(world.state(grip).force.z, weight / 2, 1e-3 * weight);
    EXPECT_LT(gap_of(world, grip), give_of(weight, 1.0 / 10 + 3.0 / 2 + 3.0 / 10, world));
  }
  EXPECT_NEAR(sum, weight, 1e-3 * weight);
  EXPECT_LT(test::speed(world, world.bodies()[held]), 0.2 * kG * joints_test::substep(world.params()));
}

/// A link that floats, held to the world by `kind`.
Scene held_by(SolverKind solver, const JointKind& kind, double breaking) {
  Articulation one{.name = "one", .links = {block("block", {0.2f, 0.1f, 0.05f}, 3)}};
  one.links[0].joint.kind = ArticulationJointKind::kFree;
  Scene scene = scene_with(one, {{0, 0, 1, 0, 0, 0, 1}, {}}, params_of(solver, 12));
  scene.add_joint({.name = "hold",
                   .body_b = 0,
                   .frame_a = {{-0.2, 0, 1}, kAlongY},
                   .frame_b = {{-0.2, 0, 0}, kAlongY},
                   .kind = kind,
                   .breaking_force = static_cast<float>(breaking)});
  return scene;
}

TEST_P(Closing, weld_to_the_world_bears_a_link_and_breaks_at_its_force) {
  for (const double share : {0.99, 1.01}) {
    World world(held_by(GetParam(), FixedJoint{}, share * 3 * kG));
    test::run(world, 120);
    const JointState hold = world.state(world.joints()[0]);
    EXPECT_EQ(hold.broken, share < 1);
    if (share < 1) continue;
    EXPECT_NEAR(hold.force.z, 3 * kG, 1e-3 * 3 * kG);
    // about the anchor: the middle is 0.2 m along x from it
    EXPECT_NEAR(hold.torque.y, -0.2 * 3 * kG, 2e-3 * 0.2 * 3 * kG);
    EXPECT_NEAR(world.state(world.bodies()[0]).position.z, 1, give_of(3 * kG, 4.0 / 3 + 0.04 / 0.0425, world));
  }
}

// It swings down about y until its bound.
TEST_P(Closing, hinge_stops_a_link_at_its_limit) {
  World world(held_by(GetParam(), HingeJoint{JointAxis::limited(-0.1f, 0.4f)}, 1e9));
  test::run(world, 240);
  EXPECT_NEAR(world.state(world.joints()[0]).coordinates[3], 0.4, 2e-3);
  EXPECT_LT(test::speed(world, world.bodies()[0]), 1e-3);
}

// A ball of an articulation has no limits of its own: a ball of the World at the same place bounds its swing and twist.
TEST_P(Closing, cone_bounds_the_ball_of_an_articulation) {
  const Articulation rod{"rod",
                         {on(block("rod", {0.3f, 0.02f, 0.02f}, 2), kWorldLink, {0, 0, 1}, {-0.3, 0, 0}, {},
                             ArticulationJointKind::kBall)}};
  Scene scene = scene_with(rod, {}, params_of(GetParam(), 12));
  const BallJoint ball{.cone = 0.5f, .twist = JointAxis::limited(-0.2f, 0.2f)};
  scene.add_joint(
      {.name = "cone", .body_b = 0, .frame_a = {{0, 0, 1}, {}}, .frame_b = {{-0.3, 0, 0}, {}}, .kind = ball});
  World world(scene);
  world.add_torque(world.bodies()[0], {0.01f, 0, 0});
  double swing = 0, twist = 0;
  for (int i = 0; i < 360; ++i) {
    if (i < 200) world.add_torque(world.bodies()[0], {0.002f, 0, 0.5f * static_cast<float>(std::sin(0.05 * i))});
    world.step();
    ASSERT_EQ(world.report().status, 0u);
    const std::array<double, kJointDofs> c = world.state(world.joints()[0]).coordinates;
    swing = std::max(swing, std::hypot(c[4], c[5]));
    twist = std::max(twist, std::abs(c[3]));
  }
  EXPECT_LT(swing, 0.5 + 0.02);
  EXPECT_LT(twist, 0.2 + 0.02);
  // it hangs from the edge, and its weight turns it about y by m g l cos
  const JointState cone = world.state(world.joints()[0]);
  EXPECT_NEAR(std::hypot(cone.coordinates[4], cone.coordinates[5]), 0.5, 2e-3);
  EXPECT_NEAR(cone.torque.y, -2 * kG * 0.3 * std::cos(0.5), 5e-3 * 2 * kG * 0.3);
  EXPECT_NEAR(test::length(cone.force), 0, 0.02);
}

// Afloat without forces: a joint gives a body what it takes from an articulation.
TEST_P(Closing, joints_keep_the_momentum_of_what_they_hold) {
  StepParams params = params_of(GetParam(), 24);
  params.dt = 1.0f / 240;
  Scene scene =
      afloat(snake("snake", 4, 0, 3), {{0, 0, 0, 0, 0, 0, 1, 0.3, 0.2, 0.4}, {0.5, 0, 0, 0, 1, 2, 1, -1, 2}}, params);
  const std::uint32_t end = scene.add_body(test::of_mass(2, test::ball("ball", {0.9, 0, 0.3}, 0.1f)));
  scene.add_joint(
      {.name = "rope", .body_a = 3, .body_b = end, .kind = DistanceJoint{.min_length = 0, .max_length = 0.6f}});
  World world(scene);
  const auto momentum = [&] {
    Vec3d sum{0, 0, 0};
    for (const BodyHandle body : world.bodies()) {
      const double m = body == world.bodies()[end] ? 2 : 0.5;
      const Vec3 v = world.state(body).linear_velocity;
      sum = {sum.x + m * double{v.x}, sum.y + m * double{v.y}, sum.z + m * double{v.z}};
    }
    return sum;
  };
  const Vec3d before = momentum();
  EXPECT_GT(largest_over(world, 240, [&] { return test::length(world.state(world.joints()[0]).force); }), 1);
  EXPECT_GT(test::speed(world, world.bodies()[end]), 0.05);
  // to first order in the substep, as an articulation's own
  EXPECT_LT(test::length(test::operator-(momentum(), before)),
            (1e-3 + 10 * joints_test::substep(world.params())) * test::length(before));
}

INSTANTIATE_TEST_SUITE_P(Solvers, Closing, testing::ValuesIn(test::kJointSolvers), test::name_of_solver);

}  // namespace
}  // namespace cairn::articulations_test
