#pragma once
// What the closed forms of masses may be off by.

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace cairn::mass_test {

inline constexpr double kPi = std::numbers::pi;
/// [1] A few dozen double operations, each relative 2^-53; every input of these tests is exact in float.
inline constexpr double kRelative = 64 * std::numeric_limits<double>::epsilon();

inline void expect_near(double got, double want, double relative = kRelative) {
  EXPECT_NEAR(got, want, relative * std::abs(want));
}

}  // namespace cairn::mass_test
