// Articulations in scene files: what is left out, what is wrong and is told with its place; and the schema knows the
// same.

#include <string>
#include <vector>

#include "tests/scene_file/errors.h"
#include "tests/support/docs.h"

namespace cairn::scene_file_test {
namespace {

/// A file with one articulation of these links; members of the articulation and of the file may follow.
std::string file_of(const std::string& links, const std::string& members = "", const std::string& root = "") {
  return R"({"cairn":1,"articulations":[{"name":"r","links":[)" + links + "]" + members + "}]" + root +
         R"(,"bodies":[{"name":"a","type":"dynamic","mass":1,"position":[9,0,0],"shapes":[{"sphere":{"radius":1}}]}]})";
}
const std::string kTurning = R"("joint":{"kind":"revolute"},"mass":1,"inertia":[1,1,1])";
const std::string kRod = R"({"name":"rod",)" + kTurning + R"(,"shapes":[{"sphere":{"radius":1}}]})";

TEST(SceneFileArticulations, leave_out_what_is_as_usual_and_stand_behind_all_bodies) {
  const Scene scene = parse_scene(file_of(R"({"name":"base"},)" + kRod), "f");
  ASSERT_EQ(scene.articulations().size(), 1u);
  const SceneArticulation& r = scene.articulations()[0];
  ArticulationLink rod{.name = "rod", .joint = {.kind = ArticulationJointKind::kRevolute}};
  rod.mass = 1;
  rod.inertia.moments = {1, 1, 1};
  rod.shapes = {{.geometry = Sphere{1}}};
  EXPECT_EQ(r.description, (Articulation{.name = "r", .links = {{.name = "base"}, rod}}));
  EXPECT_EQ(r.start, (ArticulationState{{0}, {0}}));
  EXPECT_EQ(r.bodies, (std::vector{kNoLinkBody, 1u}));
  EXPECT_EQ(parse_scene(file_of(kRod, R"(,"first_body":0)"), "f").find_body("r/rod"), 0u);
}

TEST(SceneFileArticulations, of_the_docs_are_read) {
  const std::string docs = testing_support::whole(testing_support::path_of_doc("scenes.md"));
  const std::size_t begin = docs.find("{\"name\": \"pendulum\"");
  ASSERT_NE(begin, std::string::npos);
  const Scene scene = parse_scene(
      R"({"cairn":1,"bodies":[],"articulations":[)" + docs.substr(begin, docs.find("```", begin) - begin) + "]}",
      "docs");
  EXPECT_EQ(scene.articulations()[0].start.q, std::vector{0.1});
}

TEST(SceneFileArticulations, name_what_is_wrong_and_where) {
  const std::string at = "/articulations/0", link = at + "/links/0", named = ": articulation \"r\", link \"rod\"";
  const auto rod = [](const std::string& members) { return R"({"name":"rod",)" + members + "}"; };
  const auto joint = [&](const std::string& members) {
    return rod(R"("mass":1,"inertia":[1,1,1],"joint":{"kind":"revolute",)" + members + "}");
  };
  expect_errors({
      {file_of(""), at + "/links: must have at least one link"},
      {file_of("3"), link + ": must be an object, is a number"},
      {file_of("{}"), link + "/name: is required, is missing"},
      {file_of(rod(R"("parnt":"x")")), link + "/parnt: unknown key; did you mean \"parent\"?"},
      {file_of(rod(R"("parent":"rod")")), link + "/parent: no link before this one is named \"rod\""},
      {file_of(kRod + "," + kRod), at + "/links/1/name: must be unique, link 0 has it too: \"rod\""},
      {file_of(rod(R"("joint":{})")), link + "/joint/kind: is required, is missing"},
      {file_of(rod(R"("joint":{"kind":"hinge"})")),
       link + "/joint/kind: must be one of fixed, revolute, prismatic, ball, free, is \"hinge\""},
      {file_of(joint(R"("cone":1)")), link + "/joint/cone: unknown key"},
      {file_of(joint(R"("lower":1e-400)")),
       link + "/joint/lower: must be a number that float64 can hold, is \"1e-400\""},
      {file_of(joint(R"("lower":"infinite")")),
       link + "/joint/lower: must be a number or \"-infinite\", is \"infinite\""},
      {file_of(joint(R"("lower":1,"upper":0)")),
       link + named + " (number 0): joint lower must not be over upper, is 1 and upper 0"},
      {file_of(joint(R"("damping":-1)")),
       link + named + " (number 0): joint damping must be between 0 and 1e12, is -1"},
      {file_of(rod(R"("joint":{"kind":"ball"})")),
       link + named + " (number 0): mass must be over 0 of it or of a link that it carries, is 0"},
      {file_of(rod(R"("mass":1,"inertia":[[1,2,0],[0,1,0],[0,0,1]])")),
       link + "/inertia: must be symmetric, has xy, yx = 2 and 0"},
      {file_of(rod(R"("frame_in_link":{"position":[1,2]})")),
       link + "/frame_in_link/position: must have 3 numbers, has 2"},
      {file_of(rod(kTurning + R"(,"shapes":[{"box":{"half_extents":[1,-1,1]}}])")),
       link + "/shapes/0/box/half_extents/1: must be over 0, is -1"},
      {file_of(rod(kTurning + R"(,"shapes":[{"plane":{"normal":[0,0,1]}}])")),
       link + "/shapes/0/plane: must be on a static body"},
      {file_of(rod(kTurning + R"(,"shapes":[{"sphere":{"radius":1},"material":"ice"}])")),
       link + "/shapes/0/material: no material is named \"ice\""},
      {file_of(rod(kTurning) + R"(,{"name":"tip","parent":"rod","shapes":[{"sphere":{"radius":1}}]})"),
       at + "/links/1: articulation \"r\", link \"tip\": shapes must be on a link with a mass: give it one, or its "
            "parent the shapes"},
      {file_of(R"({"name":"post","shapes":[{"sphere":{"radius":1}}]})"),
       at + "/links: articulation \"r\": links must have shapes, at least one that a joint lets move"},
      {file_of(kRod, R"(,"name":"s")"), at + "/name: is given twice"},
      {file_of(kRod, R"(,"gravity":[0,0,1e9])"),
       at + ": articulation \"r\": gravity.z must be between -1e6 and 1e6 m/s^2, is 1e+09"},
      {file_of(kRod, R"(,"start":{"q":[1,2]})"),
       at + "/start/q: articulation \"r\": coordinates must be 1 numbers, are 2"},
      {file_of(kRod, R"(,"start":{"v":[2e9]})"),
       at + "/start/v: articulation \"r\": rates must be within +-1e9, number 0 of articulation 0 is 2e+09"},
      {file_of(kRod, R"(,"start":{"q":[null]})"), at + "/start/q/0: must be a number, is null"},
      {file_of(kRod, R"(,"start":{"q":1})"), at + "/start/q: must be an array, is a number"},
      {file_of(kRod, R"(,"start":[])"), at + "/start: must be an object, is an array"},
      {file_of(kRod, R"(,"first_body":2)"),
       at + "/first_body: must be between 0 and 1, how many bodies may stand before, is 2"},
      {file_of(kRod + R"(]},{"name":"r","links":[{"name":"b"})"),
       "/articulations/1/name: must be unique, /articulations/0 has it too: \"r\""},
      {file_of(kRod, R"(,"couplings":{})"), at + "/couplings: must be an array, is an object"},
      {file_of(kRod, R"(,"couplings":[{"name":"c"}])"), at + "/couplings/0/terms: is required, is missing"},
      {file_of(kRod, R"(,"couplings":[{"name":"c","terms":[]}])"),
       at + "/couplings/0: articulation \"r\", coupling \"c\": terms must not be empty"},
      {file_of(kRod, R"(,"couplings":[{"name":"c","terms":[{"link":"rid"}]}])"),
       at + "/couplings/0/terms/0/link: no link is named \"rid\""},
      {file_of(kRod, R"(,"couplings":[{"name":"c","terms":[{"link":"rod"}]},{"name":"c","terms":[{"link":"rod"}]}])"),
       at + "/couplings/1: articulation \"r\", coupling \"c\": name must be unique"},
      {file_of(kRod, R"(,"couplings":[{"name":"c","terms":[{"link":"rod","coefficient":0}]}])"),
       at + "/couplings/0: articulation \"r\", coupling \"c\": coefficient must be at least 1e-6 either way, is 0"},
      {file_of(kRod, "", R"(,"ignore":[["a","r/rid"]])"), "/ignore/0/1: no body is named \"r/rid\""},
      {R"({"cairn":1,"articulations":{},"bodies":[]})", "/articulations: must be an array, is an object"},
  });
  const std::string same = R"("type":"static","shapes":[{"sphere":{"radius":1}}]}]})";
  const auto with = [&](const std::string& member) {
    return R"({"cairn":1,"articulations":[{"name":"r",)" + member + R"("links":[)" + kRod +
           R"(]}],"bodies":[{"name":"r/rod",)" + same;
  };
  EXPECT_EQ(error_of(with("")),
            "f: " + link + "/name: the link's body must have a name of its own, /bodies/0 has it too: \"r/rod\"");
  EXPECT_EQ(error_of(with(R"("first_body":0,)")),
            "f: /bodies/0/name: must be unique, " + link + " has it too: \"r/rod\"");
}

TEST(SceneFileArticulations, of_hostile_files_are_refused_before_they_take_memory) {
  std::string links;
  // on one node each ignores each
  for (int k = 0; k < 60; ++k) {
    links += (k == 0 ? "" : ",") + (R"({"name":")" + std::to_string(k) + R"(","shapes":[{"sphere":{"radius":1}}]})");
  }
  // what moves on it ignores it too
  links += "," + kRod;
  constexpr std::uint32_t kIgnored = 61 * 60 / 2;
  EXPECT_EQ(parse_scene(file_of(links), "f", {.ignored = kIgnored}).ignored().size(), kIgnored);
  EXPECT_EQ(error_of(file_of(links), {.ignored = kIgnored - 1}),
            "f: /articulations/0/links: more than 1829 pairs of bodies ignore each other");
  EXPECT_EQ(error_of(file_of(links), {.links = 60}), "f: /articulations: more than 60 links in all");
  EXPECT_EQ(error_of(file_of(kRod, R"(,"start":{"q":[1,2,3]})"), {.shape_numbers = 2}),
            "f: /articulations/0/start/q/2: more than 2 numbers in hulls, meshes, height fields, point masses, "
            "starts, particles and fields in all");
  std::string many = R"({"name":"0"})";
  for (int k = 1; k <= 10000; ++k) many += R"(,{"name":")" + std::to_string(k) + R"("})";
  EXPECT_EQ(error_of(file_of(many)),
            "f: /articulations/0/links: articulation \"r\": links must be at most 10000, are 10001");
}

}  // namespace
}  // namespace cairn::scene_file_test
