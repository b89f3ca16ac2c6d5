// Bounds that a body meets fast.

#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

class Bounds : public testing::TestWithParam<SolverKind> {};

TEST_P(Bounds, hold_what_would_cross_both_in_a_substep) {
  const float wide = 0.01f;
  for (const float start : {-0.004f, 0.0f, 0.004f}) {
    for (const float speed : {5.0f, 20.0f, 50.0f, -50.0f}) {
      Scene scene = afloat({block("wheel", {0, 0, 0}, {0.1f, 0.1f, 0.1f}, 1)}, params_of(GetParam(), 6));
      // it measures 0 where it starts
      const HingeJoint hinge{JointAxis::limited(-wide - start, wide - start)};
      scene.add_joint({.name = "hinge", .body_b = 0, .kind = hinge});
      World world(scene);
      world.set_velocity(world.bodies()[0], {0, 0, 0}, {speed, 0, 0});
      const double farthest = largest_over(world, 60, [&] {
        const Quat q = world.state(world.bodies()[0]).orientation;
        const double turn = 2 * std::atan2(static_cast<double>(q.x), static_cast<double>(q.w));
        return std::abs(turn + static_cast<double>(start));
      });
      // floats tell a turn's half to within 6e-8, and what it is turned by goes by its tangent: a third of its cube
      const double way = static_cast<double>(wide) + std::abs(static_cast<double>(start));
      EXPECT_LE(farthest, static_cast<double>(wide) + way * way * way / 3 + 4e-7) << speed << " rad/s from " << start;
    }
  }
}

TEST_P(Bounds, of_ropes_let_pass_what_flies_through_their_anchor) {
  for (const double from : {0.251, 0.5, 0.333}) {
    Scene scene = afloat({moving(sphere("ball", {from, 0, 0}, 0.1f), {-2, 0, 0})}, params_of(GetParam(), 6));
    scene.add_joint({.name = "rope", .body_b = 0, .kind = DistanceJoint{0, 1}});
    World world(scene);
    run(world, 0.5);
    EXPECT_NEAR(world.state(world.bodies()[0]).linear_velocity.x, -2, 1e-6) << from;
    EXPECT_NEAR(world.state(world.bodies()[0]).position.x, from - 1, 1e-6) << from;
  }
}

TEST_P(Bounds, of_cones_let_pass_what_swings_through_their_middle) {
  const float speed = 150;
  Body ball = sphere("ball", {}, 0.1f);
  ball.orientation = {0, std::sin(0.05f), 0, std::cos(0.05f)};
  ball.angular_velocity = {0, -speed, 0};
  Scene scene = afloat({ball}, {.solver = GetParam(), .substeps = 1, .dt = 1 / 120.0f});
  scene.add_joint({.name = "joint", .body_b = 0, .kind = BallJoint{.cone = 3}});
  World world(scene);
  world.step();
  EXPECT_NEAR(world.state(world.bodies()[0]).angular_velocity.y, -speed, 1e-4f * speed);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Bounds, testing::ValuesIn(kJointSolvers), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
