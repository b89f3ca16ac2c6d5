// Penetration against the reference's exact distances, over random poses, and against closed forms.

#include "tests/quality/penetration.h"

#include <random>

#include <gtest/gtest.h>

#include "tests/reference/from_scene.h"

namespace cairn::quality_test {
namespace {

// Both sides work in doubles with sizes of about 1 m and a few dozen operations; the axes of a pair are divided by
// sines down to 1e-6.
constexpr double kTolerance = 1e-9;  // [m]

reference::Pose pose_of(const BodyState& s) { return reference::from_pose(s.position, s.orientation); }

class Penetration : public testing::Test {
 protected:
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  Geometry geometry(int kind) {
    if (kind == 0) return Sphere{uniform(0.1f, 1)};
    if (kind == 1) return Capsule{uniform(0.1f, 0.6f), uniform(0.1f, 1)};
    if (kind == 2) return Box{{uniform(0.1f, 1), uniform(0.1f, 1), uniform(0.1f, 1)}};
    return Plane{{uniform(-1, 1), uniform(-1, 1), uniform(0.1f, 1)}, uniform(-1, 1)};
  }
  BodyState state() {
    BodyState s;
    s.position = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    do {
      s.orientation = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    } while (reference::norm({s.orientation.w, s.orientation.x, s.orientation.y, s.orientation.z}) < 0.1);
    return s;
  }
  std::mt19937 random_{7};
};

TEST_F(Penetration, equals_the_reference_for_every_pair_of_kinds) {
  int overlapping = 0;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      if (a == 3 && b == 3) continue;
      for (int k = 0; k < 300; ++k) {
        const Geometry ga = geometry(a), gb = geometry(b);
        const BodyState sa = state(), sb = state();
        const double distance =
            reference::separation(reference::from_geometry(ga), pose_of(sa), reference::from_geometry(gb), pose_of(sb))
                .distance;
        overlapping += distance < 0 ? 1 : 0;
        ASSERT_NEAR(penetration(ga, sa, gb, sb), std::max(-distance, 0.0), kTolerance)
            << "kinds " << a << ", " << b << ", case " << k;
      }
    }
  }
  EXPECT_GT(overlapping, 1000) << "most cases must overlap to say something";
}

TEST_F(Penetration, of_aligned_boxes_is_the_overlap_of_the_thinnest_side) {
  BodyState a, b;
  b.position = {0.25, 0.5, 0.96875};
  EXPECT_DOUBLE_EQ(penetration(Box{}, a, Box{}, b), 0.03125);
  b.position.z = 1.5;
  EXPECT_EQ(penetration(Box{}, a, Box{}, b), 0);
}

TEST_F(Penetration, of_a_capsule_through_the_middle_of_a_box_counts_its_radius) {
  // the cheapest way out for a segment along z through the middle of a cube is sideways: 0.5 m, and the radius
  EXPECT_NEAR(penetration(Box{}, {}, Capsule{0.125f, 2}, {}), 0.625, kTolerance);
}

TEST_F(Penetration, keeps_its_digits_far_from_the_origin) {
  // positions are doubles: at 1e7 m they are good to 2e-9 m
  BodyState a, b;
  a.position = {1e7, 1e7, 1e7};
  b.position = {1e7, 1e7, 1e7 + 0.9375};
  EXPECT_DOUBLE_EQ(penetration(Box{}, a, Box{}, b), 0.0625);
}

TEST_F(Penetration, of_two_planes_is_none) { EXPECT_EQ(penetration(Plane{}, {}, Plane{}, {}), 0); }

}  // namespace
}  // namespace cairn::quality_test
