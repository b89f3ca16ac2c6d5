// What C++ can do is there in C, or isn't for a reason.

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/docs.h"
#include "tests/support/world_functions.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

std::string headers_in_c() {
  std::string text;
  for (const auto& part : std::filesystem::directory_iterator(CAIRN_SOURCE_DIR "/include/cairn/c")) {
    text += whole(part.path());
  }
  return text;
}

TEST(CApi, has_what_a_world_can_do_or_says_why_not) {
  const std::map<std::string, std::string> other_names{{"queries.cast_rays", "world_query"},
                                                       {"queries.cast_rays_all", "world_query_all"},
                                                       {"queries.cast_shapes", "world_query"},
                                                       {"queries.cast_shapes_all", "world_query_all"},
                                                       {"queries.overlaps", "world_query_all"},
                                                       {"queries.closest", "world_query"},
                                                       {"queries.closest_all", "world_query_all"},
                                                       {"arrays.list", "world_array_at"},
                                                       {"arrays.get", "world_array"},
                                                       {"arrays.reset", "world_reset_where"},
                                                       {"arrays.set_scales", "world_set_all_scales"},
                                                       {"description", "body_describe"},
                                                       {"drive", "joint_describe"},
                                                       {"index_of", "body_index"},
                                                       {"materials", "world_material"},
                                                       {"remove_body", "body_remove"},
                                                       {"articulations.list", "world_articulations"},
                                                       {"articulations.find", "world_find_articulation"},
                                                       {"articulations.add", "world_add_articulation"},
                                                       {"articulations.remove", "articulation_remove"},
                                                       {"remove_joint", "joint_remove"},
                                                       {"particles.list", "world_particles"},
                                                       {"particles.find", "world_find_particles"},
                                                       {"particles.add", "world_add_particles"},
                                                       {"particles.remove", "particles_remove"},
                                                       {"scales.get", "world_scales"},
                                                       {"scales.set", "world_set_scales"},
                                                       {"scales.description", "body_describe"},
                                                       {"world_of", "body_world"}};
  const std::set<std::string> for_checks_of_the_library{"queries.set_brute"};
  // in C a tensor holds its World (cairn_world_array_dlpack)
  const std::set<std::string> for_other_languages{"arrays.keep"};
  const std::string c = headers_in_c();
  // of several kinds of handles each has its own
  for (const char* name : {"body_alive", "joint_alive", "body_describe", "joint_describe", "articulation_describe",
                           "body_state", "joint_state_of", "articulation_state", "body_set_state", "articulation_alive",
                           "articulation_set_state", "particles_alive", "particles_describe", "particles_bodies",
                           "link_body", "body_set_material", "body_add_force_at", "body_add_impulse_at"}) {
    EXPECT_NE(c.find(std::string("cairn_") + name + "("), std::string::npos) << name;
  }
  const std::map<std::string, int> names = functions_of_world();
  EXPECT_GT(names.size(), 100u);
  EXPECT_LT(functions_of("World", "world.h").size(), 80u) << "of World itself; others belong to one of its parts";
  for (const auto& [name, other] : other_names) EXPECT_TRUE(names.contains(name)) << name;
  for (const std::string& name : for_checks_of_the_library) EXPECT_TRUE(names.contains(name)) << name;
  for (const std::string& name : for_other_languages) EXPECT_TRUE(names.contains(name)) << name;
  for (const auto& [name, count] : names) {
    const bool left_out = for_checks_of_the_library.contains(name) || for_other_languages.contains(name);
    const auto other = other_names.find(name);
    const std::size_t dot = name.find('.');
    const std::string wanted = other != other_names.end() ? "cairn_" + other->second
                                                          : "_" + name.substr(dot == std::string::npos ? 0 : dot + 1);
    EXPECT_NE(c.find(wanted + "(") != std::string::npos, left_out) << name;
  }
}

/// Public classes, and the headers that they are in.
std::map<std::string, std::string> public_classes() {
  std::map<std::string, std::string> classes;
  const std::regex declaration("\nclass (\\w+)[^;{]*\\{");
  for (const auto& part : std::filesystem::directory_iterator(CAIRN_SOURCE_DIR "/include/cairn")) {
    if (part.path().extension() != ".h") continue;
    const std::string text = whole(part.path());
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at)
      classes[(*at)[1]] = part.path().filename();
  }
  return classes;
}

TEST(CApi, has_what_a_class_can_do_or_says_why_not) {
  // what its functions begin with; those of a World and its parts are looked for above
  const std::map<std::string, std::string> in_c{{"World", ""},
                                                {"Queries", ""},
                                                {"DeviceArrays", ""},
                                                {"WorldArticulations", ""},
                                                {"WorldParticles", ""},
                                                {"WorldScales", ""},
                                                {"Scene", "scene_"},
                                                {"Snapshot", "snapshot_"},
                                                {"Recording", "recording_"},
                                                {"Playback", "playback_"},
                                                {"Sensors", "sensors_"},
                                                {"Track", "track_"},
                                                {"PoseTrack", "pose_track_"},
                                                {"Drag", "drag_"},
                                                {"Muscle", "muscle_"},
                                                {"ConvexHull", "solid_"},
                                                {"TriangleMesh", "solid_"},
                                                {"HeightField", "solid_"}};
  const std::map<std::string, std::string> without{
      {"Articulations", "a world by itself (docs/interop.md)"},
      {"ParticleSystem", "the same"},
      {"BodyFields", "of fields that are compiled with the program"},
      {"Field", "a functor that is compiled with the program"},
      {"Event", "the same"},
      {"QualityMeter", "computed on the host from states and descriptions"},
      {"Error", "cairn_result and cairn_last_error, like what follows"},
      {"InvalidArgument", ""},
      {"SceneFileError", ""},
      {"SnapshotError", ""},
      {"DeviceError", ""},
      {"CapacityError", ""}};
  const std::map<std::string, std::string> other_names{{"Scene.bodies", "scene_body_count"},
                                                       {"Scene.joints", "scene_joint_count"},
                                                       {"Scene.articulations", "scene_articulation_count"},
                                                       {"Scene.particles", "scene_particles_count"},
                                                       {"Scene.fields", "scene_field_count"},
                                                       {"Scene.cameras", "scene_camera"},
                                                       {"Snapshot.world_count", "snapshot_count"},
                                                       {"Snapshot.body_count", "snapshot_world"},
                                                       {"Snapshot.steps", "snapshot_world"},
                                                       {"Snapshot.time", "snapshot_world"},
                                                       {"Playback.steps", "playback_at"},
                                                       {"Sensors.list", "sensors_array_at"},
                                                       {"Sensors.get", "sensors_array"},
                                                       {"Track.value", "track_at"},
                                                       {"Track.rate", "track_at"},
                                                       {"PoseTrack.pose", "pose_track_at"},
                                                       {"Muscle.activation", "muscle_state"},
                                                       {"Muscle.force", "muscle_state"},
                                                       {"Muscle.fibre_length", "muscle_state"},
                                                       {"Muscle.length", "muscle_state"},
                                                       {"HeightField.columns", "solid_heights"},
                                                       {"HeightField.rows", "solid_heights"},
                                                       {"HeightField.spacing", "solid_heights"}};
  const std::map<std::string, std::string> left_out{
      {"Scene.materials", "in its text (cairn_scene_to_json), and in worlds"},
      {"Scene.ignored", "the same"},
      {"Sensors.description", "the program gave it"},
      {"TriangleMesh.dropped", "those given less those that cairn_solid_triangles has"},
      {"ConvexHull.data", "the library's own"},
      {"TriangleMesh.data", "the same"},
      {"HeightField.data", "the same"}};
  const std::string c = headers_in_c();
  std::set<std::string> found;
  for (const auto& [name, header] : public_classes()) {
    EXPECT_NE(in_c.contains(name), without.contains(name)) << name << " is in C, or isn't for a reason";
    found.insert(name);
    if (!in_c.contains(name) || in_c.at(name).empty()) continue;
    const std::map<std::string, int> functions = functions_of(name, header);
    EXPECT_FALSE(functions.empty()) << name;
    for (const auto& [function, count] : functions) {
      const std::string whole = name + "." + function;
      const auto other = other_names.find(whole);
      const std::string wanted = "cairn_" + (other == other_names.end() ? in_c.at(name) + function : other->second);
      EXPECT_NE(c.find(wanted + "(") != std::string::npos, left_out.contains(whole)) << whole;
      found.insert(whole);
    }
  }
  EXPECT_GT(found.size(), 100u);
  // no reason is of something that is no more
  for (const auto* names : {&in_c, &without, &other_names, &left_out}) {
    for (const auto& [name, of] : *names) EXPECT_TRUE(found.contains(name)) << name;
  }
}

}  // namespace
}  // namespace cairn::c_api_test
