// What constraints measure, against closed forms; their gradients against differences.

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "kernels/particles/measure_constraint.h"

namespace cairn::kernels::particles_test {
namespace {

using Points = Vec3d[kConstraintEnds];

TEST(ConstraintMeasure, of_a_fold_is_its_angle_over_0_for_a_ridge) {
  for (const double angle : {-3.0, -1.0, 0.0, 0.5, 2.0, 3.1}) {
    // each wing hangs down from the edge, which lies along x, by half the angle
    const double c = std::cos(angle / 2), s = std::sin(angle / 2);
    const Points r = {{0, 0, 0}, {2, 0, 0}, {0.7, 3 * c, -3 * s}, {1.5, -2 * c, -2 * s}};
    EXPECT_NEAR(bend_of(r).value, angle, 1e-11);
  }
}

TEST(ConstraintMeasure, of_a_tetrahedron_is_its_volume_with_its_sign) {
  const Points r = {{1, 1, 1}, {3, 1, 1}, {1, 4, 1}, {1, 1, 5}}, mirrored = {r[0], r[2], r[1], r[3]};
  EXPECT_NEAR(volume_of(r).value, 2.0 * 3.0 * 4.0 / 6.0, 1e-14);
  EXPECT_NEAR(volume_of(mirrored).value, -4.0, 1e-14);
}

TEST(ConstraintMeasure, of_points_without_a_direction_is_none) {
  const Points together = {{1, 2, 3}, {1, 2, 3}, {}, {}}, line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  EXPECT_FALSE(stretch_of(together).good);
  EXPECT_FALSE(bend_of(line).good);
}

/// Central differences of e have an error of e^2 C''' / 6 + eps / e: with e = 1e-5 some 1e-9 of C's scale.
TEST(ConstraintMeasure, has_the_gradient_that_differences_have) {
  std::mt19937_64 random(3);
  const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  for (const DeviceConstraintKind kind :
       {DeviceConstraintKind::kStretch, DeviceConstraintKind::kBend, DeviceConstraintKind::kVolume}) {
    for (int i = 0; i < 100; ++i) {
      Points r;
      for (Vec3d& p : r) p = {draw(), draw(), draw()};
      const ConstraintMeasure<double> m = measure(kind, r);
      // flat triangles bend fast
      if (!m.good || length(m.by[2]) + length(m.by[3]) > 20) continue;
      Vec3d sum{0, 0, 0};
      for (std::uint32_t k = 0; k < ends_of(kind); ++k) {
        sum = sum + m.by[k];
        const double got[3] = {m.by[k].x, m.by[k].y, m.by[k].z};
        for (int axis = 0; axis < 3; ++axis) {
          constexpr double e = 1e-5;
          const auto at = [&](double d) {
            Points moved = {r[0], r[1], r[2], r[3]};
            (axis == 0 ? moved[k].x : axis == 1 ? moved[k].y : moved[k].z) += d;
            return measure(kind, moved).value;
          };
          const double change = std::remainder(at(e) - at(-e), 2 * std::numbers::pi);
          EXPECT_NEAR(got[axis], change / (2 * e), 1e-5) << static_cast<int>(kind) << ", draw " << i;
        }
      }
      // what moves all of it changes nothing: momentum is kept
      EXPECT_LT(length(sum), 1e-12);
    }
  }
}

}  // namespace
}  // namespace cairn::kernels::particles_test
