// Force fields in scene files: what is written reads back equal, and what is wrong is told with its place.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cairn/world.h"
#include "tests/scene_file/draw.h"
#include "tests/scene_file/errors.h"
#include "tests/scene_file/round_trip.h"
#include "tests/support/docs.h"

namespace cairn::scene_file_test {
namespace {

/// Draws every member of a law, within its rules.
struct DrawMember {
  Draw& draw;
  void operator()(std::string_view, double& value) const {
    value = draw.coin() ? 0.7 * (1 + 0.4 * draw.real_within(1)) : double{draw.scaled(1e9)};
  }
  void operator()(std::string_view, Vec3d& value) const {
    value = {draw.real_within(9), -0.0, draw.real_within(1e-300)};
  }
  void operator()(std::string_view, std::uint32_t& value) const {
    value = 1 + static_cast<std::uint32_t>(draw.below(8));
  }
};

fields::Any draw_law(Draw& draw, std::size_t index, std::uint32_t bodies) {
  auto law = make_type<fields::Any>(index);
  std::visit(
      [&]<class Law>(Law& of) {
        if constexpr (std::same_as<Law, fields::Springs>) {
          for (std::uint64_t n = draw.below(4); n > 0; --n) {
            fields::Spring spring{.a = static_cast<std::uint32_t>(draw.below(bodies))};
            spring.b = (spring.a + 1 + static_cast<std::uint32_t>(draw.below(bodies - 1))) % bodies;
            draw_members(DrawMember{draw}, spring);
            of.springs.push_back(spring);
          }
        } else {
          draw_members(DrawMember{draw}, of);
        }
      },
      law);
  if (auto* flock = std::get_if<fields::Boids>(&law)) flock->separation_radius = 0.5 * flock->radius;
  if (auto* pull = std::get_if<fields::PairGravity>(&law)) {
    pull->constant = -pull->constant;
    pull->opening_angle = 0.3 + draw.real_within(0.3);
  }
  return law;
}

TEST(FieldFile, gives_back_the_scene_that_was_written) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    Scene scene;
    const auto add_body = [&] {
      const std::string name = draw_name(draw, scene.bodies().size());
      const BodyType type = draw.coin() ? BodyType::kDynamic : draw.coin() ? BodyType::kStatic : BodyType::kKinematic;
      scene.add_body({.name = name, .type = type, .shapes = {{.geometry = Sphere{0.1f}}}, .mass = 1.0f});
    };
    for (int i = 0; i < 3; ++i) add_body();
    scene.add_particles({.name = draw_name(draw, 100), .positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, .fixed = {1}});
    add_body();
    scene.add_particles({.name = draw_name(draw, 101), .positions = {{0, 1, 0}}});
    const auto bodies = static_cast<std::uint32_t>(scene.bodies().size());
    for (std::uint64_t n = draw.below(12); n > 0; --n) {
      SceneField field{draw_law(draw, draw.below(std::variant_size_v<fields::Any>), bodies), {}};
      if (!std::holds_alternative<fields::Springs>(field.law) && draw.coin()) {
        std::vector<std::uint32_t> list;
        for (std::uint32_t i = bodies; i > 0; --i) {
          if (draw.below(4) != 0) list.push_back(i - 1);
        }
        field.bodies = list;
      }
      scene.add_field(field);
    }
    ASSERT_TRUE(reads_back(scene));
  }
}

// Whole sets go by their names, and no list is another thing than an empty one.
TEST(FieldFile, names_sets_and_bodies) {
  Scene scene;
  scene.add_body({.name = "a", .shapes = {{.geometry = Sphere{1}}}, .mass = 1.0f});
  scene.add_particles({.name = "s", .positions = {{0, 0, 3}, {1, 0, 3}}});
  scene.add_particles({.name = "t", .positions = {{0, 0, 5}, {1, 0, 5}}});
  scene.add_field({fields::LinearDrag{0.5}, {{0, 1, 2, 4}}});
  scene.add_field({fields::LinearDrag{0.5}, std::vector<std::uint32_t>{}});
  scene.add_field({fields::LinearDrag{0.5}, {{3, 4}}});
  scene.add_field({fields::LinearDrag{0.5}, {}});
  const auto written = nlohmann::json::parse(scene_to_json(scene)).at("fields");
  const auto want = nlohmann::json::parse(R"([
    {"linear_drag": {"coefficient": 0.5}, "bodies": ["a", "t/1"], "particles": ["s"]},
    {"linear_drag": {"coefficient": 0.5}, "bodies": []},
    {"linear_drag": {"coefficient": 0.5}, "particles": ["t"]},
    {"linear_drag": {"coefficient": 0.5}}])");
  EXPECT_EQ(written, want);
  EXPECT_TRUE(reads_back(scene));
}

TEST(FieldFile, of_the_docs_is_read) {
  const std::string docs = testing_support::whole(testing_support::path_of_doc("scenes.md"));
  const std::size_t text = docs.find("A kite of four particles"), begin = docs.find("```json\n", text) + 8;
  ASSERT_NE(text, std::string::npos);
  World world(parse_scene(docs.substr(begin, docs.find("```", begin) - begin), "docs"));
  ASSERT_EQ(world.fields().size(), 2u);
  const BodyHandle ball = world.body_at(1), tail = world.body_at(5);
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_GT(world.state(tail).position.x, 0.1) << "the kite flies";
  EXPECT_EQ(world.state(ball).position.x, 3) << "in no wind";
}

std::string error_of_fields(const std::string& fields, const SceneFileLimits& limits = {}) {
  const std::string text = R"({"cairn": 1, "fields": [)" + fields + R"(], "bodies": [
    {"name": "a", "type": "dynamic", "mass": 1, "shapes": [{"sphere": {"radius": 1}}]},
    {"name": "b", "type": "static", "shapes": [{"sphere": {"radius": 1}}]},
    {"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]}],
    "particles": [{"name": "p", "positions": [[0, 0, 3], [0, 0, 5]]}]})";
  return error_of(text, limits);
}

TEST(FieldFile, names_the_place_of_what_it_refuses) {
  const std::string kOne = R"("linear_drag": {"coefficient": 1})";
  const std::pair<std::string, std::string> cases[] = {
      {"{" + kOne + "}", "nothing thrown"},
      {"{" + kOne + R"(, "bodies": ["p/1", "a"]})", "nothing thrown"},
      {R"({"springs": [{"a": "a", "b": "p/0"}]})", "nothing thrown"},
      {"{}",
       "f: /fields/0: must have one of gravity, linear_drag, quadratic_drag, wind, springs, lennard_jones, "
       "pair_gravity, boids, curl_noise, has 0"},
      {"{" + kOne + R"(, "gravity": {}})",
       "f: /fields/0: must have one of gravity, linear_drag, quadratic_drag, wind, springs, lennard_jones, "
       "pair_gravity, boids, curl_noise, has 2"},
      {"3", "f: /fields/0: must be an object, is a number"},
      {R"({"winds": {}})", R"(f: /fields/0/winds: unknown key; did you mean "wind"?)"},
      {R"({"wind": {"speed": 3}})", "f: /fields/0/wind/speed: unknown key"},
      {R"({"wind": []})", "f: /fields/0/wind: must be an object, is an array"},
      {R"({"wind": {"velocity": [1, 2]}})", "f: /fields/0/wind/velocity: must have 3 numbers, has 2"},
      {R"({"wind": {"linear": -1}})", "f: /fields/0/wind/linear: must be at least 0, is -1"},
      {R"({"lennard_jones": {"sigma": 0}})", "f: /fields/0/lennard_jones/sigma: must be over 0, is 0"},
      {R"({"boids": {"separation_radius": 2}})",
       "f: /fields/0/boids/separation_radius: must be at most the radius, 1, is 2"},
      {R"({"curl_noise": {"octaves": 9}})", "f: /fields/0/curl_noise/octaves: must be between 1 and 8, is 9"},
      {"{" + kOne + "}, {" + kOne + R"(, "bodies": ["c"]})", R"(f: /fields/1/bodies/0: no body is named "c")"},
      {"{" + kOne + R"(, "particles": ["a"]})", R"(f: /fields/0/particles/0: no particles are named "a")"},
      {"{" + kOne + R"(, "bodies": ["a", "p/0", "a"]})", R"(f: /fields/0/bodies/2: "a" is there already)"},
      {"{" + kOne + R"(, "bodies": ["p/1"], "particles": ["p"]})",
       R"(f: /fields/0/particles/0: "p/1" is there already)"},
      {"{" + kOne + R"(, "bodies": ["floor"]})",
       R"(f: /fields/0/bodies/0: must have a mass, and body "floor" would have none if it were dynamic)"},
      // one that isn't dynamic needs no mass, unless a field names it
      {R"({"gravity": {}, "bodies": ["b"]})",
       R"(f: /fields/0/bodies/0: must have a mass, and body "b" would have none if it were dynamic)"},
      {"{" + kOne + R"(, "bodies": "a"})", "f: /fields/0/bodies: must be an array, is a string"},
      {"{" + kOne + R"(, "bodies": [1]})", "f: /fields/0/bodies/0: must be a string, is a number"},
      {R"({"springs": {"springs": []}})", "f: /fields/0/springs: must be an array, is an object"},
      {R"({"springs": [{"a": "a"}]})", "f: /fields/0/springs/0/b: is required, is missing"},
      {R"({"springs": [{"a": "a", "b": "p/0"}, {"a": "a", "b": "x"}]})",
       R"(f: /fields/0/springs/1/b: no body is named "x")"},
      {R"({"springs": [{"a": "a", "b": "a"}]})", "f: /fields/0/springs/0/b: must be another particle than a, is 0"},
      {R"({"springs": [{"a": "a", "b": "p/0", "damping": -1}]})",
       "f: /fields/0/springs/0/damping: must be at least 0, is -1"},
      {R"({"springs": [{"a": "a", "b": "floor"}]})", "nothing thrown"},
      {R"({"springs": [], "bodies": []})",
       "f: /fields/0/bodies: must be left out of springs, whose ends tell what they act on"},
  };
  for (const auto& [fields, message] : cases) EXPECT_EQ(error_of_fields(fields), message) << fields;
  std::string many = "{" + kOne + "}";
  for (int i = 0; i < 1024; ++i) many += ", {" + kOne + "}";
  EXPECT_EQ(error_of_fields(many), "f: /fields: more than 1024 fields");
  EXPECT_NE(error_of_fields("{" + kOne + R"(, "bodies": ["a", "b", "p/0", "p/1"]})", {.shape_numbers = 3})
                .find("/fields/0/bodies/3: more than 3"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn::scene_file_test
