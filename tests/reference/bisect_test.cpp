#include "tests/reference/bisect.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/reference/closed_forms.h"

namespace cairn::reference {
namespace {

TEST(Bisect, balls_meet_when_their_gap_is_used_up) {
  const MovingShape a{Sphere{0.5}, {{0, 0, 0}, {}}, {1, 0, 0}, {}}, b{Sphere{0.25}, {{4, 0, 0}, {}}, {-2, 0, 0}, {}};
  const auto t = time_of_impact(a, b, 10, 1e-9);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, 3.25 / 3, 2e-9);
}

TEST(Bisect, a_miss_is_no_impact_and_a_graze_is_one) {
  const MovingShape still{Sphere{0.5}, {}, {}, {}};
  const auto passing = [](double y) { return MovingShape{Sphere{0.5}, {{-5, y, 0}, {}}, {1, 0, 0}, {}}; };
  EXPECT_FALSE(time_of_impact(still, passing(1.001), 10, 1e-6));
  const auto t = time_of_impact(still, passing(0.999), 10, 1e-6);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, 5 - std::sqrt(1 - 0.999 * 0.999), 1e-4);
}

TEST(Bisect, a_spinning_rod_hits_with_its_edge) {
  // a thin box of half length 1 turns about z towards a ball whose nearest point is at (0, 0.5, 0)
  const double thick = 0.01, w = 2;
  const MovingShape rod{Box{{1, thick, 0.1}}, {}, {}, {0, 0, w}};
  const MovingShape ball{Sphere{0.25}, {{0, 0.75, 0}, {}}, {}, {}};
  const auto t = time_of_impact(rod, ball, 2, 1e-9);
  ASSERT_TRUE(t);
  // the ball touches the rod's face when its centre is thick + r away: 0.75 cos(w t) = thick + 0.25
  EXPECT_NEAR(*t, std::acos((thick + 0.25) / 0.75) / w, 1e-8);
}

TEST(Bisect, a_bullet_does_not_pass_a_thin_wall) {
  const MovingShape wall{Box{{0.001, 5, 5}}, {}, {}, {}};
  const MovingShape bullet{Sphere{0.01}, {{-300, 0, 0}, {}}, {1000, 0, 0}, {}};
  const auto t = time_of_impact(bullet, wall, 1, 1e-10);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, (300 - 0.011) / 1000, 2e-10);
}

TEST(Bisect, a_fall_under_gravity_lands_when_the_parabola_does) {
  const double h = 5;
  const auto distance = [&](double t) { return projectile({0, 0, h}, {}, {0, 0, -9.81}, t).z; };
  const auto t = time_of_impact(distance, 0.0, 2.0, 9.81 * 2.0, 1e-10);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, std::sqrt(2 * h / 9.81), 1e-9);
}

}  // namespace
}  // namespace cairn::reference
