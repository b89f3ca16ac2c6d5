// What has just been built stands from its first step.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "tests/support/builders.h"

namespace cairn::verify {
namespace {

namespace test = testing_support;

constexpr double kHalf = 0.25;  ///< [m] of a brick's height
constexpr int kBricks = 11;

class ColdStart : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, ColdStart, testing::Values(SolverKind::kSoftStep, SolverKind::kSequentialImpulse));

std::vector<Body> bricks() {
  std::vector<Body> made;
  for (int i = 0; i < kBricks; ++i) {
    made.push_back(test::body("brick" + std::to_string(i), Box{{0.5f, 0.5f, static_cast<float>(kHalf)}},
                              {0, 0, (2 * i + 1) * kHalf}));
  }
  return made;
}

Scene on_plane(SolverKind solver) {
  const int passes = solver == SolverKind::kSequentialImpulse ? 12 : 6;
  return test::scene_of({test::plane()}, {.solver = solver, .substeps = passes});
}

/// Freely it falls at g t. What has its impulses sinks into its contacts: by then slower than after one step of fall.
void expect_no_fall(World& world, BodyHandle top) {
  constexpr double kG = 9.81;  ///< [m/s^2]
  world.step();
  world.step();
  EXPECT_LT(test::length(world.state(top).linear_velocity), kG * double{world.params().dt});
  for (int i = 0; i < 100; ++i) world.step();
}

TEST_P(ColdStart, a_stack_does_not_fall_as_its_world_begins) {
  Scene scene = on_plane(GetParam());
  for (const Body& brick : bricks()) scene.add_body(brick);
  World world(scene, test::cpu());
  const BodyHandle top = world.bodies().back();
  expect_no_fall(world, top);
  world.reset();
  expect_no_fall(world, top);
}

TEST_P(ColdStart, a_stack_does_not_fall_that_is_added_later) {
  World world(on_plane(GetParam()), test::cpu());
  for (int i = 0; i < 100; ++i) world.step();
  std::vector<BodyHandle> made;
  for (const Body& brick : bricks()) made.push_back(world.add_body(brick));
  expect_no_fall(world, made.back());
  // and once more where it is put
  for (int i = 0; i < kBricks; ++i) {
    BodyState at;
    at.position = {5, 0, (2 * i + 1) * kHalf};
    world.set_state(made[static_cast<std::size_t>(i)], at);
  }
  expect_no_fall(world, made.back());
}

TEST(ColdStarts, of_a_stack_is_the_same_where_a_joint_holds_something_to_its_floor) {
  double height[2]{};
  for (const bool fixed : {false, true}) {
    Scene scene = on_plane(SolverKind::kSoftStep);
    for (const Body& brick : bricks()) scene.add_body(brick);
    const std::uint32_t ball = scene.add_body(test::ball("ball", {10, 0, 3}));
    if (fixed) {
      scene.add_joint({.name = "joint", .body_a = 0, .body_b = ball, .frame_a = {{10, 0, 3}, {}}});
    }
    World world(scene, test::cpu());
    for (int i = 0; i < 60; ++i) world.step();
    height[fixed ? 1 : 0] = world.state(world.bodies()[kBricks]).position.z;
  }
  EXPECT_EQ(height[0], height[1]);
}

}  // namespace
}  // namespace cairn::verify
