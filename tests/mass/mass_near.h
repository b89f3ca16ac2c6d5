#pragma once
// What the closed forms of masses may be off by.

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "cairn/mass.h"

namespace cairn::mass_test {

inline constexpr double kPi = std::numbers::pi;
/// [1] A few dozen double operations, each relative 2^-53; every input of these tests is exact in float.
inline constexpr double kRelative = 64 * std::numeric_limits<double>::epsilon();

inline void expect_near(double got, double want, double relative = kRelative) {
  EXPECT_NEAR(got, want, relative * std::abs(want));
}
inline void expect_moments(const MassProperties& got, double x, double y, double z, double relative = kRelative) {
  expect_near(got.moments.x, x, relative);
  expect_near(got.moments.y, y, relative);
  expect_near(got.moments.z, z, relative);
}
inline void expect_same(const MassProperties& got, const MassProperties& want, double relative = kRelative) {
  expect_near(got.mass, want.mass, relative);
  expect_moments(got, want.moments.x, want.moments.y, want.moments.z, relative);
}

}  // namespace cairn::mass_test
