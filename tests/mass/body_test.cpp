// Bodies of the newer shapes, of point masses, and with an inertia of their own; what an inertia may be.

#include <cmath>
#include <limits>

#include <rapidcheck.h>

#include "cairn/mass.h"
#include "kernels/common/vec.h"
#include "tests/support/refusal.h"

namespace cairn::mass_test {
namespace {

using testing_support::refusal_of;

// sums of a few hundred double operations on numbers of the size of the result
constexpr double kSumRelative = 1024 * std::numeric_limits<double>::epsilon();

const std::vector<Material> kStuff{
    {.name = "stone", .density = 1000, .friction = 0.6f, .restitution = 0, .rolling_friction = 0}};

Shape shape(Geometry geometry, Vec3 position = {}, Quat orientation = {}) {
  return {.geometry = std::move(geometry), .position = position, .orientation = orientation, .material = 0};
}

void expect_same_body(const MassProperties& got, const MassProperties& want) {
  EXPECT_NEAR(got.mass, want.mass, kSumRelative * want.mass);
  const Vec3d& c = want.centre_of_mass;
  const double length = std::abs(c.x) + std::abs(c.y) + std::abs(c.z);
  EXPECT_NEAR(got.centre_of_mass.x, want.centre_of_mass.x, kSumRelative * length);
  EXPECT_NEAR(got.centre_of_mass.y, want.centre_of_mass.y, kSumRelative * length);
  EXPECT_NEAR(got.centre_of_mass.z, want.centre_of_mass.z, kSumRelative * length);
  const double size = want.moments.x + want.moments.y + want.moments.z;
  const Inertia a = inertia_of(got), b = inertia_of(want);
  // to float
  EXPECT_NEAR(a.moments.x, b.moments.x, 0x1p-22 * size);
  EXPECT_NEAR(a.moments.y, b.moments.y, 0x1p-22 * size);
  EXPECT_NEAR(a.moments.z, b.moments.z, 0x1p-22 * size);
  EXPECT_NEAR(a.products.x, b.products.x, 0x1p-22 * size);
  EXPECT_NEAR(a.products.y, b.products.y, 0x1p-22 * size);
  EXPECT_NEAR(a.products.z, b.products.z, 0x1p-22 * size);
}

TEST(MassOfBodies, shapes_and_points_add_up_by_parallel_axes) {
  const Quat turn = kernels::normalized(Quat{0.3f, -0.2f, 0.5f, 1});
  const ConvexHull hull({{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}});
  Body body{.name = "b",
            .shapes = {shape(Cone{0.5f, 1}, {1, 2, 3}, turn), shape(hull, {-1, 0, 0}, turn),
                       shape(Tube{1, 0.5f, 0.25f}, {0, 0, -1})}};
  body.point_masses = {{.mass = 500, .position = {0, 3, 0}}, {.mass = 20, .position = {9, 0, 1}}};
  const QuatT<double> q = kernels::widen(turn);
  const std::vector<MassProperties> parts{moved(mass_properties(Cone{0.5f, 1}, 1000), {1, 2, 3}, q),
                                          moved(mass_properties(hull, 1000), {-1, 0, 0}, q),
                                          moved(mass_properties(Tube{1, 0.5f, 0.25f}, 1000), {0, 0, -1}, {}),
                                          mass_properties(body.point_masses[0]), mass_properties(body.point_masses[1])};
  const MassProperties want = together(parts);
  expect_same_body(mass_properties(body, kStuff), want);

  // with a mass for all, the shapes have what the points leave
  body.mass = 1520;
  const double of_shapes = parts[0].mass + parts[1].mass + parts[2].mass;
  std::vector<MassProperties> scaled = parts;
  for (std::size_t k = 0; k < 3; ++k) {
    const double by = 1000 / of_shapes;
    scaled[k].mass *= by;
    scaled[k].moments = {by * parts[k].moments.x, by * parts[k].moments.y, by * parts[k].moments.z};
  }
  expect_same_body(mass_properties(body, kStuff), together(scaled));
}

TEST(MassOfBodies, cone_at_its_centre_of_mass_hangs_below_its_origin) {
  const Body body{.name = "b", .shapes = {shape(Cone{1, 2}, {0, 0, 5})}};
  EXPECT_EQ(mass_properties(body, kStuff).centre_of_mass.z, 4);
}

TEST(MassOfBodies, given_mass_is_taken_and_comes_back) {
  const Quat turn = kernels::normalized(Quat{0.3f, -0.2f, 0.5f, 1});
  const MassProperties want = moved(mass_properties(Box{{1, 2, 3}}, 10), {0.5, 0.25, -1}, kernels::widen(turn));
  Body body{.name = "b", .shapes = {shape(Sphere{1})}};
  give_mass(body, want);
  EXPECT_NO_THROW(validate(body, kStuff, "b"));
  const MassProperties got = mass_properties(body, kStuff);
  EXPECT_EQ(got.mass, want.mass);
  EXPECT_EQ(got.centre_of_mass, want.centre_of_mass);
  expect_same_body(got, want);
}

std::string why_not(const Body& body) {
  return refusal_of([&] { validate(body, kStuff, "body"); });
}

TEST(MassOfBodies, refuses_by_rule) {
  Body body{.name = "b", .shapes = {shape(Sphere{1})}, .mass = 1.0f};
  body.inertia = Inertia{{1, 1, 1}, {2, 0, 0}};
  EXPECT_EQ(why_not(body), "body: inertia must have no principal moment that isn't over 0, is (-1, 3, 1)");
  body.inertia = Inertia{{2, 2, 1}, {1.5f, 0, 0}};
  EXPECT_EQ(why_not(body),
            "body: inertia must have no principal moment above the sum of the other two, is (0.5, 3.5, 1)");
  body.inertia = Inertia{{2, 2, 2}, {0, std::numeric_limits<float>::infinity(), 0}};
  EXPECT_EQ(why_not(body), "body: inertia products.y must be finite, is inf");
  body.inertia.reset();
  body.centre_of_mass = Vec3{1, 0, 0};
  EXPECT_EQ(why_not(body), "body: centre_of_mass needs an inertia beside it");
  body.centre_of_mass.reset();
  body.point_masses = {{.mass = 0.5f, .position = {}}, {.mass = 0.75f, .position = {}}};
  EXPECT_EQ(why_not(body), "body: mass must be at least that of the point masses, 1.25, is 1");
  body.point_masses[1].mass = 0;
  EXPECT_EQ(why_not(body), "body: point mass 1 mass must be over 0, is 0");
}

TEST(MassOfBodies, inertia_of_any_solid_is_one_that_bodies_may_have) {
  rc::check([] {
    const auto number = [](int low, int high) { return static_cast<float>(*rc::gen::inRange(low, high)) / 64; };
    const Geometry plate = Box{{number(1, 6400), number(1, 6400), *rc::gen::element(1e-6f, 1e-3f, 1.0f)}};
    const Quat q = kernels::normalized(Quat{number(-99, 99), number(-99, 99), number(-99, 99), 1});
    const Inertia inertia = inertia_of(moved(mass_properties(plate, 1), {}, kernels::widen(q)));
    const std::string fault = fault_of(inertia);
    // a needle's least moment may be under the rounding of the others
    RC_ASSERT(fault.empty() || fault.find("over 0") != std::string::npos);
  });
}

double distance(const Inertia& a, const Inertia& b) {
  const auto squares = [](Vec3 p, Vec3 q) {
    const double x = double{p.x} - q.x, y = double{p.y} - q.y, z = double{p.z} - q.z;
    return x * x + y * y + z * z;
  };
  return std::sqrt(squares(a.moments, b.moments) + 2 * squares(a.products, b.products));
}

TEST(MassOfBodies, repaired_inertia_is_sound_and_the_nearest) {
  rc::check([] {
    const auto number = [] { return static_cast<float>(*rc::gen::inRange(-1000, 1000)) / 64; };
    const Inertia given{{number(), number(), number()}, {number(), number(), number()}};
    Inertia mended;
    try {
      mended = repaired(given);
    } catch (const InvalidArgument&) {
      RC_DISCARD("nothing to mend");
    }
    RC_ASSERT(fault_of(mended).empty());
    RC_ASSERT(repaired(mended) == mended);
    // of what a body can have, made from any three rods, none is nearer; but for the least moment of 1e-6
    const double off = distance(given, mended), size = distance(mended, {});
    for (int k = 0; k < 50; ++k) {
      const auto half = [] { return static_cast<float>(*rc::gen::inRange(-100, 100)) / 100; };
      // the tensor of three points, moved a little from the mended one
      MassProperties some;
      some.mass = 1;
      const Quat q = kernels::normalized(Quat{half(), half(), half(), 1});
      const double a = std::abs(half()) * size, b = std::abs(half()) * size, c = std::abs(half()) * size;
      some.moments = {b + c, a + c, a + b};
      some.axes = kernels::widen(q);
      const Inertia other = inertia_of(some);
      for (const float t : {1.0f, 0.1f, 0.01f}) {
        const auto mix = [&](Vec3 x, Vec3 y) {
          return Vec3{x.x + t * (y.x - x.x), x.y + t * (y.y - x.y), x.z + t * (y.z - x.z)};
        };
        const Inertia near{mix(mended.moments, other.moments), mix(mended.products, other.products)};
        RC_ASSERT(distance(given, near) >= off - 4e-6 * size);
      }
    }
  });
}

}  // namespace
}  // namespace cairn::mass_test
