// Rays against shapes, by closed forms.

#include "kernels/picture/trace.h"

#include <gtest/gtest.h>

namespace cairn::kernels {
namespace {

// positions of a few metres in float32: a handful of roundings of 2.4e-7 each
constexpr float kTolerance = 4e-6f;

PictureHit meet(ShapeKind kind, Vec3 size, Vec3 origin, Vec3 direction) {
  const PictureShape shape{matrix_of(Quat{}), {0, 0, 0}, size, {}, kind};
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
}  // namespace cairn::kernels
