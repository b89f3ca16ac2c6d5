// What a new manifold keeps of the load of the old one, where two boxes have more points than it has room for.

#include <set>

#include <gtest/gtest.h>

#include "kernels/collide/update_manifold.h"
#include "tests/collide/oracle.h"

namespace cairn::oracle {
namespace {

using kernels::Manifold;

using kernels::operator*;
using kernels::operator+;

/// Two unit boxes, 1 mm in each other, the upper one yawed by 45 degrees: eight points, 45 degrees apart from 22.5 on.
/// The upper one leans by `lean` [rad] towards `azimuth` [rad], where it is deepest.
ContactPoints octagon(double azimuth, double lean, const Manifold* old) {
  const auto part = [](double x) { return static_cast<float>(x); };
  const Quat yawed{0, 0, part(std::sin(M_PI / 8)), part(std::cos(M_PI / 8))};
  const double s = std::sin(lean / 2);
  const Quat leaning{part(-s * std::sin(azimuth)), part(s * std::cos(azimuth)), 0, part(std::cos(lean / 2))};
  const ShapePose lower{{0, 0, 0}, {}}, upper{{0, 0, 0.999f}, leaning * yawed};
  return kernels::collide_shapes(kUnit, lower, kUnit, upper, kUnitMargin, {}, old);
}

/// Of those points, each with an impulse of so many N s.
Manifold manifold_of(const ContactPoints& c, float impulse) {
  Manifold m{};
  m.count = c.count;
  m.normal = c.normal;
  for (std::uint32_t i = 0; i < c.count; ++i) {
    m.points[i].r_a = c.point[i].a;
    m.points[i].r_b = c.point[i].b;
    m.points[i].impulse = impulse;
    m.points[i].feature = c.point[i].feature;
  }
  return m;
}

TEST(KeptLoad, what_rocks_on_an_octagon_keeps_the_four_points_that_carry) {
  // leaning towards its corners in turn it would have the one four and then the other; corners that are not a square's
  // differ in depth by lean x 0.54 m x (1 - 1 / sqrt 2) at most, 0.06 mm here, and 0.2 mm are allowed
  std::set<std::set<std::uint32_t>> of_their_own;
  for (int i = 0; i < 8; ++i) {
    const ContactPoints before = octagon((i + 0.5) * M_PI / 4, 4e-4, nullptr);
    ASSERT_EQ(before.count, 4u);
    of_their_own.insert(features(before));
    const Manifold carried = manifold_of(before, 1.0f), idle = manifold_of(before, 0.0f);
    for (int k = 0; k < 8; ++k) {
      const double next = (k + 0.5) * M_PI / 4;
      EXPECT_EQ(features(octagon(next, 4e-4, &carried)), features(before)) << i << " " << k;
      EXPECT_EQ(features(octagon(next, 4e-4, &idle)), features(octagon(next, 4e-4, nullptr))) << i << " " << k;
    }
  }
  EXPECT_EQ(of_their_own.size(), 2u);
}

TEST(KeptLoad, gives_way_where_another_point_is_much_deeper) {
  // by 3 mm of 12 mm, which is over a fifth
  const ContactPoints before = octagon(0.5 * M_PI / 4, 0.02, nullptr), after = octagon(1.5 * M_PI / 4, 0.02, nullptr);
  ASSERT_NE(features(before), features(after));
  const auto deepest = [](const ContactPoints& c) {
    float least = 0.0f;
    for (std::uint32_t i = 0; i < c.count; ++i) least = std::min(least, c.point[i].separation);
    return least;
  };
  const Manifold carried = manifold_of(before, 1.0f);
  EXPECT_EQ(deepest(octagon(1.5 * M_PI / 4, 0.02, &carried)), deepest(after));
}

TEST(KeptLoad, of_points_that_are_gone_goes_to_the_nearest) {
  const ContactPoints c = octagon(0, 0, nullptr);
  ASSERT_EQ(c.count, 4u);
  Manifold old = manifold_of(c, 0.0f);
  const float given[] = {1.0f, 2.0f, 4.0f, 8.0f};
  for (std::uint32_t i = 0; i < 4; ++i) old.points[i].impulse = given[i];
  // the first is still there, the others have new names, a little aside of their places and in another order
  Manifold m = manifold_of(c, 0.0f);
  const std::uint32_t at[] = {2, 3, 1, 0};  // where each is now
  for (std::uint32_t i = 0; i < 4; ++i) {
    m.points[at[i]].r_a = old.points[i].r_a + Vec3{0.05f, 0.0f, 0.0f};
    m.points[at[i]].r_b = old.points[i].r_b + Vec3{0.05f, 0.0f, 0.0f};
    m.points[at[i]].feature = i == 0 ? old.points[0].feature : ~old.points[i].feature;
  }
  m.points[at[0]].impulse = 0.5f;  // taken over by name
  hand_over(m, old, 0.5f);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(m.points[at[i]].impulse, 0.5f * given[i]) << i;

  // one point has all three that are gone
  m.count = 1;
  m.points[0].feature = old.points[0].feature;
  m.points[0].impulse = 1.0f;
  hand_over(m, old, 1.0f);
  EXPECT_EQ(m.points[0].impulse, 1.0f + 2.0f + 4.0f + 8.0f);

  // along a normal at 60 degrees half of it, and nothing backwards
  m.normal = {std::sqrt(0.75f), 0, 0.5f};
  m.points[0].impulse = 0.0f;
  hand_over(m, old, 1.0f);
  EXPECT_EQ(m.points[0].impulse, 0.5f * (2.0f + 4.0f + 8.0f));
  m.normal = {0, 0, -1};
  hand_over(m, old, 1.0f);
  EXPECT_EQ(m.points[0].impulse, 0.5f * (2.0f + 4.0f + 8.0f));
}

}  // namespace
}  // namespace cairn::oracle
