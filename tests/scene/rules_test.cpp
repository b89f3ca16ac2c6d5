// Every rule of a scene, broken once: the message must name the thing, the rule and the value.

#include "src/scene/rules.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "cairn/scene.h"
#include "src/scene/text.h"
#include "tests/support/refusal.h"

namespace cairn::scene_test {
namespace {

using testing_support::refusal_of;

constexpr float kInf = std::numeric_limits<float>::infinity();

Body crate() { return {.name = "b0", .shapes = std::vector<Shape>(2), .mass = 1.0f}; }

struct BodyCase {
  std::string message;
  std::function<void(Body&)> spoil;
};

TEST(Rules, of_bodies_are_refused_by_name_rule_and_value) {
  const std::vector<BodyCase> cases{
      {"body \"#7\": name must not be # and a number, which stands for a thing without a name",
       [](Body& b) { b.name = "#7"; }},
      {"body \"\xC3\": name must be UTF-8", [](Body& b) { b.name.assign(1, '\xC3'); }},
      {"body \"b0\": type must be static, kinematic or dynamic", [](Body& b) { b.type = static_cast<BodyType>(3); }},
      {"body \"b0\": position.x must be between -1e7 and 1e7 m, is 10000001", [](Body& b) { b.position.x = 10000001; }},
      {"body \"b0\": position.z must be finite, is nan", [](Body& b) { b.position.z = std::nan(""); }},
      {"body \"b0\": orientation must not be the zero quaternion", [](Body& b) { b.orientation.w = 0; }},
      {"body \"b0\": orientation.w must be finite, is inf", [](Body& b) { b.orientation.w = kInf; }},
      {"body \"b0\": angular_velocity must turn the surface at no more than 1e+05 m/s, is 1e+10 rad/s at a bounding "
       "radius "
       "of ",
       [](Body& b) { b.angular_velocity.y = 1e10f; }},
      {"body \"b0\": linear_velocity must be 0 on a static body",
       [](Body& b) { b.type = BodyType::kStatic, b.linear_velocity.x = 1; }},
      {"body \"b0\": angular_velocity must be 0 on a static body",
       [](Body& b) { b.type = BodyType::kStatic, b.angular_velocity.z = 1; }},
      {"body \"b0\": linear_damping must be at least 0, is -1", [](Body& b) { b.linear_damping = -1; }},
      {"body \"b0\": shapes must have at least one shape", [](Body& b) { b.shapes.clear(); }},
      {"body \"b0\", shape 1: sphere radius must be over 0, is 0", [](Body& b) { b.shapes[1].geometry = Sphere{0}; }},
      {"body \"b0\", shape 1: sphere radius must be between 1e-6 and 1e6 m, is 1e-07",
       [](Body& b) { b.shapes[1].geometry = Sphere{1e-7f}; }},
      {"body \"b0\", shape 1: plane must be on a static body", [](Body& b) { b.shapes[1].geometry = Plane{}; }},
      {"body \"b0\", shape 1: plane must be on a static body",
       [](Body& b) { b.type = BodyType::kKinematic, b.shapes[1].geometry = Plane{}; }},
      {"body \"b0\", shape 1: plane normal must not be the zero vector",
       [](Body& b) {
         b.type = BodyType::kStatic, b.shapes[1].geometry = Plane{{0, 0, 0}, 0};
       }},
      {"body \"b0\", shape 1: orientation must not be the zero quaternion",
       [](Body& b) { b.shapes[1].orientation.w = 0; }},
      {"body \"b0\", shape 1: material must be the index of a material (there are 1), is 1",
       [](Body& b) { b.shapes[1].material = 1; }},
      {"body \"b0\": mass must be over 0, is 0", [](Body& b) { b.mass = 0.0f; }},
      {"body \"b0\": mass or density must be given on a dynamic body, or a density on the materials of all its shapes; "
       "material "
       "\"default\" has none",
       [](Body& b) { b.mass.reset(); }},
      {"body \"b0\": mass from its shapes must be between 1e-36 and 1e36, is",
       [](Body& b) { b.mass.reset(), b.density = 1e37f; }},
      {"body \"b0\": principal inertia from its shapes.x must be between 1e-36 and 1e36, is",
       [](Body& b) { b.mass = 1e-30f, b.shapes[0].geometry = b.shapes[1].geometry = Sphere{1e-4f}; }},
      {"body \"b0\": inertia needs a mass beside it",
       [](Body& b) {
         b.mass.reset(), b.density = 1.0f, b.inertia = Inertia{{1, 1, 1}};
       }},
      {"body \"b0\": inertia.y must be over 0, is 0",
       [](Body& b) {
         b.inertia = Inertia{{1, 0, 1}};
       }},
      {"body \"b0\": inertia must have no moment above the sum of the other two, is (1, 2, 3.5)",
       [](Body& b) {
         b.inertia = Inertia{{1, 2, 3.5f}};
       }},
  };
  for (const BodyCase& each : cases) {
    Scene scene;
    Body body = crate();
    each.spoil(body);
    const std::string message = refusal_of([&] { scene.add_body(body); });
    EXPECT_EQ(message.substr(0, each.message.size()), each.message);
    EXPECT_TRUE(scene.bodies().empty());
    EXPECT_TRUE(scene.materials().empty());
  }
}

// |w| r at most 1e5 m/s, r of the bounding sphere about the centre of mass
TEST(Rules, of_spin_go_by_the_farthest_point_from_the_centre_of_mass) {
  // two balls of 0.5 m: the centre of mass is 3 m from each, so r = 3.5 m, wherever the body's origin is
  for (const float origin : {0.0f, 100.0f}) {
    Body dumbbell = crate();
    dumbbell.shapes[0].position = {origin - 3, 0, 0};
    dumbbell.shapes[1].position = {origin + 3, 0, 0};
    const float most = 1e5f / 3.5f;
    Scene scene;
    dumbbell.angular_velocity = {0, 0.6f * 1.001f * most, 0.8f * 1.001f * most};
    EXPECT_THROW(scene.add_body(dumbbell), InvalidArgument) << origin;
    dumbbell.angular_velocity = {0, 0.6f * 0.999f * most, 0.8f * 0.999f * most};
    EXPECT_NO_THROW(scene.add_body(dumbbell)) << origin;
  }
}

TEST(Rules, of_materials_are_refused_by_name_rule_and_value) {
  const auto refusal = [](const std::function<void(Material&)>& spoil) {
    Material material{.name = "stone"};
    spoil(material);
    Scene scene;
    return refusal_of([&] { scene.add_material(material); });
  };
  EXPECT_EQ(refusal([](Material& m) { m.name.clear(); }), "material 0: name must not be empty");
  EXPECT_EQ(refusal([](Material& m) { m.density = -1; }), "material \"stone\": density must be at least 0, is -1");
  EXPECT_EQ(refusal([](Material& m) { m.friction = kInf; }), "material \"stone\": friction must be finite, is inf");
}

TEST(Rules, of_params_are_refused_by_name_rule_and_value) {
  const auto refusal = [](const std::function<void(StepParams&)>& spoil) {
    StepParams params;
    spoil(params);
    Scene scene;
    return refusal_of([&] { scene.set_params(params); });
  };
  EXPECT_EQ(refusal([](StepParams& p) { p.substeps = 0; }), "solver: substeps must be between 1 and 1000, is 0");
  EXPECT_EQ(refusal([](StepParams& p) { p.dt = 0; }), "solver: dt must be over 0 and at most 1 s, is 0");
  EXPECT_EQ(refusal([](StepParams& p) { p.sweep = SweepKind::kJacobi; }),
            "solver: sweep must be gauss_seidel unless the solver is xpbd, is jacobi");
  EXPECT_EQ(refusal([](StepParams& p) { p.friction_mix = static_cast<MixRule>(9); }),
            "solver: friction_mix must be geometric_mean, min, max or product");
  EXPECT_NO_THROW(validate(StepParams{}));
}

TEST(Rules, let_thin_plates_pass_the_triangle_inequality) {
  // the sums are exact in the world and rounded in float
  Body plate = crate();
  for (const float a : {0.1f, 0.3f, 0.7f, 1e-20f, 1e20f}) {
    const float b = a * 1.1f;
    plate.inertia = Inertia{{a, b, a + b}};
    EXPECT_NO_THROW(validate(plate, {rules::default_material()}, "plate"));
  }
}

TEST(Rules, of_utf8_hold_at_the_edges_of_the_encoding) {
  for (const char* good : {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBF",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(rules::is_utf8(good));
  }
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xED\xA0\x80",
                          "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    EXPECT_FALSE(rules::is_utf8(bad));
  }
}

TEST(Rules, of_fields_are_thrown_by_name_and_change_nothing) {
  Scene scene;
  scene.add_body({.name = "floor", .type = BodyType::kStatic, .shapes = {{.geometry = Plane{}}}});
  scene.add_body({.name = "a", .shapes = {{.geometry = Sphere{1}}}, .mass = 1.0f});
  scene.add_body({.name = "b", .shapes = {{.geometry = Sphere{1}}}, .mass = 1.0f});
  const auto refusal = [&](const SceneField& field) { return refusal_of([&] { scene.add_field(field); }); };
  EXPECT_EQ(refusal({fields::LinearDrag{-1}, {}}), "field 0 (LinearDrag): coefficient must be at least 0, is -1");
  EXPECT_EQ(refusal({fields::Gravity{}, {{2, 1, 2}}}),
            "field 0 (Gravity): bodies must be there once each, body 2 is there twice");
  EXPECT_EQ(refusal({fields::Gravity{}, {{3}}}), "field 0 (Gravity): bodies must be a body, there is no body 3");
  EXPECT_EQ(refusal({fields::Gravity{}, {{0}}}),
            "field 0 (Gravity): bodies must have a mass, and body \"floor\" would have none if it were dynamic");
  EXPECT_EQ(refusal({fields::Springs{}, {{1}}}),
            "field 0 (Springs): bodies must be left out of springs, whose ends tell what they act on");
  EXPECT_EQ(refusal({fields::Springs{{{1, 3, 1, 0, 0}}}, {}}),
            "field 0 (Springs): springs[0].b must be a body, there is no body 3");
  EXPECT_TRUE(scene.fields().empty());
  for (std::uint32_t i = 0; i < 1024; ++i) EXPECT_EQ(scene.add_field({fields::Gravity{}, {{2, 1}}}), i);
  EXPECT_EQ(scene.fields()[5].bodies, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(refusal({fields::Gravity{}, {}}), "at most 1024 fields, and there would be 1025");
}

}  // namespace
}  // namespace cairn::scene_test
