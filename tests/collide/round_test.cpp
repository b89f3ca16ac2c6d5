// Spheres and capsules in poses with a known answer.

#include "tests/collide/oracle.h"

namespace cairn::oracle {
namespace {

/// Turns z into x.
const Quat kAlongX{0, std::sqrt(0.5f), 0, std::sqrt(0.5f)};

void expect_one(const ContactPoints& c, Vec3 normal, Vec3 a, float separation) {
  ASSERT_EQ(c.count, 1u);
  EXPECT_NEAR(c.normal.x, normal.x, kUnitRounding);
  EXPECT_NEAR(c.normal.y, normal.y, kUnitRounding);
  EXPECT_NEAR(c.normal.z, normal.z, kUnitRounding);
  EXPECT_NEAR(c.point[0].a.x, a.x, kUnitRounding);
  EXPECT_NEAR(c.point[0].a.y, a.y, kUnitRounding);
  EXPECT_NEAR(c.point[0].a.z, a.z, kUnitRounding);
  EXPECT_NEAR(c.point[0].separation, separation, kUnitRounding);
}

/// Two points that are so far along an axis.
void expect_two(const ContactPoints& c, float Vec3::*axis, float first, float second, float separation) {
  ASSERT_EQ(c.count, 2u);
  EXPECT_NEAR(c.point[0].a.*axis, first, kUnitRounding);
  EXPECT_NEAR(c.point[1].a.*axis, second, kUnitRounding);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(c.point[i].separation, separation, kUnitRounding);
  EXPECT_NE(c.point[0].feature, c.point[1].feature);
}

TEST(Sphere, touches_a_sphere_on_the_line_of_centres) {
  expect_one(touch(sphere(0.5f), {}, sphere(1), {{0.9f, 1.2f, 0}, {}}), {0.6f, 0.8f, 0}, {0.3f, 0.4f, 0}, 0);
  EXPECT_EQ(touch(sphere(0.5f), {}, sphere(1), {{0, 0, 1.53f}, {}}).count, 0u);
}

TEST(Sphere, concentric_spheres_part_along_z_the_larger_downwards) {
  const ShapePose at{{1, 2, 3}, {}};
  expect_one(touch(sphere(1), at, sphere(0.5f), at), {0, 0, 1}, {1, 2, 4}, -1.5f);
  expect_one(touch(sphere(0.5f), at, sphere(1), at), {0, 0, -1}, {1, 2, 2.5f}, -1.5f);
}

TEST(Sphere, touches_a_plane_below_its_centre) {
  expect_one(touch(sphere(0.5f), {{1, 2, 0.51f}, {}}, plane(), {}), {0, 0, -1}, {1, 2, 0.01f}, 0.01f);
  expect_one(touch(plane(), {{0, 0, 0}, kAlongX}, sphere(0.5f), {{0.4f, 2, 0}, {}}), {1, 0, 0}, {0, 2, 0}, -0.1f);
}

TEST(Sphere, touches_a_box_at_a_face_an_edge_and_a_corner) {
  expect_one(touch(kUnit, {}, sphere(0.5f), {{0.1f, 0.2f, 1}, {}}), {0, 0, 1}, {0.1f, 0.2f, 0.5f}, 0);
  expect_one(touch(kUnit, {}, sphere(0.5f), {{0.8f, 0.2f, 0.9f}, {}}), {0.6f, 0, 0.8f}, {0.5f, 0.2f, 0.5f}, 0);
  expect_one(touch(kUnit, {}, sphere(0.3f), {{0.6f, 0.7f, 0.7f}, {}}), {1 / 3.0f, 2 / 3.0f, 2 / 3.0f},
             {0.5f, 0.5f, 0.5f}, 0);
}

TEST(Sphere, with_its_centre_in_a_box_leaves_by_the_nearest_face) {
  expect_one(touch(kUnit, {}, sphere(0.25f), {{0.1f, -0.4f, 0.2f}, {}}), {0, -1, 0}, {0.1f, -0.5f, 0.2f}, -0.35f);
  expect_one(touch(kUnit, {}, sphere(0.25f), {}), {1, 0, 0}, {0.5f, 0, 0}, -0.75f);
  expect_one(touch(kUnit, {}, sphere(0.25f), {{0, 0, 0.5f}, {}}), {0, 0, 1}, {0, 0, 0.5f}, -0.25f);
}

TEST(Capsule, lying_on_a_plane_has_a_point_at_each_end) {
  expect_two(touch(capsule(0.25f, 1), {{0, 0, 0.24f}, kAlongX}, plane(), {}), &Vec3::x, -1, 1, -0.01f);
  EXPECT_EQ(touch(capsule(0.25f, 1), {{0, 0, 1.25f}, {}}, plane(), {}).count, 1u);
}

TEST(Capsule, touches_a_sphere_from_its_nearest_point) {
  expect_one(touch(sphere(0.5f), {{0, 0, 0.3f}, {}}, capsule(0.25f, 1), {{0.75f, 0, 0}, {}}), {1, 0, 0},
             {0.5f, 0, 0.3f}, 0);
  expect_one(touch(capsule(0.25f, 1), {}, sphere(0.5f), {{0, 0, 1.75f}, {}}), {0, 0, 1}, {0, 0, 1.25f}, 0);
}

TEST(Capsule, with_a_ball_on_its_axis_parts_at_right_angles_to_it) {
  const ContactPoints c = touch(capsule(0.25f, 1), {}, sphere(0.5f), {{0, 0, 0.5f}, {}});
  ASSERT_EQ(c.count, 1u);
  EXPECT_NEAR(c.normal.z, 0, kUnitRounding);
  EXPECT_NEAR(c.point[0].separation, -0.75f, kUnitRounding);
}

TEST(Capsule, capsules_side_by_side_touch_at_both_ends_of_the_overlap) {
  const ContactPoints c = touch(capsule(0.25f, 1), {}, capsule(0.5f, 1), {{0.7f, 0, 0.8f}, {1, 0, 0, 0}});
  EXPECT_NEAR(c.normal.x, 1, kUnitRounding);
  // by the axis of the larger, which points down
  expect_two(c, &Vec3::z, 1, -0.2f, -0.05f);
}

TEST(Capsule, capsules_end_to_end_touch_in_one_point) {
  expect_one(touch(capsule(0.25f, 1), {}, capsule(0.25f, 1), {{0, 0, 2.5f}, {}}), {0, 0, 1}, {0, 0, 1.25f}, 0);
}

TEST(Capsule, crossed_capsules_touch_where_they_cross_even_if_their_axes_meet) {
  expect_one(touch(capsule(0.25f, 1), {}, capsule(0.25f, 1), {{0.3f, 0.45f, 0.2f}, kAlongX}), {0, 1, 0},
             {0, 0.25f, 0.2f}, -0.05f);
  const ContactPoints c = touch(capsule(0.25f, 1), {}, capsule(0.25f, 1), {{0, 0, 0}, kAlongX});
  ASSERT_EQ(c.count, 1u);
  EXPECT_NEAR(std::abs(c.normal.y), 1, kUnitRounding);
  EXPECT_NEAR(c.point[0].separation, -0.5f, kUnitRounding);
}

TEST(Capsule, lying_on_a_box_has_two_points_at_the_ends_of_what_is_over_the_face) {
  const ContactPoints c = touch(capsule(0.25f, 1), {{0.8f, 0.1f, 0.74f}, kAlongX}, kUnit, {});
  EXPECT_NEAR(c.normal.z, -1, kUnitRounding);
  expect_two(c, &Vec3::x, -0.2f, 0.5f, -0.01f);
}

TEST(Capsule, leaning_over_the_edge_of_a_box_keeps_its_points_on_the_box) {
  // a slope under 1/500 is over the face still, but the closest point is 0.95 mm past the edge x = h
  const float slope = 1.9e-3f, radius = 0.5f, h = 0.2f, hair = kernels::kAxisTolerance * h;
  const float half_turn = 0.25f * static_cast<float>(M_PI) + 0.5f * slope;
  const Quat leaning{0, std::sin(half_turn), 0, std::cos(half_turn)};
  for (const float separation : {-0.01f, 0.0199f}) {
    const ShapePose at{{h, 0, h + radius + separation}, leaning};
    const ContactPoints c = touch(capsule(radius, 0.4f), at, box({h, h, h}), {});
    // the point over the far edge is 0.76 mm higher than this one: out of the margin the second time
    ASSERT_EQ(c.count, separation < 0 ? 2u : 1u);
    EXPECT_NEAR(c.normal.z, -1, kUnitRounding);
    for (std::uint32_t i = 0; i < c.count; ++i) {
      EXPECT_NEAR(c.point[i].b.z, h, kUnitRounding);
      EXPECT_LE(std::abs(c.point[i].b.x), h + hair + kUnitRounding);
    }
    EXPECT_NEAR(c.point[c.count - 1].b.x, h + hair, kUnitRounding);
  }
}

TEST(Capsule, lying_along_the_edge_of_a_box_has_two_points) {
  const float reach = std::sqrt(0.5f) * 0.25f;
  const ContactPoints c = touch(capsule(0.25f, 0.3f), {{0.5f + reach, 0.5f + reach, 0.1f}, {}}, kUnit, {});
  expect_two(c, &Vec3::z, -0.2f, 0.4f, 0);
}

TEST(Capsule, crossing_an_edge_of_a_box_touches_in_one_point) {
  // along y - z over the edge y = z = 0.5
  const float s = std::sin(static_cast<float>(M_PI) / 8), k = std::cos(static_cast<float>(M_PI) / 8);
  const ContactPoints c =
      touch(capsule(0.25f, 1), {{0.2f, 0.5f + std::sqrt(0.5f) * 0.25f, 0.5f + std::sqrt(0.5f) * 0.25f}, {s, 0, 0, k}},
            kUnit, {});
  expect_one(c, {0, -std::sqrt(0.5f), -std::sqrt(0.5f)}, {0.2f, 0.5f, 0.5f}, 0);
}

TEST(Capsule, through_a_box_leaves_by_the_least_depth) {
  // along x, 0.1 under the top face
  const ContactPoints c = touch(capsule(0.25f, 2), {{0, 0, 0.4f}, kAlongX}, kUnit, {});
  ASSERT_EQ(c.count, 2u);
  EXPECT_NEAR(c.normal.z, -1, kUnitRounding);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(c.point[i].separation, -0.35f, kUnitRounding);
    EXPECT_NEAR(std::abs(c.point[i].a.x), 0.5f, kUnitRounding);
  }
  // across the edge y = z = 0.5, 0.05 inside of it: that edge's diagonal is the way out
  const float s = std::sin(static_cast<float>(M_PI) / 8), k = std::cos(static_cast<float>(M_PI) / 8),
              in = 0.5f - 0.05f * std::sqrt(0.5f);
  const ContactPoints d = touch(capsule(0.25f, 2), {{0.2f, in, in}, {s, 0, 0, k}}, kUnit, {});
  ASSERT_EQ(d.count, 1u);
  EXPECT_NEAR(d.normal.y, -std::sqrt(0.5f), kUnitRounding);
  EXPECT_NEAR(d.normal.z, -std::sqrt(0.5f), kUnitRounding);
  EXPECT_NEAR(d.point[0].separation, -0.3f, kUnitRounding);
}

}  // namespace
}  // namespace cairn::oracle
