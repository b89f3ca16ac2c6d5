#include "tests/reference/from_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace cairn::reference {
namespace {

const std::vector<cairn::Material> kMaterials{{"wood", 500, 0.4f, 0.1f, 0}, {"iron", 8000, 0.2f, 0, 0}};

cairn::Body dumbbell() {
  // a wooden ball at the origin's left, an iron cube at its right
  return {.name = "dumbbell",
          .position = {10, 0, 5},
          .shapes = {{cairn::Sphere{0.5f}, {-1, 0, 0}, {}, 0}, {cairn::Box{{0.25f, 0.25f, 0.25f}}, {1, 0, 0}, {}, 1}}};
}

TEST(FromScene, mass_centre_and_inertia_of_a_compound_are_by_steiner) {
  const BodyInertia got = body_inertia(dumbbell(), kMaterials);
  const double ball = 500 * 4.0 / 3.0 * std::numbers::pi * 0.125, cube = 8000 * 0.125, mass = ball + cube;
  const double centre = (cube - ball) / mass;
  EXPECT_NEAR(got.inertia.mass, mass, 1e-9);
  EXPECT_NEAR(got.centre.x, centre, 1e-12);
  const double own = 0.4 * ball * 0.25 + cube / 6 * 0.25;
  EXPECT_NEAR(got.inertia.tensor.row[0].x, own, 1e-9);
  // two points at a distance of 2: reduced mass times its square
  EXPECT_NEAR(got.inertia.tensor.row[1].y, own + ball * cube / mass * 4, 1e-9);
  EXPECT_NEAR(got.inertia.tensor.row[2].z, own + ball * cube / mass * 4, 1e-9);
}

TEST(FromScene, a_mass_for_the_whole_body_scales_its_inertia_and_keeps_its_centre) {
  cairn::Body body = dumbbell();
  const BodyInertia before = body_inertia(body, kMaterials);
  body.mass = 7.0f;
  const BodyInertia after = body_inertia(body, kMaterials);
  EXPECT_NEAR(after.inertia.mass, 7, 1e-12);
  EXPECT_NEAR(after.centre.x, before.centre.x, 1e-12);
  EXPECT_NEAR(after.inertia.tensor.row[1].y / 7, before.inertia.tensor.row[1].y / before.inertia.mass, 1e-12);
}

TEST(FromScene, capsule_moments_agree_with_a_sum_over_slices) {
  const double r = 0.3, hh = 0.5, mass = 2;
  const Geometry pill = Capsule{r, hh};
  const Mat3 got = solid_inertia(pill, mass);
  const int n = 20000;
  double axial = 0, across = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    const double dz = 2 * (hh + r) / n, z = -(hh + r) + (i + 0.5) * dz, beyond = std::max(0.0, std::abs(z) - hh);
    const double square = r * r - beyond * beyond, m = std::numbers::pi * square * dz;
    sum += m;
    axial += m * square / 2;
    across += m * (square / 4 + z * z);
  }
  // the midpoint rule is off by (dz / size)^2
  EXPECT_NEAR(sum, volume(pill), 1e-7);
  EXPECT_NEAR(got.row[2].z, axial * mass / sum, 1e-7);
  EXPECT_NEAR(got.row[0].x, across * mass / sum, 1e-7);
}

TEST(FromScene, planes_are_made_unit_with_their_offset_in_metres) {
  const auto plane = std::get<Plane>(from_geometry(cairn::Plane{{0, 3, 4}, 2}));
  EXPECT_NEAR(plane.normal.y, 0.6, 1e-12);
  EXPECT_NEAR(plane.offset, 2, 1e-12);
}

}  // namespace
}  // namespace cairn::reference
