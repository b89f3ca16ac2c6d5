// Accelerations against MuJoCo's, as tools/mujoco_fixture.py wrote them down.

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/articulations/models.h"

namespace cairn::articulations_test {
namespace {

using nlohmann::json;

Vec3d vec(const json& j) { return {j.at(0), j.at(1), j.at(2)}; }
Vec3 floats(const json& j) { return {j.at(0), j.at(1), j.at(2)}; }
Quat quat(const json& j) { return {j.at(0), j.at(1), j.at(2), j.at(3)}; }

Articulation read(const json& model) {
  const std::map<std::string, Kind> kinds{{"fixed", Kind::kFixed},
                                          {"revolute", Kind::kRevolute},
                                          {"prismatic", Kind::kPrismatic},
                                          {"ball", Kind::kBall},
                                          {"free", Kind::kFree}};
  Articulation made{.name = model.at("name"), .gravity = vec(model.at("gravity"))};
  for (const json& l : model.at("links")) {
    ArticulationLink link;
    link.name = l.at("name");
    const int parent = l.at("parent");
    link.parent = parent < 0 ? kWorldLink : static_cast<std::uint32_t>(parent);
    link.frame_in_parent = {vec(l.at("position_in_parent")), quat(l.at("orientation_in_parent"))};
    link.frame_in_link = {vec(l.at("position_in_link")), quat(l.at("orientation_in_link"))};
    link.joint = {.kind = kinds.at(l.at("kind")), .armature = l.at("armature"), .damping = l.at("damping")};
    link.mass = l.at("mass");
    link.centre_of_mass = vec(l.at("centre_of_mass"));
    link.inertia = {floats(l.at("moments")), floats(l.at("products"))};
    made.links.push_back(link);
  }
  return made;
}

TEST(MujocoAccelerations, are_ours_for_trees_of_2_to_50_degrees_of_freedom) {
  std::ifstream file(std::string(CAIRN_SOURCE_DIR) + "/tests/articulations/data/mujoco.json");
  ASSERT_TRUE(file);
  const json all = json::parse(file);
  std::uint32_t least = 1000, most = 0;
  for (const json& model : all.at("models")) {
    const json& states = model.at("states");
    Articulations batch(read(model), static_cast<std::uint32_t>(states.size()), Device::cpu(1));
    least = std::min(least, batch.dofs());
    most = std::max(most, batch.dofs());
    std::vector<double> q, v, force, want;
    for (const json& s : states) {
      for (const auto& [to, key] : {std::pair{&q, "q"}, {&v, "v"}, {&force, "force"}, {&want, "qacc"}}) {
        for (const double x : s.at(key)) to->push_back(x);
      }
    }
    batch.set_state(q, v);
    batch.set_forces(force);
    const std::vector<double> got = batch.forward_dynamics();
    // half an ulp of a float of the largest
    EXPECT_TRUE(near(got, want, 0x1p-24 * largest(want))) << model.at("name");
  }
  EXPECT_EQ(least, 2u);
  EXPECT_EQ(most, 50u);
}

}  // namespace
}  // namespace cairn::articulations_test
