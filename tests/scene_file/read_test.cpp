// What the reader makes of good files.

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "src/scene_file/keys.h"
#include "tests/scene_file/round_trip.h"
#include "tests/support/refusal.h"

namespace cairn::scene_file_test {
namespace {

using testing_support::refusal_of;

Scene parse(const std::string& text) { return parse_scene(text, "test"); }

constexpr const char* kTwo = R"({"cairn": 1, "name": "two", "gravity": [0,0,-9.81],
  "materials": [{"name":"stone","density":1000,"friction":0.6,"restitution":0}],
  "bodies": [{"name":"floor","type":"static","shapes":[{"plane":{"normal":[0,0,1],"offset":0},"material":"stone"}]},
    {"name":"b0","type":"dynamic","position":[0,0,0.5],"orientation_xyzw":[0,0,0,1],"linear_velocity":[0,0,0],
     "angular_velocity":[0,0,0],"shapes":[{"box":{"half_extents":[0.5,0.5,0.5]},"material":"stone"}]}],
  "solver": {"kind":"soft_step","dt":0.016666667,"substeps":6}})";

TEST(SceneFile, of_a_box_on_a_floor_is_read) {
  const Scene scene = parse(kTwo);
  EXPECT_EQ(scene.name, "two");
  EXPECT_EQ(scene.gravity(), (Vec3{0, 0, -9.81f}));
  EXPECT_EQ(scene.params().dt, 0.016666667f);
  ASSERT_EQ(scene.bodies().size(), 2u);
  EXPECT_EQ(scene.bodies()[0].type, BodyType::kStatic);
  EXPECT_EQ(std::get<Plane>(scene.bodies()[0].shapes[0].geometry), Plane{});
  EXPECT_EQ(scene.bodies()[1].position, (Vec3d{0, 0, 0.5}));
  EXPECT_EQ(std::get<Box>(scene.bodies()[1].shapes[0].geometry), Box{});
  EXPECT_EQ(scene.materials()[scene.bodies()[1].shapes[0].material].density, 1000);
}

TEST(SceneFile, leaves_what_it_does_not_say_at_the_defaults) {
  const Scene scene =
      parse(R"({"cairn":1,"bodies":[{"name":"a","type":"dynamic","mass":1,"shapes":[{"sphere":{"radius":1}}]}]})");
  EXPECT_EQ(scene.bodies()[0], (Body{.name = "a", .shapes = {{.geometry = Sphere{1}}}, .mass = 1.0f}));
  EXPECT_EQ(scene.params(), StepParams{});
  EXPECT_EQ(scene.gravity(), Scene{}.gravity());
  ASSERT_EQ(scene.materials().size(), 1u);
  EXPECT_EQ(scene.materials()[0].name, "default");
  EXPECT_EQ(scene.materials()[0].friction, 0.6f);
}

TEST(SceneFile, takes_its_keys_in_any_order) {
  const Scene scene = parse(R"({"bodies":[{"shapes":[{"material":"ice","sphere":{"radius":1}},{"sphere":{"radius":2}}],
    "type":"dynamic","name":"a","mass":1}],"materials":[{"friction":0,"name":"ice"}],"cairn":1})");
  ASSERT_EQ(scene.materials().size(), 2u);
  EXPECT_EQ(scene.bodies()[0].shapes[0].material, 0u);
  EXPECT_EQ(scene.materials()[scene.bodies()[0].shapes[1].material].name, "default");
}

TEST(SceneFile, may_define_the_default_material_itself) {
  const Scene scene = parse(R"({"cairn":1,"materials":[{"name":"ice"},{"name":"default","density":5,"friction":0.1}],
    "bodies":[{"name":"a","type":"dynamic","shapes":[{"sphere":{"radius":1}}]}]})");
  EXPECT_EQ(scene.materials().size(), 2u);
  EXPECT_EQ(scene.bodies()[0].shapes[0].material, 1u);
}

TEST(SceneFile, rounds_each_number_once) {
  // just over the middle of two floats, by less than double can tell: through double it would go to the even one below
  const Scene scene = parse(R"({"cairn":1,"gravity":[1.000000059604644775390625000000000001,16777217,-0.0],
    "bodies":[{"name":"a","type":"static","position":[0.1,8388609.5,1e-300],"shapes":[{"sphere":{"radius":1}}]}]})");
  EXPECT_EQ(scene.gravity().x, std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(scene.gravity().y, 16777216.0f);
  EXPECT_TRUE(std::signbit(scene.gravity().z));
  EXPECT_EQ(scene.bodies()[0].position, (Vec3d{0.1, 8388609.5, 1e-300}));
}

TEST(SceneFile, reads_the_same_in_a_locale_with_a_decimal_comma) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool found = false;
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
    found = found || std::setlocale(LC_NUMERIC, name);
  const Scene scene = parse(kTwo);
  const std::string text = scene_to_json(scene);
  std::setlocale(LC_NUMERIC, before.c_str());
  EXPECT_EQ(scene.bodies()[1].position.z, 0.5);
  EXPECT_EQ(text, scene_to_json(parse(kTwo)));
  if (!found) GTEST_SKIP() << "no locale with a decimal comma is installed";
}

TEST(SceneFile, is_loaded_from_disk_and_names_itself_in_errors) {
  const auto file = std::filesystem::temp_directory_path() / "cairn_scene_file_test.json";
  std::ofstream(file) << kTwo;
  EXPECT_EQ(load_scene(file).bodies(), parse(kTwo).bodies());
  std::ofstream(file) << R"({"cairn":1,"bodies":5})";
  EXPECT_EQ(refusal_of<SceneFileError>([&] { load_scene(file); }),
            file.string() + ": /bodies: must be an array, is a number");
  std::filesystem::remove(file);
  EXPECT_THROW(load_scene(file), SceneFileError);
  EXPECT_THROW(load_scene(std::filesystem::temp_directory_path()), SceneFileError);
}

// Bodies and joints may have no names; # and a place stands for one that something else names.
TEST(SceneFile, needs_no_names_of_bodies_and_joints) {
  const std::string ball = R"({"type": "dynamic", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]})",
                    three = R"({"cairn": 1, "bodies": [)" + ball + ", " + ball + R"(, {"name": "named", )" +
                            ball.substr(1) + "],";
  const Scene scene = parse(
      three + R"("joints": [{"kind": "hinge", "body_b": "#0"}, {"kind": "hinge", "body_a": "named", "body_b": "#1"},
                 {"kind": "gear", "joint_a": "#0", "joint_b": "#1"}],
      "fields": [{"springs": [{"a": "#0", "b": "#1", "stiffness": 1, "rest_length": 1}]},
                 {"linear_drag": {"coefficient": 1}, "bodies": ["#1", "named"]}],
      "particles": [{"name": "rope", "positions": [[0, 0, 9]], "mass": 1, "radius": 0.1,
                     "attachments": [{"particle": 0, "body": "#1"}]}],
      "ignore": [["#0", "#1"]]})");
  EXPECT_TRUE(scene.bodies()[0].name.empty());
  EXPECT_EQ(scene.joints()[1].body_a, 2u);
  EXPECT_EQ(scene.joints()[1].body_b, 1u);
  EXPECT_EQ(scene.particles()[0].description.attachments[0].body, 1u);
  EXPECT_FALSE(scene.find_body("").has_value());
  EXPECT_TRUE(reads_back(scene));
  for (const char* wrong : {"#3", "#2", "#00x", "#-1", "#", "#4294967296"}) {
    EXPECT_THROW((void)parse(three + R"("joints": [{"kind": "hinge", "body_b": ")" + wrong + R"("}]})"), SceneFileError)
        << wrong;
  }
}

}  // namespace
// Files of before version 0.2 have old names of keys: what is read is the same; both at once are one key twice.
TEST(SceneFile, reads_keys_by_the_names_that_they_had) {
  const auto file = [](const std::function<std::string(std::string)>& key) {
    return R"({"cairn": 1, "solver": {")" + key("push_out_speed") + R"(": 2, ")" + key("strain_sweeps") + R"(": 3, ")" +
           key("fluid_sweeps") + R"(": 5, ")" + key("contact_frequency") + R"(": 0.1}, "bodies": [{"name": "a", ")" +
           key("fast") +
           R"(": true, "type": "dynamic", "mass": 1, "shapes": [{"sphere": {"radius": 1}}]}], "joints": [{"name": "j",
           "kind": "distance", "body_a": "world", "body_b": "a", ")" +
           key("shortest") + R"(": 1, ")" + key("longest") + R"(": 2}, {"name": "k", "kind": "hinge", "body_a": "world",
           "body_b": "a", "turn": {"drive": {"damping": 1, ")" +
           key("most_force") + R"(": 7}}}], "articulations": [{"name": "r", "links": [{"name": "l", "mass": 1,
           "inertia": [1, 1, 1], "shapes": [{"sphere": {"radius": 1}}], "joint": {"kind": "revolute", ")" +
           key("drive_most_force") + R"(": 9}}]}]})";
  };
  const auto old = [](std::string key) { return key; };
  std::size_t renamed = 0;
  const auto now = [&](std::string key) {
    ++renamed;
    return std::string(scene_file::current_key(key));
  };
  const Scene read = parse_scene(file(old), "old");
  EXPECT_EQ(scene_to_json(read), scene_to_json(parse_scene(file(now), "new")));
  EXPECT_EQ(renamed, scene_file::kRenamedKeys.size());
  EXPECT_EQ(read.params().max_depenetration_speed, 2);
  EXPECT_TRUE(read.bodies()[0].bullet);
  EXPECT_NE(scene_to_json(read).find("max_length"), std::string::npos);
  EXPECT_THROW((void)parse_scene(R"({"cairn": 1, "solver": {"push_out_speed": 2, "max_depenetration_speed": 2}})", ""),
               SceneFileError);
}

}  // namespace cairn::scene_file_test
