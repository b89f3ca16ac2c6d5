// Masses and moments against closed forms, and bodies of several shapes against the one shape that they make up.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/builders.h"

namespace cairn::scene_test {
namespace {

constexpr double kPi = std::numbers::pi;
// a few dozen double operations, each relative 2^-53; every input of these tests is exact in float
constexpr double kRelative = 64 * std::numeric_limits<double>::epsilon();

const std::vector<Material> kStone{{.name = "stone", .density = 1000}, {.name = "cork", .density = 250}};

using testing_support::shape;

Body body(std::vector<Shape> shapes) { return {.name = "solid", .shapes = std::move(shapes)}; }

void expect_near(double got, double want) { EXPECT_NEAR(got, want, kRelative * std::abs(want)); }

void expect_moments(const MassProperties& got, double x, double y, double z) {
  expect_near(got.moments.x, x);
  expect_near(got.moments.y, y);
  expect_near(got.moments.z, z);
}

/// The tensor in body axes, R diag(moments) R^T.
std::array<std::array<double, 3>, 3> tensor(const MassProperties& got) {
  const auto [x, y, z, w] = got.axes;
  const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                          {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                          {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  const double m[3] = {got.moments.x, got.moments.y, got.moments.z};
  std::array<std::array<double, 3>, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += r[i][k] * m[k] * r[j][k];
    }
  }
  return out;
}

TEST(MassProperties, of_a_sphere_are_two_fifths_m_r_squared) {
  const MassProperties got = mass_properties(body({shape(Sphere{0.25f})}), kStone);
  const double mass = 1000 * 4.0 / 3.0 * kPi * 0.25 * 0.25 * 0.25;
  expect_near(got.mass, mass);
  const double moment = 0.4 * mass * 0.25 * 0.25;
  expect_moments(got, moment, moment, moment);
  EXPECT_EQ(got.axes, QuatT<double>{});
}

TEST(MassProperties, of_a_box_are_m_over_12_times_the_sides_squared) {
  const MassProperties got = mass_properties(body({shape(Box{{0.5f, 1.0f, 1.5f}})}), kStone);
  expect_near(got.mass, 1000 * 1 * 2 * 3);
  expect_moments(got, 6000.0 / 12 * (4 + 9), 6000.0 / 12 * (1 + 9), 6000.0 / 12 * (1 + 4));
  EXPECT_EQ(got.axes, QuatT<double>{});
}

TEST(MassProperties, of_a_capsule_are_those_of_its_revolved_profile) {
  // independent of the cylinder and hemispheres of the code: discs of radius p(z) along z, integrated by Simpson's
  // rule, which is exact for the pieces' cubics and quartics to the step's fourth power; the profile's square is a
  // polynomial on each piece
  const double r = 0.5, h = 0.75, density = 1000;
  const auto squared = [&](double z) {
    return std::abs(z) <= h ? r * r : r * r - (std::abs(z) - h) * (std::abs(z) - h);
  };
  double mass = 0, along = 0, across = 0;
  const auto add = [&](double from, double to) {
    constexpr int kSteps = 4096;
    const double step = (to - from) / kSteps;
    for (int k = 0; k <= kSteps; ++k) {
      const double z = from + k * step, p = squared(z);
      const double weight = step / 3 * (k == 0 || k == kSteps ? 1 : k % 2 ? 4 : 2) * density * kPi;
      mass += weight * p;
      along += weight * p * p / 2;
      across += weight * (p * p / 4 + p * z * z);
    }
  };
  add(-h - r, -h);
  add(-h, h);
  add(h, h + r);
  const MassProperties got = mass_properties(body({shape(Capsule{0.5f, 0.75f})}), kStone);
  // Simpson's error on quartics is step^4 / 180 times a derivative of order 10: under 1e-15 of it; 4096 additions round
  // more
  const double relative = 4096 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(got.mass, mass, relative * mass);
  EXPECT_NEAR(got.moments.x, across, relative * across);
  EXPECT_NEAR(got.moments.y, across, relative * across);
  EXPECT_NEAR(got.moments.z, along, relative * along);
}

TEST(MassProperties, of_a_box_cut_into_eight_equal_those_of_the_box) {
  std::vector<Shape> octants;
  for (int k = 0; k < 8; ++k) {
    const auto sign = [&](int bit) { return k & bit ? 1.0f : -1.0f; };
    octants.push_back(shape(Box{{0.25f, 0.5f, 0.75f}}, {3 + 0.25f * sign(1), 0.5f * sign(2), -2 + 0.75f * sign(4)}));
  }
  const MassProperties whole = mass_properties(body({shape(Box{{0.5f, 1.0f, 1.5f}})}), kStone);
  const MassProperties parts = mass_properties(body(octants), kStone);
  expect_near(parts.mass, whole.mass);
  expect_moments(parts, whole.moments.x, whole.moments.y, whole.moments.z);
  expect_near(parts.centre_of_mass.x, 3);
  EXPECT_NEAR(parts.centre_of_mass.y, 0, kRelative);
  expect_near(parts.centre_of_mass.z, -2);
  EXPECT_EQ(parts.axes, QuatT<double>{}) << "a diagonal tensor must not be turned";
}

TEST(MassProperties, put_the_centre_of_mass_where_the_densities_balance) {
  // 1000 kg at x = 0 and 250 kg at x = 5 balance at x = 1
  const Body dumbbell = body({shape(Box{}), shape(Box{}, {5, 0, 0}, {}, 1)});
  const MassProperties got = mass_properties(dumbbell, kStone);
  expect_near(got.mass, 1250);
  expect_near(got.centre_of_mass.x, 1);
  // about x: m/6 each; about y and z: m/6 each, and 1000 * 1^2 + 250 * 4^2
  const double own = 1250.0 / 6;
  expect_moments(got, own, own + 5000, own + 5000);
}

TEST(MassProperties, of_a_turned_box_have_its_axes) {
  // 90 degrees about x leaves the tensor diagonal, with y and z exchanged
  const float s = std::sqrt(0.5f);
  const MassProperties quarter = mass_properties(body({shape(Box{{0.5f, 1.0f, 1.5f}}, {}, {s, 0, 0, s})}), kStone);
  expect_moments(quarter, 6500, 2500, 5000);

  // any turn: the tensor that the principal moments and axes make is the turned one
  const Quat turn{0.1f, -0.7f, 0.3f, 0.2f};
  const MassProperties got = mass_properties(body({shape(Box{{0.5f, 1.0f, 1.5f}}, {}, turn)}), kStone);
  const double length = std::sqrt(0.1f * 0.1f + 0.7f * 0.7f + 0.3f * 0.3f + 0.2f * 0.2f);
  const MassProperties want{.moments = {6500, 5000, 2500},
                            .axes = {turn.x / length, turn.y / length, turn.z / length, turn.w / length}};
  const auto a = tensor(got), b = tensor(want);
  // the test's own length is a float sum: 8 roundings of 2^-24, which the tensor takes twice
  const double allowed = 6500 * 2 * 8 * 0x1p-24;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(a[i][j], b[i][j], allowed) << i << j;
  }
}

TEST(MassProperties, keep_the_trace_and_the_axes_unit_for_many_turns) {
  for (int k = 1; k < 200; ++k) {
    const auto part = [&](int step) { return static_cast<float>((k * step) % 41 - 20) / 20 + 0.01f; };
    const Quat turn{part(7), part(11), part(17), part(23)};
    const MassProperties got = mass_properties(body({shape(Box{{0.5f, 1.0f, 1.5f}}, {0.5f, 0, 0}, turn)}), kStone);
    expect_near(got.moments.x + got.moments.y + got.moments.z, 14000);
    const auto& q = got.axes;
    EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, kRelative);
    // the Jacobi rotations stop when what is left off the diagonal is 1e-13 of the trace
    const double least = std::min({got.moments.x, got.moments.y, got.moments.z});
    EXPECT_NEAR(least, 2500, 14000 * 1e-12);
  }
}

TEST(MassProperties, take_a_given_mass_before_density_and_density_before_materials) {
  Body box = body({shape(Box{})});
  expect_near(mass_properties(box, kStone).mass, 1000);
  box.density = 500.0f;
  expect_near(mass_properties(box, kStone).mass, 500);
  box.mass = 3.0f;
  const MassProperties got = mass_properties(box, kStone);
  expect_near(got.mass, 3);
  expect_moments(got, 0.5, 0.5, 0.5);
}

TEST(MassProperties, take_a_given_inertia_along_the_bodys_axes) {
  Body box = body({shape(Box{{0.5f, 1.0f, 1.5f}}, {1, 2, 3}, {0.6f, 0, 0, 0.8f})});
  box.mass = 1.0f;
  box.inertia = Inertia{{1, 2, 3}};
  const MassProperties got = mass_properties(box, kStone);
  EXPECT_EQ(got.moments, (Vec3d{1, 2, 3}));
  EXPECT_EQ(got.axes, QuatT<double>{});
  EXPECT_EQ(got.centre_of_mass, (Vec3d{1, 2, 3}));
}

TEST(MassProperties, of_static_and_kinematic_bodies_are_zero) {
  for (const BodyType type : {BodyType::kStatic, BodyType::kKinematic}) {
    Body box = body({shape(Box{}, {1, 0, 0})});
    box.type = type;
    const MassProperties got = mass_properties(box, kStone);
    EXPECT_EQ(got.mass, 0);
    EXPECT_EQ(got.moments, Vec3d{});
    EXPECT_EQ(got.centre_of_mass, Vec3d{});
  }
}

}  // namespace
}  // namespace cairn::scene_test
