// Penetration of what is neither ball nor box: against the exact figures of shapes that are the same thing in other
// words, and against closed forms.

#include <cmath>
#include <random>

#include "tests/quality/penetration.h"
#include "tests/verify/solids.h"

namespace cairn::quality_test {
namespace {

// 1e-7 of the smaller shape's size, which is up to 2 m here
constexpr double kHullTolerance = 4e-7;  // [m]

BodyState at(double x, double y, double z) { return {.position = {x, y, z}}; }

ConvexHull hull_of(const Box& box) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) {
    const Vec3 h = box.half_extents;
    points.push_back({(k & 1) != 0 ? h.x : -h.x, (k & 2) != 0 ? h.y : -h.y, (k & 4) != 0 ? h.z : -h.z});
  }
  return ConvexHull(points);
}

/// A square floor of two triangles a cell at z = 0, 4 m wide.
TriangleMesh floor_mesh(int cells) { return verify::flat_mesh(cells, 4.0f / static_cast<float>(cells)); }

class ConvexPenetration : public testing::Test {
 protected:
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  Box box() { return {{uniform(0.1f, 1), uniform(0.1f, 1), uniform(0.1f, 1)}}; }
  BodyState state() {
    BodyState s;
    s.position = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    do {
      s.orientation = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    } while (s.orientation.x * s.orientation.x + s.orientation.w * s.orientation.w < 0.05f);
    return s;
  }
  std::mt19937 random_{5};
};

TEST_F(ConvexPenetration, of_hulls_of_boxes_is_that_of_the_boxes) {
  int overlapping = 0;
  for (int k = 0; k < 2000; ++k) {
    const Box a = box(), b = box();
    const BodyState sa = state(), sb = state();
    const double wanted = penetration(a, sa, b, sb);
    overlapping += wanted > 0 ? 1 : 0;
    ASSERT_NEAR(penetration(hull_of(a), sa, hull_of(b), sb), wanted, kHullTolerance) << k;
    ASSERT_NEAR(penetration(hull_of(a), sa, b, sb), wanted, kHullTolerance) << k;
    const Capsule capsule{uniform(0.1f, 0.5f), uniform(0.1f, 1)};
    ASSERT_NEAR(penetration(hull_of(a), sa, capsule, sb), penetration(a, sa, capsule, sb), kHullTolerance) << k;
    ASSERT_NEAR(penetration(capsule, sb, hull_of(a), sa), penetration(a, sa, capsule, sb), kHullTolerance) << k;
    const Plane plane{{0, 0.6f, 0.8f}, -0.3f};
    ASSERT_NEAR(penetration(hull_of(a), sa, plane, {}), penetration(a, sa, plane, {}), 1e-12) << k;
  }
  EXPECT_GT(overlapping, 500);
}

TEST_F(ConvexPenetration, of_round_ellipsoids_is_that_of_spheres) {
  for (int k = 0; k < 500; ++k) {
    const float r = uniform(0.2f, 1), q = uniform(0.2f, 1);
    const Ellipsoid a{{r, r, r}}, b{{q, q, q}};
    const BodyState sa = state(), sb = state();
    ASSERT_NEAR(penetration(a, sa, b, sb), penetration(Sphere{r}, sa, Sphere{q}, sb), kHullTolerance) << k;
    const Box other = box();
    ASSERT_NEAR(penetration(a, sa, other, sb), penetration(Sphere{r}, sa, other, sb), kHullTolerance) << k;
  }
}

TEST_F(ConvexPenetration, of_a_rounded_box_is_that_of_its_core_and_its_radius) {
  const RoundedBox rounded{{0.5f, 0.5f, 0.5f}, 0.1f};
  EXPECT_NEAR(penetration(rounded, at(0, 0, 0.49), Plane{}, {}), 0.01, 1e-9);
  EXPECT_NEAR(penetration(rounded, at(0, 0, 0), Sphere{0.5f}, at(0, 0, 0.98)), 0.02, kHullTolerance);
  EXPECT_NEAR(penetration(rounded, at(0, 0, 0), rounded, at(0.1, 0.1, 0.99)), 0.01, kHullTolerance);
  // corner to corner: the cores' are 0.4 m from the centres along each axis
  const double apart = 2 * 0.4 + 0.1;
  EXPECT_NEAR(penetration(rounded, at(0, 0, 0), rounded, at(apart, apart, apart)), 0.2 - 0.1 * std::sqrt(3.0),
              kHullTolerance);
}

TEST_F(ConvexPenetration, of_frusta_that_stand_on_each_other_is_the_overlap_in_height) {
  const float half = 0.5f;
  for (const Geometry& top :
       {Geometry{Cylinder{0.5f, half}}, Geometry{Cone{0.5f, half}}, Geometry{TaperedCylinder{0.4f, 0.2f, half}}}) {
    EXPECT_NEAR(penetration(Cylinder{0.5f, half}, at(0, 0, 0), top, at(0.1, 0.05, 0.997)), 0.003, kHullTolerance);
    EXPECT_NEAR(penetration(top, at(0, 0, 0.498), Plane{}, {}), 0.002, 1e-9);
  }
  // side to side
  EXPECT_NEAR(penetration(Cylinder{0.5f, half}, at(0, 0, 0), Cylinder{0.3f, half}, at(0.6, 0, 0.2)), 0.2,
              kHullTolerance);
  // a cone's side leans by 1 over 2: its foot is 0.5 m from the axis, at half its height 0.25 m
  EXPECT_NEAR(penetration(Cone{0.5f, half}, at(0, 0, 0), Sphere{0.5f}, at(0.5, 0, 0.3)),
              0.5 - (2 * (0.5 - 0.25) + 0.3) / std::sqrt(5.0), kHullTolerance);
}

TEST_F(ConvexPenetration, in_a_floor_of_triangles_is_that_in_a_plane) {
  std::vector<float> heights(9 * 9, 0.0f);
  const HeightField field(9, 9, 0.5f, heights);
  for (const int cells : {1, 4, 8}) {
    const TriangleMesh mesh = floor_mesh(cells);
    for (int k = 0; k < 20; ++k) {
      const Geometry solids[] = {Sphere{0.3f},     Capsule{0.2f, 0.3f},           Cylinder{0.3f, 0.3f},
                                 Cone{0.3f, 0.3f}, Ellipsoid{{0.3f, 0.2f, 0.4f}}, hull_of(box())};
      for (const Geometry& solid : solids) {
        BodyState s = state();
        s.position.z = 0;
        // hold it where it sinks by 1 mm, less than its print on the floor is wide
        const double low = penetration(solid, s, Plane{}, at(0, 0, 0));
        s.position.z = low - 0.001;
        const double wanted = penetration(solid, s, Plane{}, {});
        ASSERT_NEAR(wanted, 0.001, 1e-6);
        ASSERT_LE(penetration(solid, s, mesh, {}), wanted + kHullTolerance);
        ASSERT_LE(penetration(solid, s, field, at(-2, -2, 0)), wanted + kHullTolerance);
        // what is round has its lowest point over one triangle
        if (!std::holds_alternative<Sphere>(solid)) continue;
        ASSERT_NEAR(penetration(solid, s, mesh, {}), wanted, kHullTolerance);
        ASSERT_NEAR(penetration(solid, s, field, at(-2, -2, 0)), wanted, kHullTolerance);
      }
    }
    EXPECT_NEAR(penetration(Box{}, at(0.13, 0.07, 0.49), mesh, {}), 0.01, kHullTolerance);
    EXPECT_EQ(penetration(Box{}, at(0.13, 0.07, 0.51), mesh, {}), 0);
    EXPECT_EQ(penetration(Box{}, at(3, 3, 0.4), mesh, {}), 0) << "beside it";
  }
  // below a height field all is solid
  EXPECT_NEAR(penetration(Sphere{0.1f}, at(0.3, 0.2, -1), field, at(-2, -2, 0)), 1.1, kHullTolerance);
}

TEST_F(ConvexPenetration, of_two_surfaces_is_none) {
  EXPECT_EQ(penetration(floor_mesh(1), {}, Plane{}, {}), 0);
  EXPECT_EQ(penetration(floor_mesh(1), {}, floor_mesh(2), {}), 0);
}

}  // namespace
}  // namespace cairn::quality_test
