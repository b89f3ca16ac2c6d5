// What the reader says about bad files: place and reason.

#include <string>

#include "tests/scene_file/errors.h"

namespace cairn::scene_file_test {
namespace {

/// A file with one body "a" whose members follow its name.
std::string with_body(const std::string& members) { return R"({"cairn":1,"bodies":[{"name":"a",)" + members + "}]}"; }

/// A dynamic ball with further members.
std::string with_ball(const std::string& members) {
  return with_body(R"("type":"dynamic","mass":1,"shapes":[{"sphere":{"radius":1}}])" +
                   (members.empty() ? "" : "," + members));
}

/// A body of two shapes; the second is given.
std::string with_shape(const std::string& shape) {
  return with_body(R"("type":"dynamic","mass":1,"shapes":[{"sphere":{"radius":1}},)" + shape + "]");
}

std::string with_root(const std::string& members) { return R"({"cairn":1,"bodies":[],)" + members + "}"; }

TEST(SceneFileErrors, at_the_root) {
  expect_errors({
      {"[]", "(root): must be an object, is an array"},
      {"3", "(root): must be an object, is a number"},
      {"{}", "/cairn: is required, is missing"},
      {R"({"cairn":1})", "/bodies: is required, is missing"},
      {R"({"cairn":2,"bodies":[]})", "/cairn: must be 1, the version of the format, is 2"},
      {R"({"cairn":"1","bodies":[]})", "/cairn: must be a number, is a string"},
      {R"({"cairn":1.5,"bodies":[]})", "/cairn: must be a whole number, is \"1.5\""},
      {R"({"cairn":1,"bodys":[]})", "/bodys: unknown key; did you mean \"bodies\"?"},
      {R"({"cairn":1,"x~/y":[]})", "/x~0~1y: unknown key"},
      {R"({"cairn":1,"cairn":1,"bodies":[]})", "/cairn: is given twice"},
      {with_root(R"("bodies":[])"), "/bodies: is given twice"},
      {with_root(R"("materials":{})"), "/materials: must be an array, is an object"},
      {with_root(R"("name":3)"), "/name: must be a string, is a number"},
      {with_root(R"("gravity":[0,0])"), "/gravity: must have 3 numbers, has 2"},
      {with_root(R"("gravity":[0,null,0])"), "/gravity/1: must be a number, is null"},
      {with_root(R"("gravity":[0,0,1e39])"), "/gravity/2: must be a number that float32 can hold, is \"1e39\""},
      {with_root(R"("gravity":[0,0,1e-50])"), "/gravity/2: must be a number that float32 can hold, is \"1e-50\""},
      {with_root(R"("gravity":[0,0,1e-400])"), "/gravity/2: must be a number that float32 can hold, is \"1e-400\""},
      {with_root(R"("limits":{"upper":[1,1,-1e7]})"), "/limits/upper/2: must be over -1e+07, is -1e+07"},
      {with_root(R"("limits":{"sped":1})"), "/limits/sped: unknown key; did you mean \"speed\"?"},
      {with_root(R"("limits":{"speed":0})"), "/limits/speed: must be over 0 and at most 1e5 m/s, is 0"},
      {with_root(R"("gravity":[0,0,-9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0])"), "/gravity/16: too many elements"},
  });
}

TEST(SceneFileErrors, in_bodies) {
  expect_errors({
      {R"({"cairn":1,"bodies":[3]})", "/bodies/0: must be an object, is a number"},
      {R"({"cairn":1,"bodies":[{}]})", "/bodies/0/type: is required, is missing"},
      {with_body(R"("shapes":[])"), "/bodies/0/type: is required, is missing"},
      {with_body(R"("type":"static")"), "/bodies/0/shapes: is required, is missing"},
      {with_body(R"("type":"static","shapes":[])"), "/bodies/0/shapes: must have at least one shape"},
      {with_body(R"("type":"static","shapes":{})"), "/bodies/0/shapes: must be an array, is an object"},
      {with_body(R"("type":"dinamic","shapes":[])"),
       "/bodies/0/type: must be one of static, kinematic, dynamic, is \"dinamic\"; did you mean \"dynamic\"?"},
      {with_ball(R"("masss":1)"), "/bodies/0/masss: unknown key; did you mean \"mass\"?"},
      {with_ball(R"("mass":2)"), "/bodies/0/mass: is given twice"},
      {with_ball(R"("color":[0,1.5,0])"), "/bodies/0/color/1: must be between 0 and 1, is 1.5"},
      {with_ball(R"("color":[0,0])"), "/bodies/0/color: must have 3 numbers, has 2"},
      {with_ball(R"("colour":[0,0,0])"), "/bodies/0/colour: unknown key; did you mean \"color\"?"},
      {with_ball(R"("position":[0,1e8,0])"), "/bodies/0/position/1: must be between -1e7 and 1e7 m, is 1e+08"},
      {with_ball(R"("position":[0,1e-400,0])"),
       "/bodies/0/position/1: must be a number that float64 can hold, is \"1e-400\""},
      {with_ball(R"("orientation_xyzw":[0,0,0])"), "/bodies/0/orientation_xyzw: must have 4 numbers, has 3"},
      {with_ball(R"("orientation_xyzw":[0,0,0,0])"), "/bodies/0/orientation_xyzw: must not be the zero quaternion"},
      {with_ball(R"("angular_velocity":[0,3e5,4e5])"),
       "/bodies/0/angular_velocity: must turn the surface at no more than 1e+05 m/s, is 5e+05 rad/s at a bounding "
       "radius of 1 m"},
      {with_ball(R"("linear_damping":-1)"), "/bodies/0/linear_damping: must be at least 0, is -1"},
      {with_ball(R"("inertia":[1,1,3])"),
       "/bodies/0/inertia: must have no moment above the sum of the other two, is (1, 1, 3)"},
      {with_ball(R"("inertia":[1,1,0])"), "/bodies/0/inertia/2: must be over 0, is 0"},
      {with_body(R"("type":"static","linear_velocity":[1,0,0],"shapes":[{"sphere":{"radius":1}}])"),
       "/bodies/0/linear_velocity: must be 0 on a static body"},
      {with_body(R"("type":"dynamic","shapes":[{"sphere":{"radius":1}}])"),
       "/bodies/0: mass or density must be given on a dynamic body, or a density on the materials of all its shapes; "
       "material "
       "\"default\" has none"},
      {R"({"cairn":1,"bodies":[{"name":"a","type":"static","shapes":[{"sphere":{"radius":1}}]},
                               {"name":"a","type":"static","shapes":[{"sphere":{"radius":1}}]}]})",
       "/bodies/1/name: must be unique, /bodies/0 has it too: \"a\""},
      {R"({"cairn":1,"bodies":[{"name":"#0","type":"static","shapes":[{"sphere":{"radius":1}}]}]})",
       "/bodies/0/name: must not be # and a number, which stands for a thing without a name"},
  });
}

TEST(SceneFileErrors, in_shapes) {
  const std::string kKinds =
      "sphere, box, capsule, plane, cylinder, cone, tapered_cylinder, tube, ellipsoid, rounded_box, hull, mesh, "
      "height_field";
  expect_errors({
      {with_shape("[]"), "/bodies/0/shapes/1: must be an object, is an array"},
      {with_shape("{}"), "/bodies/0/shapes/1: must have one of " + kKinds + ", has 0"},
      {with_shape(R"({"box":{"half_extents":[1,1,1]},"sphere":{"radius":1}})"),
       "/bodies/0/shapes/1: must have one of " + kKinds + ", has 2"},
      {with_shape(R"({"box":{"half_extents":[1,-0.5,1]}})"),
       "/bodies/0/shapes/1/box/half_extents/1: must be over 0, is -0.5"},
      {with_shape(R"({"box":{"half_extent":[1,1,1]}})"),
       "/bodies/0/shapes/1/box/half_extent: unknown key; did you mean \"half_extents\"?"},
      {with_shape(R"({"box":{"half_extents":[1,true,1]}})"),
       "/bodies/0/shapes/1/box/half_extents/1: must be a number, is true or false"},
      {with_shape(R"({"sphere":{}})"), "/bodies/0/shapes/1/sphere/radius: is required, is missing"},
      {with_shape(R"({"sphere":2})"), "/bodies/0/shapes/1/sphere: must be an object, is a number"},
      {with_shape(R"({"capsule":{"radius":1,"half_height":1e-7}})"),
       "/bodies/0/shapes/1/capsule/half_height: must be between 1e-6 and 1e6 m, is 1e-07"},
      {with_shape(R"({"plane":{"normal":[0,0,1]}})"), "/bodies/0/shapes/1/plane: must be on a static body"},
      {with_shape(R"({"sphere":{"radius":1},"material":"stone"})"),
       "/bodies/0/shapes/1/material: no material is named \"stone\""},
      {with_shape(R"({"sphere":{"radius":1},"material":"defalt"})"),
       "/bodies/0/shapes/1/material: no material is named \"defalt\"; did you mean \"default\"?"},
      {with_shape(R"({"sphere":{"radius":1},"orientation_xyzw":[0,0,"0",1]})"),
       "/bodies/0/shapes/1/orientation_xyzw/2: must be a number, is a string"},
  });
}

TEST(SceneFileErrors, in_materials_and_solver) {
  expect_errors({
      {with_root(R"("materials":[{}])"), "/materials/0/name: is required, is missing"},
      {with_root(R"("materials":[{"name":"a","restitution":2}])"),
       "/materials/0/restitution: must be between 0 and 1, is 2"},
      {with_root(R"("materials":[{"name":"a","density":-1}])"), "/materials/0/density: must be at least 0, is -1"},
      {with_root(R"("materials":[{"name":"a"},{"name":"a"}])"),
       "/materials/1/name: must be unique, /materials/0 has it too: \"a\""},
      {with_root(R"("solver":[])"), "/solver: must be an object, is an array"},
      {with_root(R"("solver":{"kind":"pgs"})"),
       "/solver/kind: must be one of soft_step, xpbd, sequential_impulse, avbd, hertz_mindlin, is \"pgs\""},
      {with_root(R"("solver":{"sweep":"jacobi"})"),
       "/solver/sweep: must be gauss_seidel unless the solver is xpbd, is jacobi"},
      {with_root(R"("solver":{"substeps":0})"), "/solver/substeps: must be between 1 and 1000, is 0"},
      {with_root(R"("solver":{"substeps":6.5})"), "/solver/substeps: must be a whole number, is \"6.5\""},
      {with_root(R"("solver":{"substeps":99999999999})"),
       "/solver/substeps: must be a whole number, is \"99999999999\""},
      {with_root(R"("solver":{"sleeping":1})"), "/solver/sleeping: must be true or false, is a number"},
      {with_root(R"("solver":{"sub_steps":1})"), "/solver/sub_steps: unknown key; did you mean \"substeps\"?"},
  });
}

TEST(SceneFileErrors, of_json_itself_give_place_line_and_column) {
  for (const char* text : {"", "{", R"({"cairn":1,"bodies":[]} x)", R"({"cairn":1,"bodies":[]}{})", R"({"cairn":01})",
                           R"({"cairn":NaN})", R"({"cairn":-Infinity})", R"({"cairn":1,})", "{'cairn':1}",
                           "{\"name\":\"\xFF\"}", "{\"name\":\"\xED\xA0\x80\"}", R"({"name":"\ud800"})",
                           R"({"gravity":[1e999,0,0]})", "{\"cairn\":1 /* one */}", "{\"name\":\"a\nb\"}"}) {
    const std::string error = error_of(text);
    EXPECT_TRUE(error.starts_with("f: ")) << text << error;
    EXPECT_NE(error, "nothing thrown") << text;
  }
  EXPECT_TRUE(
      error_of("{\"cairn\":1,\n \"bodies\":[tru]}").starts_with("f: /bodies/0: parse error at line 2, column 15"))
      << error_of("{\"cairn\":1,\n \"bodies\":[tru]}");
}

TEST(SceneFileErrors, come_before_hostile_files_take_memory) {
  // depth costs no stack: a million levels are refused at the seventeenth
  const std::string deep = R"({"cairn":1,"gravity":)" + std::string(1'000'000, '[');
  EXPECT_EQ(error_of(deep), "f: /gravity/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0: nested deeper than 16 levels");

  EXPECT_EQ(error_of(with_ball(""), {.bytes = 10}), "f: (root): longer than 10 bytes");
  EXPECT_EQ(error_of(with_ball(""), {.bodies = 0}), "f: /bodies: more than 0 bodies");
  EXPECT_EQ(error_of(with_shape(R"({"sphere":{"radius":1}})"), {.shapes = 1}), "f: /bodies: more than 1 shapes in all");
  EXPECT_EQ(error_of(with_root(R"("materials":[{"name":"a"},{"name":"b"}])"), {.materials = 1}),
            "f: /materials: more than 1 materials");

  std::string keys = R"("x0":0)";
  for (int k = 1; k < 40; ++k) keys += ",\"x" + std::to_string(k) + "\":0";
  EXPECT_EQ(error_of(R"({"cairn":1,"bodies":[{)" + keys + "}]}"), "f: /bodies/0: too many keys");
}

TEST(SceneFileErrors, cut_long_names_between_characters) {
  std::string name = "a";
  for (int k = 0; k < 100; ++k) name += "\xC3\xA9";
  const std::string error = error_of(R"({"cairn":1,")" + name + R"(":1})");
  EXPECT_EQ(error, "f: /" + name.substr(0, 63) + "...: unknown key");
}

}  // namespace
}  // namespace cairn::scene_file_test
