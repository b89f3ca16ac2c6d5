// Mass properties of shapes against closed forms, and against each other where one becomes another.

#include "tests/mass/mass_near.h"
#include "tests/mass/meshes.h"

namespace cairn::mass_test {
namespace {

constexpr double kDensity = 3;

TEST(MassOfShapes, cylinder_is_half_m_r_squared_about_its_axis) {
  const MassProperties got = mass_properties(Cylinder{0.5f, 2}, kDensity);
  const double m = kDensity * kPi * 0.25 * 4;
  expect_near(got.mass, m);
  expect_moments(got, m * (3 * 0.25 + 16) / 12, m * (3 * 0.25 + 16) / 12, m * 0.25 / 2);
}

TEST(MassOfShapes, cone_is_three_tenths_m_r_squared_and_lies_a_quarter_up) {
  const MassProperties got = mass_properties(Cone{0.5f, 1.5f}, kDensity);
  const double m = kDensity * kPi * 0.25 * 3 / 3;
  expect_near(got.mass, m);
  expect_near(got.centre_of_mass.z, -0.75);
  EXPECT_EQ(got.centre_of_mass.x, 0);
  expect_moments(got, 3 * m * (4 * 0.25 + 9) / 80, 3 * m * (4 * 0.25 + 9) / 80, 0.3 * m * 0.25);
}

TEST(MassOfShapes, tapered_cylinder_is_a_cone_without_its_tip) {
  // a cone of radius 1 and height 4 from z = -1; its tip above z = 1 is a cone of radius 1/2 and height 2
  const MassProperties whole = moved(mass_properties(Cone{1, 2}, kDensity), {0, 0, 1}, {});
  const MassProperties tip = moved(mass_properties(Cone{0.5f, 1}, kDensity), {0, 0, 2}, {});
  const MassProperties piece = mass_properties(TaperedCylinder{1, 0.5f, 1}, kDensity);
  const MassProperties sum = together(std::vector{piece, tip});
  expect_same(sum, whole);
  expect_near(sum.centre_of_mass.z, whole.centre_of_mass.z);
  expect_same(mass_properties(TaperedCylinder{0.5f, 0.5f, 2}, kDensity), mass_properties(Cylinder{0.5f, 2}, kDensity));
}

TEST(MassOfShapes, tapered_cylinder_turned_over_is_the_other_way_round) {
  const MassProperties a = mass_properties(TaperedCylinder{1, 0.25f, 1}, kDensity);
  const MassProperties b = mass_properties(TaperedCylinder{0.25f, 1, 1}, kDensity);
  expect_same(a, b);
  expect_near(a.centre_of_mass.z, -b.centre_of_mass.z);
}

TEST(MassOfShapes, tube_and_its_bore_are_the_outer_cylinder) {
  const MassProperties tube = mass_properties(Tube{0.75f, 0.5f, 2}, kDensity);
  expect_same(together(std::vector{tube, mass_properties(Cylinder{0.5f, 2}, kDensity)}),
              mass_properties(Cylinder{0.75f, 2}, kDensity));
  expect_near(tube.moments.z, tube.mass * (0.75 * 0.75 + 0.25) / 2);
}

TEST(MassOfShapes, ellipsoid_is_a_fifth_m_b_squared_plus_c_squared) {
  const MassProperties got = mass_properties(Ellipsoid{{0.5f, 1, 2}}, kDensity);
  const double m = kDensity * 4 / 3 * kPi;
  expect_near(got.mass, m);
  expect_moments(got, m * 5 / 5, m * 4.25 / 5, m * 1.25 / 5);
  expect_same(mass_properties(Ellipsoid{{2, 2, 2}}, kDensity), mass_properties(Sphere{2}, kDensity));
}

TEST(MassOfShapes, rounded_box_becomes_box_ball_and_capsule) {
  const Vec3 half{0.5f, 1, 2};
  // what is cut off has a share of the box of the order of the radius squared over its least half extent squared
  const float radius = 0x1p-20f;
  expect_same(mass_properties(RoundedBox{half, radius}, kDensity), mass_properties(Box{half}, kDensity),
              4 * std::pow(radius / 0.5, 2) + kRelative);
  expect_same(mass_properties(RoundedBox{{2, 2, 2}, 2}, kDensity), mass_properties(Sphere{2}, kDensity));
  expect_same(mass_properties(RoundedBox{{0.5f, 0.5f, 2}, 0.5f}, kDensity),
              mass_properties(Capsule{0.5f, 1.5f}, kDensity));
}

TEST(MassOfShapes, rounded_box_is_what_a_sum_over_small_cubes_gives) {
  const RoundedBox box{{0.5f, 0.75f, 1}, 0.25f};
  constexpr int kCells = 120;
  double volume = 0, xx = 0, yy = 0, zz = 0;
  const auto over = [](double at, double core) { return std::max(0.0, std::abs(at) - core); };
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      for (int k = 0; k < kCells; ++k) {
        const auto at = [](int cell, double size) { return ((cell + 0.5) / kCells - 0.5) * size; };
        const double x = at(i, 1), y = at(j, 1.5), z = at(k, 2);
        const double a = over(x, 0.25), b = over(y, 0.5), c = over(z, 0.75);
        if (a * a + b * b + c * c > 0.0625) continue;
        volume += 1;
        xx += x * x;
        yy += y * y;
        zz += z * z;
      }
    }
  }
  const double cell = 3.0 / kCells / kCells / kCells;
  const MassProperties got = mass_properties(box, 1);
  // cells on the surface count whole or not at all: some 6 n^2 of n^3, half of them wrong, and most of it cancels
  const double allowed = 3.0 / kCells / 10;
  expect_near(got.mass, cell * volume, allowed);
  expect_moments(got, cell * (yy + zz), cell * (xx + zz), cell * (xx + yy), allowed);
}

TEST(MassOfShapes, thin_plates_keep_the_perpendicular_axis_theorem) {
  // I_z = I_x + I_y but for twice the thickness's own share, m h^2 / 3 each
  const std::vector<Geometry> plates{Box{{1, 2, 1e-5f}}, Cylinder{1, 1e-5f}, Tube{1, 0.5f, 1e-5f},
                                     Ellipsoid{{1, 2, 1e-5f}}};
  for (const Geometry& plate : plates) {
    const MassProperties got = mass_properties(plate, kDensity);
    expect_near(got.moments.x + got.moments.y, got.moments.z, 1e-9);
  }
}

TEST(MassOfShapes, hollow_balls_go_from_two_fifths_to_two_thirds) {
  expect_moments(mass_properties_of_hollow_ball(2, 0, 5), 0.4 * 5 * 4, 0.4 * 5 * 4, 0.4 * 5 * 4);
  expect_moments(mass_properties_of_hollow_ball(2, 2, 5), 5 * 4 / 1.5, 5 * 4 / 1.5, 5 * 4 / 1.5);
  const double o = 2, i = 1.5;
  const double want = 0.4 * 5 * (std::pow(o, 5) - std::pow(i, 5)) / (std::pow(o, 3) - std::pow(i, 3));
  expect_near(mass_properties_of_hollow_ball(o, i, 5).moments.x, want);
  EXPECT_THROW(mass_properties_of_hollow_ball(1, 2, 5), InvalidArgument);
}

TEST(MassOfShapes, hull_of_a_box_is_the_box_wherever_it_stands) {
  const Vec3 half{0.5f, 1, 2}, at{4, -2, 1};
  const MassProperties got = mass_properties(ConvexHull(box_surface(half, at).vertices), kDensity);
  expect_same(got, mass_properties(Box{half}, kDensity));
  EXPECT_EQ(got.centre_of_mass, (Vec3d{4, -2, 1}));
  EXPECT_EQ(got.axes, (QuatT<double>{0, 0, 0, 1}));
}

TEST(MassOfShapes, what_encloses_nothing_is_refused) {
  EXPECT_THROW(mass_properties(Plane{}, 1), InvalidArgument);
  EXPECT_THROW(mass_properties(HeightField(2, 2, 1, {{0, 0, 0, 0}}), 1), InvalidArgument);
  EXPECT_THROW(mass_properties(ConvexHull(), 1), InvalidArgument);
  EXPECT_THROW(mass_properties(Sphere{1}, 0), InvalidArgument);
}

}  // namespace
}  // namespace cairn::mass_test
