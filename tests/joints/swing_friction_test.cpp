// Friction of the swing of ball joints, against Coulomb's law of a turn.

#include <limits>

#include "cairn/math.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

constexpr float kFriction = 0.05f;  ///< [N m]
constexpr float kFree = std::numeric_limits<float>::infinity();

/// A ball of 1 kg and 0.1 m on a joint at its middle, which turns about `axis`.
Scene spinning(const StepParams& params, const BallJoint& joint, Vec3 axis, float speed) {
  Body ball = sphere("ball", {}, 0.1f);
  ball.angular_velocity = {speed * axis.x, speed * axis.y, speed * axis.z};
  Scene scene = afloat({ball}, params);
  scene.add_joint({.name = "joint", .body_b = 0, .kind = joint});
  return scene;
}

class SwingFriction : public testing::TestWithParam<SolverKind> {
 protected:
  static StepParams params() { return params_of(GetParam(), 6); }
};

// I dw/dt = -M: it stops after I w / M, turned by I w^2 / (2 M). I = 0.4 m r^2 = 0.004 kg m^2.
TEST_P(SwingFriction, stops_what_swings_any_way_as_coulomb_says) {
  constexpr double inertia = 0.004, friction = kFriction;
  constexpr float speed = 5;
  for (const float cone : {kFree, 2.0f}) {
    for (int way = 0; way < 8; ++way) {
      const auto about = static_cast<float>(way * std::numbers::pi / 4);
      const Vec3 axis{0, std::cos(about), std::sin(about)};
      World world(spinning(params(), {.cone = cone, .swing_friction = kFriction}, axis, speed));
      const BodyHandle ball = world.bodies()[0];
      const double substep = static_cast<double>(world.params().dt) / 6;
      for (int step = 1; step <= 25; ++step) {
        world.step();
        const double expected = speed - friction / inertia * step * static_cast<double>(world.params().dt);
        const double now = length_of(world.state(ball).angular_velocity);
        EXPECT_NEAR(now, expected > 0 ? expected : 0.0, 2e-5) << "step " << step << ", " << about << " rad, " << cone;
      }
      // speeds at the ends of substeps (of steps, where there are none) sum to half of one's way less
      const Quat q = world.state(ball).orientation;
      const double turned = 2 * std::acos(std::min(1.0, static_cast<double>(q.w)));
      EXPECT_NEAR(turned, inertia * speed * speed / (2 * friction),
                  0.5 * speed * (GetParam() == SolverKind::kSequentialImpulse ? 6 : 1) * substep + 1e-5)
          << about << ' ' << cone;
      const Vec3 v = world.state(ball).angular_velocity;
      EXPECT_NEAR(v.x, 0, 1e-5);
    }
  }
}

// Past the middle the way out is another one, and friction the same. With soft_step an impulse along the way out of the
// substep's start is worth the opposite when its end is relaxed: two substeps' friction more, once, where that ends a step.
TEST_P(SwingFriction, goes_on_past_the_middle) {
  constexpr double inertia = 0.004, friction = kFriction;
  constexpr float speed = 5;
  for (int way = 0; way < 8; ++way) {
    const auto about = static_cast<float>(way * std::numbers::pi / 4);
    const Vec3 axis{0, std::cos(about), std::sin(about)};
    Scene scene = spinning(params(), {.swing_friction = kFriction}, axis, speed);
    Joint joint = scene.joints()[0];
    const float half = -0.1f;
    joint.frame_b.orientation = {0, std::sin(half) * axis.y, std::sin(half) * axis.z, std::cos(half)};
    World world(scene);
    world.set_joint(world.joints()[0], joint);
    double before = speed;
    for (int step = 0; step < 12; ++step) {
      world.step();
      const double now = length_of(world.state(world.bodies()[0]).angular_velocity);
      const double least = friction / inertia * static_cast<double>(world.params().dt);
      EXPECT_GE(before - now, least - 2e-5) << "step " << step << ", " << about << " rad";
      before = now;
    }
    const double all = friction / inertia * 12 * static_cast<double>(world.params().dt);
    const double once = GetParam() == SolverKind::kSoftStep ? all / 12 / 6 * 2 : 0;
    EXPECT_LE(speed - before, all + once + 1e-4) << about << " rad";
  }
}

// What goes round x of frame a at a constant angle swings, too, wherever it is; friction takes energy and adds none.
TEST_P(SwingFriction, stops_what_goes_round) {
  Scene scene = spinning(params(), {.swing_friction = kFriction}, {1, 0, 0}, 4);
  Joint joint = scene.joints()[0];
  World world(scene);
  joint.frame_b.orientation = {0, std::sin(0.4f), 0, std::cos(0.4f)};
  world.set_joint(world.joints()[0], joint);
  double before = 4;
  for (int step = 0; step < 120; ++step) {
    world.step();
    const double now = length_of(world.state(world.bodies()[0]).angular_velocity);
    EXPECT_LE(now, before + 1e-5);
    before = now;
  }
  // both torques are square to x of b, and that turns with the ball: what goes about it stays
  EXPECT_NEAR(before, 4 * std::cos(0.8), 1e-4);
  // the ball is left with the twist alone, which nothing rubs: x of b then stays where it is
  const auto x_of_b = [&] {
    // the ball's own direction that is x of frame b
    const Vec3d own{std::cos(0.8), 0, -std::sin(0.8)};
    const Quat q = world.state(world.bodies()[0]).orientation;
    return math::rotate(QuatT<double>{q.x, q.y, q.z, q.w}, own);
  };
  const Vec3d a = x_of_b();
  world.step();
  const Vec3d b = x_of_b();
  EXPECT_NEAR(std::hypot(b.x - a.x, b.y - a.y, b.z - a.z), 0, 1e-5);
}

TEST_P(SwingFriction, may_be_given_and_taken_on_the_way) {
  Scene scene = spinning(params(), {}, {0, 0.6f, 0.8f}, 5);
  World world(scene);
  const auto speed = [&] { return length_of(world.state(world.bodies()[0]).angular_velocity); };
  const auto set = [&](float friction) {
    Joint joint = world.description(world.joints()[0]);
    std::get<BallJoint>(joint.kind).swing_friction = friction;
    world.set_joint(world.joints()[0], joint);
  };
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_NEAR(speed(), 5, 1e-5);
  set(kFriction);
  for (int i = 0; i < 10; ++i) world.step();
  const double slower = 5 - static_cast<double>(kFriction) / 0.004 * 10 * static_cast<double>(world.params().dt);
  EXPECT_NEAR(speed(), slower, 1e-4);
  set(0);
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_NEAR(speed(), slower, 1e-4);
}

// Of two bodies in the air neither momentum changes, and what isn't twist ends alike for both.
TEST_P(SwingFriction, of_two_free_bodies_keeps_their_angular_momentum) {
  Scene scene = afloat({}, params());
  for (int i = 0; i < 2; ++i) {
    Body ball = sphere(i == 0 ? "a" : "b", {}, 0.1f);
    ball.orientation = {0.1f, -0.3f, 0.2f, 0.927f};
    ball.angular_velocity = {i == 0 ? 0.5f : -1.0f, i == 0 ? 2.0f : -1.0f, 1};
    scene.add_body(ball);
  }
  scene.add_joint({.name = "joint",
                   .body_a = 0,
                   .body_b = 1,
                   .frame_a = {{0, 0, 0}, x_to_y()},
                   .frame_b = {{0, 0, 0}, x_to_y()},
                   .kind = BallJoint{.swing_friction = kFriction}});
  World world(scene);
  const auto sum = [&] {
    const Vec3 a = world.state(world.bodies()[0]).angular_velocity, b = world.state(world.bodies()[1]).angular_velocity;
    return Vec3{a.x + b.x, a.y + b.y, a.z + b.z};
  };
  const Vec3 start = sum();
  run(world, 0.1);
  const Vec3 end = sum();
  EXPECT_NEAR(end.x, start.x, 1e-4);
  EXPECT_NEAR(end.y, start.y, 1e-4);
  EXPECT_NEAR(end.z, start.z, 1e-4);
}

// An arm of 1 kg, its middle 0.2 m from the joint, weighs 1.962 N m at most.
TEST_P(SwingFriction, holds_an_arm_up_to_its_torque) {
  for (const float friction : {2.1f, 1.8f}) {
    Scene scene = scene_of({block("arm", {0.2, 0, 0}, {0.2f, 0.03f, 0.03f}, 1)}, params());
    Joint ball{.name = "shoulder", .body_b = 0, .kind = BallJoint{.swing_friction = friction}};
    ball.frame_b.position = {-0.2, 0, 0};
    scene.add_joint(ball);
    World world(scene);
    run(world, 5);
    const Quat q = world.state(world.bodies()[0]).orientation;
    const double sunk = 0.2 * std::sin(2 * std::asin(static_cast<double>(q.y)));
    if (friction > 1.962f) {
      EXPECT_NEAR(sunk, 0, 1e-6);
      const Vec3 torque = world.state(world.joints()[0]).torque;
      EXPECT_NEAR(torque.x, 0, 1e-4);
      EXPECT_NEAR(torque.y, -0.2 * kG, 1e-4);
      EXPECT_NEAR(torque.z, 0, 1e-4);
    } else {
      // where it moves at all, it swings past where the torques are equal (cos = 0.917), and stops beyond
      EXPECT_GT(sunk, 0.2 * std::sqrt(1 - 0.917 * 0.917));
    }
    EXPECT_LE(length_of(world.state(world.bodies()[0]).angular_velocity), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SwingFriction, testing::ValuesIn(kJointSolvers), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
