// The arithmetic of cairn/math.h.

#include "cairn/math.h"

#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace cairn::world_test {
namespace {

using namespace math;

struct Draw {
  std::mt19937_64 engine{7};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3d vector() { return {number(-3, 3), number(-3, 3), number(-3, 3)}; }
};

constexpr double kRounding = 100 * 0x1p-53;  // [1] some tens of operations on lengths of a few

TEST(Math, turns_are_products_of_quaternions) {
  Draw draw;
  for (int i = 0; i < 1000; ++i) {
    const auto a = axis_angle(draw.vector(), draw.number(-4, 4)), b = axis_angle(draw.vector(), draw.number(-4, 4));
    const Vec3d v = draw.vector();
    EXPECT_LT(length(rotate(a * b, v) - rotate(a, rotate(b, v))), kRounding);
    EXPECT_LT(length(rotate(conjugate(a), rotate(a, v)) - v), kRounding);
    EXPECT_NEAR(length(rotate(a, v)), length(v), kRounding);
  }
}

TEST(Math, axis_angle_turns_by_the_right_hand) {
  const auto turned = rotate(axis_angle(Vec3d{0, 0, 5}, std::numbers::pi / 2), Vec3d{1, 0, 0});
  EXPECT_LT(length(turned - Vec3d{0, 1, 0}), kRounding);
}

TEST(Math, quat_between_takes_one_direction_to_the_other_on_the_shortest_way) {
  Draw draw;
  for (int i = 0; i < 3000; ++i) {
    const Vec3d a = draw.vector();
    // any, opposite, nearly opposite, the same
    Vec3d b = draw.vector();
    if (i % 4 != 0) b = (i % 4 == 3 ? 2 : -2) * a;
    if (i % 4 == 2) b += std::pow(10, draw.number(-12, -1)) * draw.vector();
    const auto q = quat_between(a, b);
    EXPECT_LT(length(rotate(q, normalized(a)) - normalized(b)), 1e-13) << i;
    EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, kRounding) << i;
    // cos of half the angle between them; near a half turn it is the distance of a and -b
    EXPECT_NEAR(std::abs(q.w), length(normalized(a) + normalized(b)) / 2, 1e-13) << i;
  }
  EXPECT_LT(length(rotate(quat_between(Vec3{0, 0, 1}, Vec3{0, 0, -1}), Vec3{0, 0, 1}) - Vec3{0, 0, -1}), 1e-6f);
}

TEST(Math, rpy_is_urdfs) {
  // yaw last: x goes to y whatever roll does
  const double quarter = std::numbers::pi / 2;
  EXPECT_LT(length(rotate(from_rpy(0.3, 0.0, quarter), Vec3d{1, 0, 0}) - Vec3d{0, 1, 0}), kRounding);
  EXPECT_LT(length(rotate(from_rpy(quarter, 0.0, quarter), Vec3d{0, 1, 0}) - Vec3d{0, 0, 1}), kRounding);
  EXPECT_LT(length(rotate(from_rpy(0.0, quarter, 0.0), Vec3d{1, 0, 0}) - Vec3d{0, 0, -1}), kRounding);
}

TEST(Math, vectors_take_numbers_of_either_side) {
  Vec3 v = 2 * Vec3{1, 2, 3} - Vec3{1, 1, 1} / 2 + Vec3{0, 0, 1} * 0.5f;
  EXPECT_EQ(v, (Vec3{1.5f, 3.5f, 6}));
  v += {1, 1, 1};
  v -= {0.5f, 0.5f, 0};
  EXPECT_EQ(v, (Vec3{2, 4, 7}));
  EXPECT_EQ(dot(cross(v, Vec3{1, 0, 0}), v), 0);
}

}  // namespace
}  // namespace cairn::world_test
