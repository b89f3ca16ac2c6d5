#include "tests/reference/distance.h"

#include <numbers>
#include <random>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>

namespace cairn::reference {
namespace {

// a few hundred operations on lengths of order 1
constexpr double kDistanceRounding = 1e-12;

struct Draw {
  std::mt19937_64 engine;
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Pose pose(double size) { return {vector(size), rotation(vector(3))}; }
  Geometry shape() {
    switch (std::uniform_int_distribution<int>(0, 2)(engine)) {
      case 0:
        return Sphere{number(0.2, 1)};
      case 1:
        return Box{{number(0.2, 1), number(0.2, 1), number(0.2, 1)}};
      default:
        return Capsule{number(0.2, 1), number(0.2, 1)};
    }
  }
};

// shadow of a shape's end on n
double support(const Geometry& shape, const Pose& pose, Vec3 n) {
  const Zonotope z = zonotope(shape, pose.q);
  double reach = dot(n, pose.x) + z.radius;
  for (Vec3 g : z.generators) reach += std::abs(dot(n, g));
  return reach;
}

TEST(Distance, axis_aligned_pairs_have_the_distance_one_reads_off) {
  const Geometry cube = Box{{0.5, 0.5, 0.5}}, ball = Sphere{0.5}, pill = Capsule{0.25, 0.5};
  const auto at = [](double x, double y, double z) { return Pose{{x, y, z}, {}}; };
  EXPECT_NEAR(separation(ball, at(0, 0, 0), ball, at(3, 4, 0)).distance, 4, kDistanceRounding);
  EXPECT_NEAR(separation(cube, at(0, 0, 0), cube, at(0, 0, 0.9)).distance, -0.1, kDistanceRounding);
  EXPECT_NEAR(separation(cube, at(0, 0, 0), cube, at(1.3, 1.4, 0)).distance, 0.5, kDistanceRounding);
  EXPECT_NEAR(separation(cube, at(0, 0, 0), cube, at(1.3, 1.4, 0)).separating_axis, 0.4, kDistanceRounding);
  EXPECT_NEAR(separation(cube, at(0, 0, 0), ball, at(0.1, 0, 0)).distance, -0.9, kDistanceRounding);
  EXPECT_NEAR(separation(pill, at(0, 0, 0), ball, at(0, 0, 2)).distance, 0.75, kDistanceRounding);
  EXPECT_NEAR(separation(pill, at(0, 0, 0), cube, at(0, 0.6, 0)).distance, -0.15, kDistanceRounding);
  // an upright pill through a cube leaves sideways, one in the cube's corner up
  EXPECT_NEAR(separation(pill, at(0.4, 0, 0), cube, at(0, 0, 0)).distance, -0.35, kDistanceRounding);
  EXPECT_NEAR(separation(pill, at(0, 0, 0.9), cube, at(0, 0, 0)).distance, -0.35, kDistanceRounding);
}

TEST(Distance, planes_are_measured_from_the_deepest_point) {
  const Pose tilted{{0, 0, 1}, rotation({std::numbers::pi / 4, 0, 0})};
  const Geometry floor = Plane{{0, 0, 1}, 0.25};
  const Separation s = separation(floor, {}, Box{{0.5, 0.5, 0.5}}, tilted);
  EXPECT_NEAR(s.distance, 0.75 - std::sqrt(0.5), kDistanceRounding);
  EXPECT_NEAR(separation(Capsule{0.1, 1}, tilted, floor, {}).distance, 0.65 - std::sqrt(0.5), kDistanceRounding);
  EXPECT_NEAR(separation(Capsule{0.1, 1}, tilted, floor, {}).normal.z, -1, kDistanceRounding);
  EXPECT_THROW(separation(floor, {}, floor, {}), std::invalid_argument);
}

TEST(Distance, signed_distance_of_a_point_is_negative_inside) {
  EXPECT_NEAR(signed_distance({0, 0, 0.3}, Box{{1, 1, 0.5}}, {}), -0.2, kDistanceRounding);
  EXPECT_NEAR(signed_distance({0, 0, 0}, Sphere{0.5}, {}), -0.5, kDistanceRounding);
  EXPECT_NEAR(signed_distance({3, 0, 5}, Capsule{1, 1}, {}), 4, kDistanceRounding);
}

TEST(Distance, of_random_pairs_is_consistent_with_its_points_its_mirror_and_its_own_translation) {
  Draw draw{std::mt19937_64(1)};
  int apart = 0, overlapping = 0;
  for (int i = 0; i < 3000; ++i) {
    const Geometry a = draw.shape(), b = draw.shape();
    const Pose pa = draw.pose(0.8), pb = draw.pose(0.8);
    const Separation s = separation(a, pa, b, pb);
    (s.distance > 0 ? apart : overlapping)++;
    SCOPED_TRACE(i);
    ASSERT_NEAR(length(s.normal), 1, kDistanceRounding);
    ASSERT_NEAR(length(s.point_b - s.point_a - s.distance * s.normal), 0, kDistanceRounding);
    ASSERT_LE(s.separating_axis, s.distance + kDistanceRounding);
    ASSERT_NEAR(separation(b, pb, a, pa).distance, s.distance, kDistanceRounding);
    // each point lies on its shape's surface
    ASSERT_NEAR(signed_distance(s.point_a, a, pa), 0, kDistanceRounding);
    ASSERT_NEAR(signed_distance(s.point_b, b, pb), 0, kDistanceRounding);
    // moved by its own distance along its normal, the pair just touches
    const Pose moved{pb.x - s.distance * s.normal, pb.q};
    ASSERT_NEAR(separation(a, pa, b, moved).distance, 0, kDistanceRounding);
  }
  EXPECT_GT(apart, 300);
  EXPECT_GT(overlapping, 300);
}

TEST(Distance, no_direction_separates_by_more_or_frees_by_less) {
  // For convex bodies the signed distance is the largest gap between shadows over all directions: above zero as the
  // distance, below as the depth. Sampled directions stay under it, and those near the normal come close.
  Draw draw{std::mt19937_64(2)};
  for (int i = 0; i < 300; ++i) {
    const Geometry a = draw.shape(), b = draw.shape();
    const Pose pa = draw.pose(0.8), pb = draw.pose(0.8);
    const Separation s = separation(a, pa, b, pb);
    const auto gap = [&](Vec3 n) { return -support(b, pb, -n) - support(a, pa, n); };
    for (int k = 0; k < 300; ++k) {
      const Vec3 n = normalized(k % 2 ? draw.vector(1) : s.normal + draw.vector(0.05));
      ASSERT_LE(gap(n), s.distance + kDistanceRounding) << i;
    }
    ASSERT_NEAR(gap(s.normal), s.distance, kDistanceRounding) << i;
  }
}

TEST(Distance, degenerate_pairs_keep_their_depth_and_have_a_unit_normal) {
  const Geometry ball = Sphere{0.5}, pill = Capsule{0.25, 0.5}, cube = Box{{0.5, 0.5, 0.5}};
  const Pose turned{{}, rotation({0, 1, 0})};
  for (const auto& [a, b, pose, depth] : {std::tuple{ball, ball, Pose{}, 1.0},
                                          {pill, ball, Pose{}, 0.75},
                                          {pill, pill, Pose{}, 0.5},
                                          {pill, pill, turned, 0.5},
                                          {pill, pill, Pose{{0, 0, 0.3}, {}}, 0.5},
                                          {cube, cube, Pose{}, 1.0},
                                          {cube, ball, Pose{}, 1.0}}) {
    const Separation s = separation(a, {}, b, pose);
    EXPECT_NEAR(s.distance, -depth, kDistanceRounding);
    EXPECT_NEAR(length(s.normal), 1, kDistanceRounding);
  }
}

TEST(Distance, faces_that_all_but_touch_keep_the_face_normal) {
  // the line between nearest points is rounding here; the normal must come from the axis
  const Geometry cube = Box{{0.5, 0.5, 0.5}};
  for (const double gap : {0.0, 1e-15, 1e-12, 1e-9, -1e-12}) {
    const Separation s = separation(cube, {}, cube, {{0.2, -0.3, 1 + gap}, rotation({0, 0, 0.4})});
    EXPECT_NEAR(s.normal.z, 1, 1e-15) << gap;
    EXPECT_NEAR(s.distance, gap, 1e-15 * 4) << gap;
  }
}

}  // namespace
}  // namespace cairn::reference
