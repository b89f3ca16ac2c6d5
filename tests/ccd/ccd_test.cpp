// Fast bodies: they pass through nothing, and nothing stops them that they don't meet.

#include <cmath>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "tests/ccd/walls.h"

namespace cairn::ccd_test {
namespace {

Scene with_ball(const Geometry& obstacle, Vec3d position, Vec3 velocity, bool fast) {
  Scene scene;
  scene.set_gravity({0, 0, 0});
  scene.add_body({.name = "obstacle", .type = BodyType::kStatic, .shapes = {{.geometry = obstacle}}});
  Body ball{.name = "ball", .shapes = {{.geometry = Sphere{0.05f}}}, .density = 1000.0f};
  ball.position = position;
  ball.linear_velocity = velocity;
  ball.bullet = fast;
  scene.add_body(ball);
  return scene;
}

BodyState after(int steps, const Scene& scene) {
  World world(scene);
  for (int i = 0; i < steps; ++i) world.step();
  return world.state(world.bodies()[1]);
}

TEST(Ccd, what_flies_past_an_edge_flies_on_as_if_it_were_not_there) {
  // 1 mm beside a box, along its edge and across it
  for (const Vec3d start : {Vec3d{-2, 0.551, 0.3}, Vec3d{-2, 0, 0.551}, Vec3d{-2, 0.5365, 0.5365}}) {
    const Vec3 velocity{60, 0, 0};
    const BodyState state = after(10, with_ball(Box{}, start, velocity, true));
    EXPECT_EQ(state.linear_velocity, velocity);
    EXPECT_NEAR(state.position.x, start.x + 10, 1e-4) << start.y << " " << start.z;
  }
}

TEST(Ccd, what_slides_along_a_floor_of_triangles_is_not_stopped) {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Triangle> triangles;
  constexpr std::uint32_t kCells = 40;
  for (std::uint32_t j = 0; j <= 2; ++j) {
    for (std::uint32_t i = 0; i <= kCells; ++i)
      vertices.push_back({static_cast<float>(i) - 1, static_cast<float>(j) - 1, 0});
  }
  for (std::uint32_t j = 0; j < 2; ++j) {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const std::uint32_t a = j * (kCells + 1) + i, c = a + kCells + 2;
      triangles.push_back({a, a + 1, c});
      triangles.push_back({a, c, c - 1});
    }
  }
  // without friction, pressed to the floor
  Scene scene = with_ball(TriangleMesh(vertices, triangles), {0, 0.13, 0.05}, {60, 0, 0}, true);
  scene.set_gravity({0, 0, -9.81f});
  World world(scene);
  Material smooth = world.materials()[0];
  smooth.friction = 0;
  world.set_material(0, smooth);
  for (int i = 0; i < 30; ++i) world.step();
  const BodyState state = world.state(world.bodies()[1]);
  EXPECT_NEAR(state.position.x, 30, 0.01);
  EXPECT_NEAR(state.position.y, 0.13, 1e-3);
  EXPECT_LT(std::abs(state.linear_velocity.z), 1e-3);
}

TEST(Ccd, a_ball_that_is_stopped_bounces_with_the_speed_that_it_had) {
  Scene scene = with_ball(box_wall(), {0, 0, 1.0}, {0, 0, -80}, false);
  World world(scene);
  Material lively = world.materials()[0];
  lively.restitution = 1;
  world.set_material(0, lively);
  for (int i = 0; i < 10; ++i) world.step();
  const BodyState state = world.state(world.bodies()[1]);
  EXPECT_GT(state.position.z, 1);
  EXPECT_NEAR(state.linear_velocity.z, 80, 80 * 1e-5);
}

TEST(Ccd, without_it_what_is_fast_passes_and_what_is_slow_keeps_its_bits) {
  Scene scene = with_ball(box_wall(), {0, 0, 1.0}, {0, 0, -80}, false);
  StepParams params = scene.params();
  params.ccd = false;
  scene.set_params(params);
  EXPECT_NEAR(after(3, scene).position.z, 1 - 3 * 80.0 / 60, 1e-4);
  Scene slow = with_ball(box_wall(), {0, 0, 0.01}, {0, 0, -0.1f}, false);
  World with(slow);
  slow.set_params(params);
  World without(slow);
  for (int i = 0; i < 60; ++i) {
    with.step();
    without.step();
    ASSERT_EQ(without.state_hash(), with.state_hash()) << i;
  }
}

TEST(Ccd, marked_bodies_are_looked_after_from_a_quarter_of_their_size_on) {
  // 4 cm a step: less than the half extent of 5 cm from which on others are
  for (const bool fast : {false, true}) {
    EXPECT_GT(after(60, with_ball(box_wall(), {0, 0, 0.06}, {0, 0, -2.4f}, fast)).position.z, 0.049) << fast;
  }
}

}  // namespace
}  // namespace cairn::ccd_test
