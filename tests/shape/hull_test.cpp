// Convex hulls: their counts, their planes, and what is refused.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "kernels/common/vec.h"
#include "src/shape/data.h"
#include "tests/support/refusal.h"

namespace cairn::shape_test {
namespace {

using kernels::dot;
using testing_support::refusal_of;

std::vector<Vec3> cube_corners(float half) {
  std::vector<Vec3> out;
  for (const float x : {-half, half}) {
    for (const float y : {-half, half}) {
      for (const float z : {-half, half}) out.push_back({x, y, z});
    }
  }
  return out;
}

/// A spiral with equal areas between its turns.
std::vector<Vec3> on_a_sphere(int n, double radius) {
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i) {
    const double z = 1 - (2.0 * i + 1) / n, r = std::sqrt(1 - z * z);
    const double angle = std::numbers::pi * (3 - std::sqrt(5.0)) * i;
    out.push_back(kernels::narrow(Vec3d{radius * r * std::cos(angle), radius * r * std::sin(angle), radius * z}));
  }
  return out;
}

std::vector<Vec3> in_a_ball(std::size_t n) {
  std::mt19937 random(7);
  std::vector<Vec3> out;
  while (out.size() < n) {
    const auto next = [&] { return static_cast<float>(random()) * 0x1p-31f - 1; };
    const Vec3 p{next(), next(), next()};
    if (dot(p, p) <= 1) out.push_back(p);
  }
  return out;
}

/// Many orientations, by a number.
Quat turn(float angle) { return kernels::normalized(Quat{std::sin(angle), 0.3f * std::cos(angle), 0.1f * angle, 1}); }

std::string why_not(const std::vector<Vec3>& points) {
  return refusal_of([&] { const ConvexHull hull(points); });
}

/// A float's half rounding of each coordinate, of the normal's three components and of the offset; and what corners of
/// one face may be off its plane (src/shape/hull.cpp).
void expect_sound(const ConvexHull& hull, const std::vector<Vec3>& points) {
  const detail::HullData& data = *hull.data();
  double most = 0;
  for (const Vec3& p : points) most = std::max(most, double{kernels::max_component(kernels::abs(p))});
  const double rounding = 8 * 0x1p-24 * most, flush = 8 * 0x1p-24 * most;
  std::size_t half_edges = 0;
  for (const kernels::HullFace& face : data.faces) {
    ASSERT_GE(face.count, 3u);
    half_edges += face.count;
    EXPECT_NEAR(kernels::length(face.normal), 1, 0x1p-22);
    for (const Vec3& p : points)
      EXPECT_LE(dot(kernels::widen(face.normal), kernels::widen(p)), double{face.offset} + rounding + flush);
    Vec3d turn{};
    for (std::uint32_t k = 0; k < face.count; ++k) {
      const auto corner = [&](std::uint32_t i) {
        return kernels::widen(data.vertices[data.corners[face.first + i % face.count]]);
      };
      EXPECT_NEAR(dot(kernels::widen(face.normal), corner(k)), double{face.offset}, rounding + flush);
      turn = kernels::operator+(turn, kernels::cross(corner(k), corner(k + 1)));
    }
    EXPECT_GT(dot(turn, kernels::widen(face.normal)), 0) << "corners go counter-clockwise";
    EXPECT_LT(dot(face.normal, data.centre), face.offset);
  }
  EXPECT_EQ(data.corners.size(), half_edges);
  EXPECT_EQ(data.vertices.size() + data.faces.size(), half_edges / 2 + 2) << "Euler's formula";
}

void expect_hull(const std::vector<Vec3>& points, std::size_t vertices, std::size_t faces) {
  const ConvexHull hull(points);
  EXPECT_EQ(hull.vertices().size(), vertices);
  EXPECT_EQ(hull.data()->faces.size(), faces);
  expect_sound(hull, points);
}

TEST(Hull, of_a_cubes_corners_has_six_faces_of_four_corners) {
  const auto points = cube_corners(0.5f);
  const ConvexHull hull(points);
  EXPECT_EQ(std::vector<Vec3>(hull.vertices().begin(), hull.vertices().end()), points);
  ASSERT_EQ(hull.data()->faces.size(), 6u);
  for (const auto& face : hull.data()->faces) {
    EXPECT_EQ(face.count, 4u);
    EXPECT_EQ(face.offset, 0.5f);
    EXPECT_EQ(kernels::max_component(kernels::abs(face.normal)), 1.0f);
  }
  EXPECT_EQ(hull.data()->lower, (Vec3{-0.5f, -0.5f, -0.5f}));
  EXPECT_EQ(hull.data()->centre, (Vec3{}));
  expect_sound(hull, points);
}

TEST(Hull, of_a_turned_cube_far_off_centre_keeps_six_faces) {
  for (int k = 1; k < 200; ++k) {
    SCOPED_TRACE(k);
    const float angle = 0.031f * static_cast<float>(k);
    std::vector<Vec3> points;
    for (const Vec3& p : cube_corners(0.5f))
      points.push_back(kernels::operator+(kernels::rotate(turn(angle), p), Vec3{0.01f * angle, 3, -2}));
    expect_hull(points, 8, 6);
  }
}

TEST(Hull, of_an_icosahedron_has_twenty_triangles) {
  const float g = std::numbers::phi_v<float>;
  const std::vector<Vec3> points{{0, 1, g},  {0, -1, g},  {0, 1, -g}, {0, -1, -g}, {1, g, 0},  {-1, g, 0},
                                 {1, -g, 0}, {-1, -g, 0}, {g, 0, 1},  {-g, 0, 1},  {g, 0, -1}, {-g, 0, -1}};
  expect_hull(points, 12, 20);
}

TEST(Hull, keeps_every_point_of_a_sphere) {
  for (const int n : {256, 1024}) {
    const auto points = on_a_sphere(n, 2.5);
    const ConvexHull hull(points);
    EXPECT_EQ(hull.vertices().size(), points.size());
    expect_sound(hull, points);
  }
  EXPECT_NE(why_not(on_a_sphere(1025, 1)).find("at most 1024 vertices, has 1025"), std::string::npos);
}

TEST(Hull, of_a_million_points_in_a_cube_takes_seconds_and_in_a_ball_is_refused) {
  std::vector<Vec3> points = in_a_ball(1'000'000);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(why_not(points).find("must have at most 1024 vertices, has"), std::string::npos);
  const auto corners = cube_corners(1);
  points.insert(points.begin() + 1000, corners.begin(), corners.end());
  const ConvexHull hull(points);
  EXPECT_EQ(std::vector<Vec3>(hull.vertices().begin(), hull.vertices().end()), corners);
  RecordProperty("seconds", static_cast<int>((std::chrono::steady_clock::now() - start).count() / 1'000'000'000));
}

TEST(Hull, leaves_out_points_on_faces_and_edges_whatever_their_rounding) {
  std::mt19937 random(3);
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(k);
    const Quat q = turn(0.11f * static_cast<float>(k));
    std::vector<Vec3> points;
    for (int x = -4; x <= 4; ++x) {
      for (int y = -4; y <= 4; ++y) {
        for (int z = -4; z <= 4; ++z) {
          points.push_back(kernels::rotate(
              q, Vec3{0.25f * static_cast<float>(x), 0.1f * static_cast<float>(y), 0.3f * static_cast<float>(z)}));
        }
      }
    }
    std::shuffle(points.begin(), points.end(), random);
    expect_hull(points, 8, 6);
  }
}

TEST(Hull, bears_thin_plates_and_needles_and_sizes_of_every_kind) {
  for (const Vec3 half : {Vec3{1000, 1000, 0.01f}, Vec3{1e-3f, 1e-3f, 50}, Vec3{1e-6f, 1e-6f, 1e-6f},
                          Vec3{1e6f, 1e6f, 1e6f}, Vec3{1, 1, 1e-5f}}) {
    std::vector<Vec3> points;
    for (const Vec3& p : cube_corners(1)) points.push_back(kernels::mul(p, half));
    const ConvexHull hull(points);
    EXPECT_EQ(hull.data()->faces.size(), 6u);
    expect_sound(hull, points);
  }
}

TEST(Hull, is_the_same_whatever_else_was_given_and_whoever_asks) {
  auto points = on_a_sphere(200, 1);
  const ConvexHull hull(points);
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) points.push_back(points[i]);
  points.push_back({0, 0, 0});
  points.push_back({-0.0f, 0, 0});
  const ConvexHull again(points);
  EXPECT_EQ(hull, again);
  EXPECT_EQ(hull.data()->corners, again.data()->corners);
  EXPECT_EQ(hull.data()->hash, again.data()->hash);
  const ConvexHull copy = again;
  EXPECT_EQ(copy.data(), again.data());
  points[0].x += 0.01f;
  EXPECT_NE(ConvexHull(points), hull);
  EXPECT_NE(ConvexHull(), hull);
  EXPECT_EQ(ConvexHull(), ConvexHull());
}

TEST(Hull, of_its_own_vertices_is_itself) {
  std::mt19937 random(11);
  for (int k = 0; k < 300; ++k) {
    std::vector<Vec3> points;
    const auto n = 4 + random() % 60;
    for (std::size_t i = 0; i < n; ++i) {
      const auto next = [&] { return static_cast<float>(static_cast<int>(random() % 9) - 4) * 0.37f; };
      points.push_back({next(), next(), next()});
    }
    try {
      const ConvexHull hull(points);
      expect_sound(hull, points);
      const ConvexHull again(hull.vertices());
      EXPECT_EQ(hull, again);
      EXPECT_EQ(hull.data()->corners, again.data()->corners);
    } catch (const InvalidArgument& e) {
      EXPECT_NE(std::string(e.what()).find("span a volume"), std::string::npos) << e.what();
    }
  }
}

TEST(Hull, of_what_spans_no_volume_is_refused) {
  std::vector<Vec3> flat, tilted, line;
  for (int i = 0; i < 30; ++i) {
    const float a = 0.7f * static_cast<float>(i), r = 0.1f * static_cast<float>(i);
    flat.push_back({r * std::cos(a), r * std::sin(a), 0.3f});
    tilted.push_back(kernels::rotate(kernels::normalized(Quat{0.3f, 0.2f, 0.1f, 1}), flat.back()));
    line.push_back({r, 2 * r, 3 * r});
  }
  EXPECT_NE(why_not(flat).find("must span a volume"), std::string::npos);
  EXPECT_NE(why_not(tilted).find("must span a volume"), std::string::npos);
  EXPECT_NE(why_not(line).find("must span a volume"), std::string::npos);
  EXPECT_NE(why_not(std::vector<Vec3>(1000, Vec3{1, 2, 3})).find("must span a volume"), std::string::npos);
  EXPECT_NE(why_not({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("must be of 4 to"), std::string::npos);
  EXPECT_NE(why_not({}).find("is of 0"), std::string::npos);
}

TEST(Hull, of_points_that_are_not_finite_is_refused_by_number) {
  auto points = cube_corners(1);
  points[5].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(why_not(points).find("point 5 must be finite, is (1, nan, 1)"), std::string::npos) << why_not(points);
  points[5].y = std::numeric_limits<float>::infinity();
  EXPECT_NE(why_not(points).find("point 5"), std::string::npos);
}

TEST(Hull, of_the_largest_and_smallest_floats_is_made_or_refused) {
  for (const float scale : {3e38f, 1e30f, 1e-30f, 1e-38f, 1e-44f}) {
    std::vector<Vec3> points = cube_corners(scale);
    points.push_back({scale / 3, scale / 5, 0});
    const std::string why = why_not(points);
    EXPECT_TRUE(why.empty() || why.starts_with("convex hull:")) << why;
  }
}

}  // namespace
}  // namespace cairn::shape_test
