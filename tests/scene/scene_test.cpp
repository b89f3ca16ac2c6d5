#include "cairn/scene.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "src/scene/rules.h"
#include "tests/support/refusal.h"

namespace cairn::scene_test {
namespace {

using testing_support::refusal_of;

Body crate(const std::string& name) { return {.name = name, .shapes = {Shape{}}, .mass = 1.0f}; }

TEST(Scene, counts_bodies_and_materials_from_zero) {
  Scene scene;
  EXPECT_EQ(scene.add_material({.name = "a"}), 0u);
  EXPECT_EQ(scene.add_material({.name = "b"}), 1u);
  EXPECT_EQ(scene.add_body(crate("x")), 0u);
  EXPECT_EQ(scene.add_body(crate("y")), 1u);
  EXPECT_EQ(scene.find_body("y"), 1u);
  EXPECT_FALSE(scene.find_body("z"));
  EXPECT_EQ(scene.materials().size(), 2u);
}

TEST(Scene, without_materials_gets_the_default_one_with_its_first_body) {
  Scene scene;
  EXPECT_TRUE(scene.materials().empty());
  scene.add_body(crate("x"));
  ASSERT_EQ(scene.materials().size(), 1u);
  EXPECT_EQ(scene.materials()[0].name, "default");
  EXPECT_EQ(scene.materials()[0].friction, 0.6f);
  EXPECT_EQ(scene.add_material({.name = "b"}), 1u);
}

TEST(Scene, refuses_a_name_twice_and_stays_as_it_was) {
  Scene scene;
  scene.add_body(crate("x"));
  EXPECT_EQ(refusal_of([&] { scene.add_body(crate("x")); }), "body \"x\": name must be unique, body 0 has it too");
  EXPECT_EQ(scene.bodies().size(), 1u);
  EXPECT_THROW(scene.add_material(rules::default_material()), InvalidArgument);
  EXPECT_EQ(scene.materials().size(), 1u);
}

TEST(Scene, refuses_gravity_that_is_not_finite) {
  Scene scene;
  EXPECT_THROW(scene.set_gravity({0, 0, std::nanf("")}), InvalidArgument);
  EXPECT_EQ(scene.gravity(), (Vec3{0, 0, -9.81f}));
  scene.set_gravity({});
  EXPECT_EQ(scene.gravity(), Vec3{});
}

TEST(Scene, copies_are_independent) {
  Scene first;
  first.add_body(crate("x"));
  Scene second = first;
  second.add_body(crate("y"));
  first.add_body(crate("z"));
  EXPECT_FALSE(first.find_body("y"));
  EXPECT_FALSE(second.find_body("z"));
  EXPECT_EQ(second.find_body("x"), 0u);
}

TEST(Scene, makes_quaternions_and_normals_unit) {
  Scene scene;
  Body body = crate("x");
  body.type = BodyType::kStatic;
  body.orientation = {0, 3, 0, -4};
  body.shapes[0].orientation = {1e-30f, 0, 0, 0};
  body.shapes[0].geometry = Plane{{0, 0, 1e30f}, 2};
  scene.add_body(body);
  const Body& got = scene.bodies()[0];
  EXPECT_EQ(got.orientation, (Quat{0, 0.6f, 0, -0.8f}));
  EXPECT_EQ(got.shapes[0].orientation, (Quat{1, 0, 0, 0}));
  EXPECT_EQ(std::get<Plane>(got.shapes[0].geometry), (Plane{{0, 0, 1}, 2}));
}

TEST(Unit, keeps_what_is_unit_to_rounding_bit_for_bit) {
  for (int k = 1; k < 2000; ++k) {
    const auto part = [&](int step) { return static_cast<float>((k * step) % 1009 - 504) * 0.37f; };
    const Quat once = rules::unit(Quat{part(7), part(11), part(17), part(23)});
    const Quat twice = rules::unit(once);
    using Bits = std::array<std::uint32_t, 4>;
    EXPECT_EQ(std::bit_cast<Bits>(once), std::bit_cast<Bits>(twice));
    const double length =
        double{once.x} * once.x + double{once.y} * once.y + double{once.z} * once.z + double{once.w} * once.w;
    // four components, each rounded by half an ulp
    EXPECT_NEAR(length, 1, 2 * 0x1p-24);
  }
  const Quat negative_zero{-0.0f, 0, 0, 1};
  EXPECT_TRUE(std::signbit(rules::unit(negative_zero).x));
}

}  // namespace
}  // namespace cairn::scene_test
