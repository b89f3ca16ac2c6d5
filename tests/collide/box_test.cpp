// Boxes against boxes and planes, in poses with a known answer. Unit boxes; float rounding of sums of numbers around 1
// is a few 1e-7.

#include <set>

#include "tests/collide/oracle.h"

namespace cairn::oracle {
namespace {

Quat about(Vec3 axis, double angle) {
  const auto s = static_cast<float>(std::sin(angle / 2)), c = static_cast<float>(std::cos(angle / 2));
  return {s * axis.x, s * axis.y, s * axis.z, c};
}

/// Turned by 45 degrees about x and by atan(1/sqrt 2) about y, a unit cube stands on a corner sqrt(3)/2 below its
/// centre.
const Quat kOnCorner = kernels::operator*(about({0, 1, 0}, std::atan(std::sqrt(0.5))), about({1, 0, 0}, M_PI / 4));

TEST(BoxBox, an_aligned_stack_touches_at_the_four_corners) {
  const ContactPoints c = touch(kUnit, {}, kUnit, {{0, 0, 0.999f}, {}});
  ASSERT_EQ(c.count, 4u);
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(features(c).size(), 4u);
  std::set<std::pair<bool, bool>> corners;
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(c.point[i].separation, -0.001f, kUnitRounding);
    EXPECT_NEAR(std::abs(c.point[i].a.x), 0.5f, kUnitRounding);
    EXPECT_NEAR(std::abs(c.point[i].a.y), 0.5f, kUnitRounding);
    EXPECT_NEAR(c.point[i].a.z, 0.5f, kUnitRounding);
    EXPECT_NEAR(c.point[i].b.z, 0.499f, kUnitRounding);
    corners.emplace(c.point[i].a.x > 0, c.point[i].a.y > 0);
  }
  EXPECT_EQ(corners.size(), 4u);
}

TEST(BoxBox, the_points_of_shifted_faces_span_the_overlap) {
  const ContactPoints c = touch(kUnit, {}, kUnit, {{0.3f, -0.2f, 1.001f}, {}});
  ASSERT_EQ(c.count, 4u);
  float min_x = 1, max_x = -1, min_y = 1, max_y = -1;
  for (std::uint32_t i = 0; i < 4; ++i) {
    min_x = std::min(min_x, c.point[i].a.x), max_x = std::max(max_x, c.point[i].a.x);
    min_y = std::min(min_y, c.point[i].a.y), max_y = std::max(max_y, c.point[i].a.y);
    EXPECT_NEAR(c.point[i].separation, 0.001f, kUnitRounding);
  }
  EXPECT_NEAR(min_x, -0.2f, kUnitRounding);
  EXPECT_NEAR(max_x, 0.5f, kUnitRounding);
  EXPECT_NEAR(min_y, -0.5f, kUnitRounding);
  EXPECT_NEAR(max_y, 0.3f, kUnitRounding);
}

TEST(BoxBox, an_octagon_of_overlap_is_reduced_to_a_square) {
  const ContactPoints c = touch(kUnit, {}, kUnit, {{0, 0, 1}, about({0, 0, 1}, M_PI / 4)});
  ASSERT_EQ(c.count, 4u);
  EXPECT_EQ(features(c).size(), 4u);
  // the octagon around a circle of radius 1/2 has its corners at 0.5 / cos(pi/8); the hair that faces are clipped
  // outside by is 0.5 mm
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_NEAR(std::hypot(c.point[i].a.x, c.point[i].a.y), 0.5 / std::cos(M_PI / 8), 1e-3);
}

TEST(BoxBox, crossed_edges_touch_in_one_point_with_the_cross_product_as_normal) {
  for (const float height : {1.41f, 1.42f}) {  // overlap, and apart within the margin
    const ContactPoints c = touch(kUnit, {{0, 0, 0}, about({1, 0, 0}, M_PI / 4)}, kUnit,
                                  {{0.1f, 0.2f, height}, about({0, 1, 0}, M_PI / 4)});
    ASSERT_EQ(c.count, 1u);
    EXPECT_NEAR(c.normal.z, 1, kUnitRounding);
    EXPECT_NEAR(c.point[0].separation, height - std::sqrt(2.0f), kUnitRounding);
    // A's edge runs along x through y = 0, B's along y through x = 0.1
    EXPECT_NEAR(c.point[0].a.x, 0.1f, kUnitRounding);
    EXPECT_NEAR(c.point[0].a.y, 0, kUnitRounding);
  }
}

TEST(BoxBox, edges_that_miss_each_other_by_more_than_the_margin_do_not_touch) {
  // the lines of the edges cross 1 cm apart, but at x = 0.6: 10 cm past the end of A's edge
  const ContactPoints c = touch(kUnit, {{0, 0, 0}, about({1, 0, 0}, M_PI / 4)}, kUnit,
                                {{0.6f, 0, std::sqrt(2.0f) + 0.01f}, about({0, 1, 0}, M_PI / 4)});
  EXPECT_EQ(c.count, 0u);
}

TEST(BoxBox, nothing_touches_past_the_margin) {
  EXPECT_EQ(touch(kUnit, {}, kUnit, {{0, 0, 1.0201f}, {}}).count, 0u);
  EXPECT_EQ(touch(kUnit, {}, kUnit, {{0, 0, 1.0199f}, {}}).count, 4u);
  // diagonally past a corner: the top faces are apart by 1 cm, the sides by 5 cm
  EXPECT_EQ(touch(kUnit, {}, kUnit, {{1.05f, 1.05f, 1.01f}, {}}).count, 0u);
}

TEST(BoxBox, a_corner_on_a_face_touches_there) {
  const float reach = std::sqrt(3.0f) / 2;
  const ContactPoints c = touch(kUnit, {}, kUnit, {{0.1f, 0.2f, 0.5f + reach - 0.002f}, kOnCorner}, 0.001f);
  ASSERT_EQ(c.count, 1u);
  EXPECT_NEAR(c.normal.z, 1, kUnitRounding);
  EXPECT_NEAR(c.point[0].separation, -0.002f, kUnitRounding);
  EXPECT_NEAR(c.point[0].b.x, 0.1f, kUnitRounding);
  EXPECT_NEAR(c.point[0].b.y, 0.2f, kUnitRounding);
}

TEST(BoxBox, small_motion_in_a_stack_keeps_the_features_and_the_reference_face) {
  Dice dice(11);
  const ContactPoints first = touch(kUnit, {}, kUnit, {{0, 0, 0.9995f}, {}});
  for (int i = 0; i < 2000; ++i) {
    // under the hair of 0.5 mm sideways, and under the axis tolerance of 1 mm in tilt: 0.2 mm over half a metre
    const ShapePose pb{{dice.uniform(-1e-4f, 1e-4f), dice.uniform(-1e-4f, 1e-4f), 0.9995f}, dice.small_turn(1e-4f)};
    const ContactPoints c = touch(kUnit, {{0, 0, 0}, dice.small_turn(1e-4f)}, kUnit, pb);
    ASSERT_EQ(features(c), features(first));
  }
}

TEST(BoxBox, small_motion_keeps_the_features_of_most_random_stacks) {
  Dice dice(12);
  int kept = 0;
  constexpr int kTrials = 5000;
  for (int i = 0; i < kTrials; ++i) {
    const ShapePose pb{{dice.uniform(-0.4f, 0.4f), dice.uniform(-0.4f, 0.4f), 0.9995f},
                       about({0, 0, 1}, dice.uniform(-1, 1))};
    ShapePose moved = pb;
    moved.x.x += 1e-5f * dice.normal();
    moved.x.y += 1e-5f * dice.normal();
    moved.q = kernels::operator*(dice.small_turn(1e-5f), pb.q);
    const ContactPoints c = touch(kUnit, {}, kUnit, pb);
    kept += features(c) == features(touch(kUnit, {}, kUnit, moved));
  }
  // a corner changes sides of a face's edge, or a choice of the reduction flips, with probability of about motion /
  // size times a few
  EXPECT_GE(kept, kTrials - kTrials / 100);
}

TEST(BoxPlane, a_flat_box_stands_on_four_corners_whichever_shape_is_first) {
  const ContactPoints c = touch(plane(), {}, kUnit, {{0.3f, 0, 0.499f}, {}});
  ASSERT_EQ(c.count, 4u);
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(features(c), (std::set<std::uint32_t>{4, 5, 6, 7}));
  const ContactPoints d = touch(kUnit, {{0, 0, 0.499f}, {}}, plane(), {});
  EXPECT_EQ(d.normal, (Vec3{0, 0, -1}));
  EXPECT_EQ(features(c), features(d));
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_NEAR(d.point[i].separation, -0.001f, kUnitRounding);
}

TEST(BoxPlane, a_tilted_box_touches_with_an_edge_or_a_corner_and_the_features_stay) {
  const double angle = 0.1;  // the far edge is sin(0.1) = 10 cm up
  const double reach = 0.5 * (std::sin(angle) + std::cos(angle));
  const ContactPoints edge = touch(kUnit, {{0, 0, static_cast<float>(reach)}, about({0, 1, 0}, angle)}, plane(), {});
  ASSERT_EQ(edge.count, 2u);
  EXPECT_EQ(features(edge), (std::set<std::uint32_t>{4, 6}));
  EXPECT_NEAR(edge.point[0].separation, 0, kUnitRounding);
  EXPECT_EQ(touch(kUnit, {{0, 0, 0.87f}, kOnCorner}, plane(), {}).count, 1u);
}

}  // namespace
}  // namespace cairn::oracle
