// Rays against shapes, by closed forms.

#include "kernels/picture/trace.h"

#include <cmath>

#include <gtest/gtest.h>

namespace cairn::kernels::picture_test {
namespace {

// positions of a few metres in float32: a handful of roundings of 2.4e-7 each
constexpr float kTolerance = 4e-6f;

PictureHit meet(ShapeKind kind, Vec3 size, Vec3 origin, Vec3 direction, float round = 0) {
  const PictureShape shape{matrix_of(Quat{}), {0, 0, 0}, size, {}, kind, round};
  PictureHit hit{1e9f, {}, kNone, false};
  meet_shape(shape, 0, make_ray(origin, normalized(direction, Vec3{1, 0, 0})), hit);
  return hit;
}

TEST(Ray, enters_a_box_through_the_nearest_face) {
  const PictureHit hit = meet(ShapeKind::kBox, {0.5f, 1, 2}, {5, 0.25f, -0.5f}, {-1, 0, 0});
  ASSERT_TRUE(hit.any);
  EXPECT_NEAR(hit.t, 4.5f, kTolerance);
  EXPECT_EQ(hit.normal, (Vec3{1, 0, 0}));
  EXPECT_FALSE(meet(ShapeKind::kBox, {0.5f, 1, 2}, {5, 1.01f, 0}, {-1, 0, 0}).any);
  EXPECT_FALSE(meet(ShapeKind::kBox, {0.5f, 1, 2}, {5, 0, 0}, {1, 0, 0}).any) << "behind the ray";
}

TEST(Ray, enters_a_sphere_on_its_near_side) {
  const PictureHit hit = meet(ShapeKind::kSphere, {1, 0, 0}, {0.6f, 0, 5}, {0, 0, -1});
  ASSERT_TRUE(hit.any);
  EXPECT_NEAR(hit.t, 4.2f, kTolerance);  // sqrt(1 - 0.36) = 0.8
  EXPECT_NEAR(hit.normal.x, 0.6f, kTolerance);
  EXPECT_NEAR(hit.normal.z, 0.8f, kTolerance);
  EXPECT_FALSE(meet(ShapeKind::kSphere, {1, 0, 0}, {1.001f, 0, 5}, {0, 0, -1}).any);
}

TEST(Ray, enters_a_capsule_by_its_side_and_by_its_caps) {
  const Vec3 size{0.5f, 0, 1};
  EXPECT_NEAR(meet(ShapeKind::kCapsule, size, {3, 0, 0.9f}, {-1, 0, 0}).t, 2.5f, kTolerance);
  EXPECT_NEAR(meet(ShapeKind::kCapsule, size, {0, 0, 4}, {0, 0, -1}).t, 2.5f, kTolerance);
  EXPECT_NEAR(meet(ShapeKind::kCapsule, size, {3, 0, 1.3f}, {-1, 0, 0}).t, 2.6f,
              kTolerance);  // sqrt(0.25 - 0.09) = 0.4
  EXPECT_FALSE(meet(ShapeKind::kCapsule, size, {3, 0, 1.51f}, {-1, 0, 0}).any);
  // slanted, 0.65 / sqrt 2 and 0.75 / sqrt 2 from the centre of the upper cap
  EXPECT_NEAR(meet(ShapeKind::kCapsule, size, {3, 0, 4.65f}, {-1, 0, -1}).t, 4.505405f, 2 * kTolerance);
  EXPECT_FALSE(meet(ShapeKind::kCapsule, size, {3, 0, 4.75f}, {-1, 0, -1}).any);
}

TEST(Ray, enters_a_cone_by_its_side_and_by_its_base) {
  const Vec3 cone{1, 0, 1};
  const PictureHit side = meet(ShapeKind::kFrustum, cone, {5, 0, 0}, {-1, 0, 0});
  ASSERT_TRUE(side.any);
  EXPECT_NEAR(side.t, 4.5f, kTolerance);
  // it rises by 2 where it narrows by 1
  EXPECT_NEAR(side.normal.x, 2 / std::sqrt(5.0f), kTolerance);
  EXPECT_NEAR(side.normal.z, 1 / std::sqrt(5.0f), kTolerance);
  const PictureHit base = meet(ShapeKind::kFrustum, cone, {0.5f, 0.2f, -4}, {0, 0, 1});
  EXPECT_NEAR(base.t, 3, kTolerance);
  EXPECT_EQ(base.normal, (Vec3{0, 0, -1}));
  EXPECT_FALSE(meet(ShapeKind::kFrustum, cone, {5, 0, 1.01f}, {-1, 0, 0}).any) << "over the tip";
  EXPECT_FALSE(meet(ShapeKind::kFrustum, cone, {5, 0, 3}, {-1, 0, 0}).any) << "where the cone would go on";
}

TEST(Ray, enters_a_cylinder_and_a_tapered_one) {
  EXPECT_NEAR(meet(ShapeKind::kFrustum, {0.5f, 0.5f, 1}, {3, 0.3f, 0.9f}, {-1, 0, 0}).t, 2.6f, kTolerance);
  EXPECT_NEAR(meet(ShapeKind::kFrustum, {0.5f, 0.5f, 1}, {0.3f, 0, 4}, {0, 0, -1}).t, 3, kTolerance);
  EXPECT_FALSE(meet(ShapeKind::kFrustum, {0.5f, 0.5f, 1}, {0.51f, 0, 4}, {0, 0, -1}).any);
  EXPECT_NEAR(meet(ShapeKind::kFrustum, {0.5f, 0.25f, 1}, {3, 0, 0}, {-1, 0, 0}).t, 2.625f, kTolerance);
  EXPECT_NEAR(meet(ShapeKind::kFrustum, {0.25f, 0.5f, 1}, {3, 0, 0.5f}, {-1, 0, 0}).t, 2.5625f, kTolerance);
}

TEST(Ray, enters_an_ellipsoid_along_each_axis) {
  const Vec3 radii{1, 0.5f, 0.25f};
  EXPECT_NEAR(meet(ShapeKind::kEllipsoid, radii, {4, 0, 0}, {-1, 0, 0}).t, 3, kTolerance);
  EXPECT_NEAR(meet(ShapeKind::kEllipsoid, radii, {0, 4, 0}, {0, -1, 0}).t, 3.5f, kTolerance);
  const PictureHit hit = meet(ShapeKind::kEllipsoid, radii, {0.6f, 0, 4}, {0, 0, -1});
  EXPECT_NEAR(hit.t, 4 - 0.25f * 0.8f, kTolerance);
  // the gradient (x / a^2, z / c^2) = (0.6, 0.2 / 0.0625)
  EXPECT_NEAR(hit.normal.x / hit.normal.z, 0.6f / 3.2f, kTolerance);
}

TEST(Ray, enters_a_rounded_box_by_a_face_an_edge_and_a_corner) {
  const Vec3 core{0.9f, 0.9f, 0.9f};
  const float r = 0.1f, slack = 1e-3f * r + kTolerance;
  EXPECT_NEAR(meet(ShapeKind::kRoundedBox, core, {4, 0.3f, -0.5f}, {-1, 0, 0}, r).t, 3, slack);
  const float root2 = std::sqrt(2.0f), root3 = std::sqrt(3.0f);
  // along a diagonal the core's edge lies 0.9 root 2 from the centre, its corner 0.9 root 3
  EXPECT_NEAR(meet(ShapeKind::kRoundedBox, core, {4, 4, 0}, {-1, -1, 0}, r).t, 3.1f * root2 - r, 2 * slack);
  EXPECT_NEAR(meet(ShapeKind::kRoundedBox, core, {4, 4, 4}, {-1, -1, -1}, r).t, 3.1f * root3 - r, 2 * slack);
  EXPECT_FALSE(meet(ShapeKind::kRoundedBox, core, {4, 0.99f, 0.99f}, {-1, 0, 0}, r).any) << "past the round edge";
}

TEST(Ray, meets_a_triangle_from_both_sides) {
  PictureShape triangle{};
  triangle.kind = ShapeKind::kMesh;
  triangle.centre = {0.5f, 0.5f, 1};
  triangle.size = {-0.5f, -0.5f, 0};
  triangle.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  const auto at = [&](float x, float y, float z, float down) {
    PictureHit hit{1e9f, {}, kNone, false};
    meet_shape(triangle, 0, make_ray({x, y, z}, {0, 0, down}), hit);
    return hit;
  };
  EXPECT_NEAR(at(0.3f, 0.3f, 3, -1).t, 2, kTolerance);
  EXPECT_EQ(at(0.3f, 0.3f, 3, -1).normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(at(0.3f, 0.3f, -3, 1).normal, (Vec3{0, 0, -1}));
  EXPECT_FALSE(at(0.51f, 0.51f, 3, -1).any);
  EXPECT_FALSE(at(-0.01f, 0.5f, 3, -1).any);
}

TEST(Ray, meets_a_plane_from_outside_alone) {
  const PicturePlane plane{{0, 0, 1}, 0.5f};
  const PictureGeometry scene{nullptr, nullptr, &plane, 0, 1};
  const PictureHit hit = trace(scene, make_ray({0, 0, 2.5f}, normalized(Vec3{0, 1, -1}, Vec3{1, 0, 0})), 1e9f, false);
  ASSERT_TRUE(hit.any);
  EXPECT_NEAR(hit.t, 2 * 1.41421356f, kTolerance);
  EXPECT_FALSE(trace(scene, make_ray({0, 0, -2}, {0, 0, 1}), 1e9f, false).any);
  EXPECT_FALSE(trace(scene, make_ray({0, 0, 2}, {0, 0, -1}), 1, false).any) << "out of reach";
}

}  // namespace
}  // namespace cairn::kernels::picture_test
