#include "tests/reference/manifold.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace cairn::reference {
namespace {

constexpr double kManifoldRounding = 1e-12;
const Geometry kCube = Box{{0.5, 0.5, 0.5}};

TEST(Manifold, a_cube_on_a_plane_touches_with_four_corners_and_a_tipped_one_with_two) {
  const Geometry floor = Plane{{0, 0, 1}, 0};
  EXPECT_EQ(manifold(floor, {}, kCube, {{0, 0, 0.5}, {}}, 1e-6).size(), 4u);
  const Pose tipped{{0, 0, std::sqrt(0.5)}, rotation({0, std::numbers::pi / 4, 0})};
  EXPECT_EQ(manifold(floor, {}, kCube, tipped, 1e-6).size(), 2u);
  EXPECT_EQ(manifold(floor, {}, Sphere{0.5}, {{0, 0, 0.5}, {}}, 1e-6).size(), 1u);
  EXPECT_TRUE(manifold(floor, {}, kCube, {{0, 0, 0.6}, {}}, 0.05).empty());
}

TEST(Manifold, a_shifted_cube_touches_over_the_shared_part_of_the_face) {
  const auto touches = manifold(kCube, {}, kCube, {{0.25, 0.5, 0.99}, {}}, 1e-6);
  ASSERT_EQ(touches.size(), 4u);
  for (const Touch& t : touches) {
    EXPECT_NEAR(t.gap, -0.01, kManifoldRounding);
    EXPECT_NEAR(t.normal.z, 1, kManifoldRounding);
    EXPECT_NEAR(std::abs(t.point.x - 0.125), 0.375, kManifoldRounding);
    EXPECT_NEAR(std::abs(t.point.y - 0.25), 0.25, kManifoldRounding);
  }
}

TEST(Manifold, a_cube_turned_by_45_degrees_on_another_touches_in_an_octagon) {
  const auto touches = manifold(kCube, {}, kCube, {{0, 0, 1}, rotation({0, 0, std::numbers::pi / 4})}, 1e-6);
  EXPECT_EQ(touches.size(), 8u);
}

TEST(Manifold, crossed_edges_touch_in_one_point_between_them) {
  // one cube on edge along x, the other on edge along y above it
  const double r = std::sqrt(0.5);
  const Pose low{{}, rotation({std::numbers::pi / 4, 0, 0})},
      high{{0.1, 0.2, 2 * r - 0.001}, rotation({0, std::numbers::pi / 4, 0})};
  const auto touches = manifold(kCube, low, kCube, high, 1e-6);
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_NEAR(touches[0].gap, -0.001, kManifoldRounding);
  EXPECT_NEAR(length(touches[0].point - Vec3{0.1, 0, r - 0.0005}), 0, kManifoldRounding);
}

TEST(Manifold, a_lying_capsule_touches_a_box_with_its_two_ends_cut_at_the_edge) {
  const Pose lying{{0.4, 0, 0.75}, rotation({0, std::numbers::pi / 2, 0})};
  for (const bool flipped : {false, true}) {
    const Geometry pill = Capsule{0.25, 0.5};
    const auto touches = flipped ? manifold(pill, lying, kCube, {}, 1e-6) : manifold(kCube, {}, pill, lying, 1e-6);
    ASSERT_EQ(touches.size(), 2u);
    EXPECT_NEAR(std::max(touches[0].point.x, touches[1].point.x), 0.5, kManifoldRounding);
    EXPECT_NEAR(std::min(touches[0].point.x, touches[1].point.x), -0.1, kManifoldRounding);
    EXPECT_NEAR(touches[0].normal.z, flipped ? -1 : 1, kManifoldRounding);
  }
}

}  // namespace
}  // namespace cairn::reference
