// Joints in scene files: what is written reads back equal, and what is wrong is told with its place.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tests/scene_file/draw.h"
#include "tests/scene_file/errors.h"
#include "tests/scene_file/round_trip.h"
#include "tests/support/docs.h"

namespace cairn::scene_file_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Draws every member that a kind has, within its rules.
struct DrawPart {
  Draw& draw;
  JointAxis axis(JointAxis::Mode mode) const {
    JointAxis a;
    a.mode = mode;
    a.lower = draw.coin() ? -0.0f : -draw.scaled(100);
    a.upper = draw.scaled(100);
    if (draw.coin()) a.compliance = draw.scaled(1e6);
    if (a.compliance > 0 && draw.coin()) a.damping = draw.scaled(1e6);
    if (mode == JointAxis::Mode::kLocked) return a;
    if (draw.coin()) a.friction = draw.scaled(1e6);
    if (draw.coin()) {
      a.drive = {.stiffness = draw.scaled(1e6),
                 .damping = draw.coin() ? kInfinity : draw.scaled(1e6),
                 .target = draw.signed_within(1e3),
                 .rate = draw.signed_within(1e3),
                 .force = draw.coin() ? -0.0f : draw.signed_within(1e9),
                 .max_force = draw.coin() ? kInfinity : draw.scaled(1e6)};
    }
    return a;
  }
  void operator()(std::string_view key, JointAxis& value) const {
    if (draw.coin()) value = axis(static_cast<JointAxis::Mode>(draw.below(3)));
    if (key.starts_with("swing") || key.starts_with("tilt")) {
      value.lower = std::max(value.lower, -3.0f);
      value.upper = std::min(value.upper, 3.0f);
    }
  }
  void operator()(std::string_view key, float& value) const {
    if (key == "max_length") {
      value = 200 + draw.scaled(100);
    } else if (key == "cone") {
      value = draw.coin() ? kInfinity : std::abs(draw.signed_within(3));
    } else if (key != "damping") {
      value = draw.scaled(100);
    }
  }
  void operator()(std::string_view, Vec3d& value) const {
    value = {draw.real_within(1e7), draw.coin() ? -0.0 : draw.real_within(1), draw.real_within(1e-300)};
  }
  void operator()(std::string_view, Quat& value) const {
    if (draw.coin()) value = {draw.signed_within(1), -0.0f, draw.signed_within(1), draw.scaled(9)};
  }
  void operator()(std::string_view, std::string&) const {}
  void operator()(std::string_view, bool& value) const { value = draw.coin(); }
  void operator()(std::string_view, JointFrame& frame) const { draw_members(*this, frame); }
};

JointKind draw_kind(Draw& draw, std::uint64_t index) {
  auto kind = make_type<JointKind>(index);
  std::visit([&](auto& of) { draw_members(DrawPart{draw}, of); }, kind);
  return kind;
}

/// Some bodies, one of them named like the world, two hinges and some joints of all kinds.
Scene draw_joints(std::uint64_t seed) {
  Draw draw(seed);
  Scene scene;
  for (std::uint64_t k = 0; k < 4; ++k) {
    const std::string name = k == 0 && draw.coin() ? "world" : draw_name(draw, k);
    scene.add_body({.name = name, .shapes = {{.geometry = Sphere{1}}}, .mass = 1.0f});
  }
  for (std::uint64_t k = 0; k < 6; ++k) {
    Joint joint{.name = draw_name(draw, k), .body_b = static_cast<std::uint32_t>(k < 2 ? k : draw.below(4))};
    joint.kind = draw_kind(draw, k < 2 ? 2 : draw.below(std::variant_size_v<JointKind>));
    // gears follow them, so they turn
    if (k < 2) std::get<HingeJoint>(joint.kind).turn = {};
    if (draw.coin()) joint.body_a = (joint.body_b + 1) % 4;
    if (auto* gear = std::get_if<GearJoint>(&joint.kind)) {
      gear->joint_b = 1;
      joint.body_a = joint.body_b = kWorldBody;
    }
    draw_members(DrawPart{draw}, joint);
    if (draw.coin()) joint.breaking_force = kInfinity;
    scene.add_joint(joint);
  }
  return scene;
}

TEST(SceneFileJoints, read_back_equal_for_random_scenes) {
  std::set<std::size_t> kinds;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Scene scene = draw_joints(seed);
    for (const Joint& joint : scene.joints()) kinds.insert(joint.kind.index());
    ASSERT_TRUE(reads_back(scene));
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<JointKind>);
}

std::string file_of_joints(const std::string& joints) {
  return R"({"cairn":1,"joints":[)" + joints +
         R"(],"bodies":[{"name":"a","type":"dynamic","mass":1,"shapes":[{"sphere":{"radius":1}}]},)"
         R"({"name":"b","type":"dynamic","mass":1,"shapes":[{"sphere":{"radius":1}}]}]})";
}

TEST(SceneFileJoints, may_stand_before_their_bodies_and_leave_out_what_is_as_usual) {
  const Scene scene = parse_scene(
      file_of_joints(
          R"({"turn":{"mode":"limited","lower":-1,"upper":2},"kind":"hinge","name":"j","body_b":"b","body_a":"a"},)"
          R"({"name":"k","kind":"wheel","body_a":"world","body_b":"a","axle":{"drive":{"rate":3,)"
          R"("damping":"infinite","max_force":10}},"breaking_force":"infinite"})"),
      "f");
  const Joint hinge{.name = "j", .body_a = 0, .body_b = 1, .kind = HingeJoint{JointAxis::limited(-1, 2)}};
  EXPECT_EQ(scene.joints()[0], hinge);
  WheelJoint wheel;
  wheel.axle.drive = {.damping = kInfinity, .rate = 3, .max_force = 10};
  EXPECT_EQ(scene.joints()[1], (Joint{.name = "k", .body_b = 0, .kind = wheel}));
  EXPECT_EQ(wheel.steering.mode, JointAxis::Mode::kLocked);
}

TEST(SceneFileJoints, of_the_docs_are_read) {
  const std::string docs = testing_support::whole(testing_support::path_of_doc("scenes.md"));
  const std::size_t begin = docs.find("{\"name\": \"hinge\", \"kind\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string body = R"(,"type":"dynamic","mass":1,"shapes":[{"sphere":{"radius":1}}]})";
  const Scene scene = parse_scene(R"({"cairn":1,"bodies":[{"name":"wall")" + body + R"(,{"name":"door")" + body +
                                      R"(],"joints":[)" + docs.substr(begin, docs.find("```", begin) - begin) + "]}",
                                  "docs");
  EXPECT_EQ(scene.joints()[0].breaking_force, 500);
}

TEST(SceneFileJoints, name_what_is_wrong_and_where) {
  const std::string hinge = R"({"name":"h","kind":"hinge","body_b":"a")";
  const std::string ball = R"({"name":"h","kind":"ball","body_b":"a")";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"3", "/joints/0: must be an object, is a number"},
      {"{}", "/joints/0/kind: is required, is missing"},
      {R"({"kind":"hinge"})", "/joints/0/body_b: must be a body where body_a is the world"},
      {hinge + R"(,"body_a":"#3"})", "/joints/0/body_a: there is no body 3 without a name"},
      {R"({"name":"j","kind":"hing"})",
       "/joints/0/kind: must be one of fixed, ball, hinge, slider, screw, cylindrical, planar, universal, wheel, "
       "general, distance, pulley, gear, parallel, is \"hing\"; did you mean \"hinge\"?"},
      {R"({"name":"#1","kind":"hinge","body_b":"a"})",
       "/joints/0/name: must not be # and a number, which stands for a thing without a name"},
      {hinge + R"(,"turns":{}})", "/joints/0/turns: unknown key; did you mean \"turn\"?"},
      {hinge + R"(,"cone":1})", "/joints/0/cone: unknown key"},
      {hinge + R"(,"body_a":"c"})", "/joints/0/body_a: no body is named \"c\""},
      {hinge + R"(,"body_a":7})", "/joints/0/body_a: must be a string, is a number"},
      {hinge + R"(,"body_a":"a"})", "/joints/0/body_b: must be another body than body_a"},
      {R"({"name":"j","kind":"hinge"})", "/joints/0/body_b: must be a body where body_a is the world"},
      {hinge + R"(,"turn":3})", "/joints/0/turn: must be an object, is a number"},
      {hinge + R"(,"turn":{"mod":"free"}})", "/joints/0/turn/mod: unknown key; did you mean \"mode\"?"},
      {hinge + R"(,"turn":{"mode":"loose"}})",
       "/joints/0/turn/mode: must be one of free, locked, limited, is \"loose\""},
      {hinge + R"(,"turn":{"mode":"limited","lower":1}})",
       "/joints/0/turn/lower: must not be over upper, is 1 and upper 0"},
      {hinge + R"(,"turn":{"lower":"infinite"}})", "/joints/0/turn/lower: must be a number, is a string"},
      {hinge + R"(,"turn":{"lower":"inf"}})", "/joints/0/turn/lower: must be a number, is a string"},
      {hinge + R"(,"turn":{"lower":1e39}})",
       "/joints/0/turn/lower: must be a number that float32 can hold, is \"1e39\""},
      {hinge + R"(,"turn":{"damping":1}})",
       "/joints/0/turn/damping: must be 0 where compliance is 0: what is stiff has nothing to damp"},
      {hinge + R"(,"turn":{"drive":{"stiffness":-1}}})",
       "/joints/0/turn/drive/stiffness: must be between 0 and 1e12, is -1"},
      {hinge + R"(,"turn":{"drive":{"max_force":null}}})", "/joints/0/turn/drive/max_force: must be a number, is null"},
      {hinge + R"(,"frame_a":{"position":[0,0]}})", "/joints/0/frame_a/position: must have 3 numbers, has 2"},
      {hinge + R"(,"frame_b":{"position":[0,0,2e7]}})",
       "/joints/0/frame_b/position/2: must be between -1e7 and 1e7 m, is 2e+07"},
      {hinge + R"(,"frame_b":{"orientation_xyzw":[0,0,0,0]}})",
       "/joints/0/frame_b/orientation_xyzw: must not be the zero quaternion"},
      {hinge + R"(,"collide":1})", "/joints/0/collide: must be true or false, is a number"},
      {hinge + R"(,"breaking_force":0})", "/joints/0/breaking_force: must be over 0, or infinite: never, is 0"},
      {hinge + "}," + hinge + "}", "/joints/1/name: must be unique, /joints/0 has it too: \"h\""},
      {hinge + R"(},{"name":"g","kind":"gear","joint_a":"h"})", "/joints/1/joint_b: is required, is missing"},
      {hinge + R"(},{"name":"g","kind":"gear","joint_a":"h","joint_b":"g"})",
       "/joints/1/joint_b: no joint before this one is named \"g\""},
      {hinge + R"(},{"name":"g","kind":"gear","joint_a":"h","joint_b":"h"})",
       "/joints/1/joint_b: must be another joint than joint_a"},
      {hinge + R"(},{"name":"g","kind":"gear","joint_a":"h","joint_b":"h","body_a":"a"})",
       "/joints/1/body_a: unknown key"},
      {ball + R"(,"cone":4})", "/joints/0/cone: must be between 0 and 3.1415927 rad, or infinite: free, is 4"},
      {R"({"name":"j","kind":"pulley","body_a":"a","body_b":"b","ground_a":[0,0,"0"]})",
       "/joints/0/ground_a/2: must be a number, is a string"},
  };
  for (const auto& [joints, message] : cases) EXPECT_EQ(error_of(file_of_joints(joints)), "f: " + message) << joints;
  EXPECT_EQ(error_of(R"({"cairn":1,"bodies":[],"joints":{}})"), "f: /joints: must be an array, is an object");
  EXPECT_EQ(error_of(file_of_joints(hinge + "}," + hinge + "}"), {.joints = 1}), "f: /joints: more than 1 joints");
}

}  // namespace
}  // namespace cairn::scene_file_test
