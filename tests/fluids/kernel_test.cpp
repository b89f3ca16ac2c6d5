// The weights of the density: what they add up to, and their slopes.

#include "kernels/fluids/kernel.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace cairn::kernels::fluids_test {
namespace {

// A cubic lattice that fills space has the density that its masses give.
TEST(FluidKernel, counts_a_lattice_as_full) {
  double sum = 0;
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      for (int z = -2; z <= 2; ++z) sum += double{spline(std::sqrt(static_cast<float>(x * x + y * y + z * z)))};
    }
  }
  EXPECT_NEAR(sum, 1, 3e-4);
}

// 4 pi integral q^2 W dq = 1, by the midpoint rule, whose error is of the order of the step squared.
TEST(FluidKernel, is_one_in_all) {
  constexpr int kSteps = 2000;
  constexpr double kStep = 2.0 / kSteps;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double q = (i + 0.5) * kStep;
    sum += 4 * std::numbers::pi * q * q * double{spline(static_cast<float>(q))} * kStep;
  }
  EXPECT_NEAR(sum, 1, 4 * kStep * kStep + 1e-6);
}

TEST(FluidKernel, has_the_slopes_of_its_weights) {
  constexpr float kStep = 1e-3f;
  for (float q = 0.05f; q < 2.2f; q += 0.07f) {
    const float slope = (spline(q + kStep) - spline(q - kStep)) / (2 * kStep);
    EXPECT_NEAR(spline_slope(q), slope, 2e-4) << q;
    const float z = 0.5f * q, wall = (own_image_at(z + kStep).share - own_image_at(z - kStep).share) / (2 * kStep);
    EXPECT_NEAR(own_image_at(z).slope, wall, 3e-3) << z;
  }
  EXPECT_EQ(spline(2.0f), 0);
  EXPECT_EQ(own_image_at(1.0f).share, 0);
}

}  // namespace
}  // namespace cairn::kernels::fluids_test
