// The mass of a friction block, which is the inverse of its 2x2 matrix W of inverse masses, over all ratios of its two
// directions.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "kernels/solve/row_friction.h"

namespace cairn::kernels::verify_test {
namespace {

struct Symmetric {
  double xx, xy, yy;
};

/// Eigenvalues 1 and `least`, times `scale`; the stiff direction is turned by `angle` off x.
Symmetric block(double least, double scale, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {scale * (c * c + least * s * s), scale * (1 - least) * c * s, scale * (s * s + least * c * c)};
}

/// The eigenvalues of M W. What is left of a velocity v by an impulse -M v is (1 - W M) v.
std::pair<double, double> eigenvalues_of_product(const BlockMass<float>& m, const Symmetric& w) {
  const double a = m.xx * w.xx + m.xy * w.xy, b = m.xx * w.xy + m.xy * w.yy;
  const double c = m.xy * w.xx + m.yy * w.xy, d = m.xy * w.xy + m.yy * w.yy;
  const double half = 0.5 * (a + d), det = a * d - b * c, root = std::sqrt(std::max(half * half - det, 0.0));
  return {half - root, half + root};
}

class BlockMassOf : public testing::Test {
 protected:
  std::mt19937 random{7};
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  /// A float next to it, or the one after that: what the sums that a block is made of may be off by.
  float rounded(double a, double largest) {
    return static_cast<float>(a + uniform(-1, 1) * largest * std::numeric_limits<float>::epsilon() / 2);
  }
};

// However ill-conditioned, and with each entry off by the rounding of the largest: a sweep never makes slip grow.
TEST_F(BlockMassOf, any_ratio_and_direction_takes_no_more_than_twice_the_slip) {
  for (int i = 0; i < 200000; ++i) {
    const double least = std::pow(10.0, uniform(-14, 0)), scale = std::pow(10.0, uniform(-30, 30));
    // half of them near the axes, where an entry is nearly 0
    const double turn = i % 2 == 0 ? uniform(0, std::numbers::pi) : std::pow(10.0, uniform(-9, 0));
    const Symmetric w = block(least, scale, turn);
    const BlockMass<float> m = block_mass(rounded(w.xx, scale), rounded(w.xy, scale), rounded(w.yy, scale));
    const auto [low, high] = eigenvalues_of_product(m, w);
    ASSERT_GT(low, -1e-6) << least << " " << scale << " " << turn;
    ASSERT_LT(high, 2) << least << " " << scale << " " << turn;
    // the soft direction, in which bodies give way, is right: it has all but the last digits of W
    ASSERT_NEAR(high, 1, least > 1e-4 ? 1e-2 : 1) << least << " " << scale << " " << turn;
  }
}

// Of W known but for its last digits, the inverse has a relative error of as many of them as its condition.
TEST_F(BlockMassOf, a_ratio_up_to_10000_inverts_both_directions) {
  constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
  for (int i = 0; i < 100000; ++i) {
    const double least = std::pow(10.0, uniform(-4, 0)), scale = std::pow(10.0, uniform(-30, 30));
    const Symmetric w = block(least, scale, uniform(0, std::numbers::pi));
    const BlockMass<float> m = block_mass(static_cast<float>(w.xx), static_cast<float>(w.xy), static_cast<float>(w.yy));
    const auto [low, high] = eigenvalues_of_product(m, w);
    const double allowed = 8 * kEpsilon / least;
    ASSERT_NEAR(low, 1, allowed) << least << " " << scale;
    ASSERT_NEAR(high, 1, allowed) << least << " " << scale;
  }
}

// A robot that moves in a plane gives way along one direction: there it gets its mass, whatever the direction.
TEST_F(BlockMassOf, one_direction_has_the_mass_along_that) {
  for (int i = 0; i < 100000; ++i) {
    const double scale = std::pow(10.0, uniform(-30, 30)), angle = uniform(0, std::numbers::pi);
    const Symmetric w = block(0, scale, angle);
    const BlockMass<float> m = block_mass(rounded(w.xx, scale), rounded(w.xy, scale), rounded(w.yy, scale));
    const double x = std::cos(angle), y = std::sin(angle);
    const double along = m.xx * x * x + 2 * m.xy * x * y + m.yy * y * y;
    ASSERT_NEAR(along * scale, 1, 1e-6) << scale << " " << angle;
  }
  const BlockMass<float> none = block_mass(0.0f, 0.0f, 0.0f);
  EXPECT_EQ(none.xx, 0.0f);
  EXPECT_EQ(none.xy, 0.0f);
  EXPECT_EQ(none.yy, 0.0f);
}

}  // namespace
}  // namespace cairn::kernels::verify_test
