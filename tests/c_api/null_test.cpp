// No function of the C interface goes on with a null pointer that isn't said to mean something.

#include <map>
#include <set>

#include "tests/c_api/particles_in_c.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

/// What was created; none may be destroyed, too.
template <class T, void (*kDestroy)(T*)>
struct Made {
  ~Made() {
    kDestroy(at);
    kDestroy(nullptr);
  }
  operator T*() const { return at; }
  T* at{nullptr};
};

/// A world with one of everything, and one of all that can be created.
struct Objects {
  Objects() : c(scene(), 1) {
    EXPECT_EQ(c.bodies().size(), kBodies);
    const cairn_track_key key{};
    const cairn_pose_key pose{0, {0, 0, 0}, {0, 0, 0, 1}};
    const double point[3] = {0, 0, 1};
    const cairn_muscle_point path[2] = {{{0, 0}, {1, 0, 2}}, {body, {0, 0, 0}}};
    const float heights[4] = {};
    EXPECT_EQ(cairn_track_create(&key, 1, CAIRN_TRACK_STEP, 0, &track.at), CAIRN_OK);
    EXPECT_EQ(cairn_pose_track_create(&pose, 1, 0, &poses.at), CAIRN_OK);
    EXPECT_EQ(cairn_drag_create(c.world, body, point, nullptr, &drag.at), CAIRN_OK) << cairn_last_error();
    EXPECT_EQ(cairn_muscle_create(c.world, path, 2, nullptr, &muscle.at), CAIRN_OK) << cairn_last_error();
    const auto none = init(cairn_sensor_set_init);
    EXPECT_EQ(cairn_sensors_create(c.world, &none, &sensors.at), CAIRN_OK) << cairn_last_error();
    EXPECT_EQ(cairn_height_field_create(2, 2, 1, heights, 4, &solid.at), CAIRN_OK);
    EXPECT_EQ(cairn_world_snapshot(c.world, 0, &snapshot.at), CAIRN_OK);
    EXPECT_EQ(cairn_world_start_recording(c.world), CAIRN_OK);
    EXPECT_EQ(cairn_world_stop_recording(c.world, &recording.at), CAIRN_OK);
    EXPECT_EQ(cairn_playback_create(c.world, recording, &playback.at), CAIRN_OK) << cairn_last_error();
  }
  static Scene scene() {
    Scene made = tower(2);
    made.add_joint({.name = "hinge", .body_a = 1, .body_b = 2, .kind = HingeJoint{}});
    made.add_articulation(hinged());
    made.add_particles({.name = "rope", .positions = {{3, 0, 1}, {3, 0, 2}}, .constraints = {{.particles = {0, 1}}}});
    return made;
  }
  auto all() const {
    return std::tuple<cairn_world*, cairn_scene*, cairn_track*, cairn_pose_track*, cairn_drag*, cairn_muscle*,
                      cairn_sensors*, cairn_solid*, cairn_snapshot*, cairn_recording*, cairn_playback*>(
        c.world, c.scene, track, poses, drag, muscle, sensors, solid, snapshot, recording, playback);
  }
  cairn_handle handle(std::string_view call) const {
    const auto of = [&](std::string_view name) { return call.starts_with(name); };
    if (of("cairn_particles_")) return particles;
    if (of("cairn_joint_")) return joint;
    return of("cairn_articulation_") || of("cairn_link_") || of("cairn_coupling_") ? articulation : body;
  }

  static constexpr std::size_t kBodies = 6;
  Fixture c;
  const cairn_handle body{c.bodies()[1]}, articulation{c.articulations()[0]}, particles{c.particles()[0]},
      joint{c.joints()[0]};
  Made<cairn_track, cairn_track_destroy> track;
  Made<cairn_pose_track, cairn_pose_track_destroy> poses;
  Made<cairn_drag, cairn_drag_destroy> drag;
  Made<cairn_muscle, cairn_muscle_destroy> muscle;
  Made<cairn_sensors, cairn_sensors_destroy> sensors;
  Made<cairn_solid, cairn_solid_destroy> solid;
  Made<cairn_snapshot, cairn_snapshot_destroy> snapshot;
  Made<cairn_recording, cairn_recording_destroy> recording;
  Made<cairn_playback, cairn_playback_destroy> playback;
};

/// Parameters that may be null, by their places.
const std::map<std::string_view, std::set<std::size_t>> kMayBeNull{
    {"cairn_track_at", {2, 3}},
    {"cairn_drag_create", {3}},
    {"cairn_drag_pick", {2}},
    {"cairn_muscle_create", {3}},
    {"cairn_muscle_state", {1, 2, 3, 4}},
    {"cairn_world_wait_stream", {1}},
    {"cairn_world_stream_waits", {1}},
    {"cairn_world_written", {2}},
    {"cairn_world_get_states", {1, 2, 3, 4, 5}},
    {"cairn_world_set_states", {1, 2, 3, 4, 5}},
    {"cairn_world_set_all_scales", {1, 2, 3}},
    {"cairn_world_get_articulations", {1, 2, 3, 4, 5, 6}},
    {"cairn_world_set_articulations", {1, 2, 3, 4, 5, 6}},
    {"cairn_world_get_articulation_joints", {2}},
    {"cairn_world_set_articulation_joints", {2}},
    {"cairn_world_get_joints", {2}},
    {"cairn_world_set_joints", {2}},
    {"cairn_world_get_materials", {2}},
    {"cairn_world_set_materials", {2}},
    {"cairn_world_move_to", {1, 2, 4}},
    {"cairn_world_reset_where", {1}},
    {"cairn_scene_add_articulation", {6}},
    {"cairn_world_add_articulation", {7}},
    {"cairn_device_info", {1, 3}},
    {"cairn_scene_add_field", {2}},
    {"cairn_scene_add_joint", {2}},
    {"cairn_world_add_joint", {3}},
    {"cairn_scene_add_particles", {2}},
    {"cairn_world_add_particles", {3}},
    {"cairn_recording_replay", {1, 3}},
    {"cairn_playback_at", {1, 2}},
    {"cairn_scene_add_material", {2}},
    {"cairn_scene_add_body", {2}},
    {"cairn_scene_add_camera", {2}},
    {"cairn_world_create_from", {1}},
    {"cairn_world_create_branches", {3}},
    {"cairn_snapshot_world", {2, 3, 4}},
    {"cairn_estimate_memory", {2}},
    {"cairn_world_create", {2}},
    {"cairn_world_create_copies", {2}},
    {"cairn_world_device", {1, 3}},
    {"cairn_world_add_material", {3}},
    {"cairn_world_add_body", {3}},
    {"cairn_body_mass_properties", {2, 3, 4, 5}},
};
/// Lengths of lists that must be as long as what they are of; of other calls 1.
const std::map<std::string_view, std::size_t> kCounts{{"cairn_world_bodies", Objects::kBodies},
                                                      {"cairn_world_read_states", Objects::kBodies},
                                                      {"cairn_world_write_states", Objects::kBodies},
                                                      {"cairn_world_joints", 2},  // the drag's, too
                                                      {"cairn_particles_bodies", 2}};

/// An argument that isn't null: what was created, or room that has its size.
template <class T>
T good(const Objects& of, std::string_view call) {
  using P = std::remove_cv_t<std::remove_pointer_t<T>>;
  if constexpr (std::same_as<T, cairn_handle>) {
    return of.handle(call);
  } else if constexpr (std::same_as<T, std::size_t>) {
    return kCounts.contains(call) ? kCounts.at(call) : 1;
  } else if constexpr (!std::is_pointer_v<T>) {
    return T{};
  } else if constexpr (!std::is_void_v<P> && !requires { sizeof(P); }) {
    return std::get<P*>(of.all());
  } else {
    alignas(16) static std::byte room[4096];
    const auto at = reinterpret_cast<P*>(room);
    if constexpr (requires { at->struct_size; }) at->struct_size = sizeof *at;
    if constexpr (std::same_as<P, cairn_handle>) *at = of.joint;
    return at;
  }
}

/// A call that is refused makes nothing.
template <class T>
void expect_none(T) {}
template <class T>
void expect_none(T** made) {
  EXPECT_EQ(*made, nullptr);
}

/// Calls f once for each of its pointers that must not be null, with that one null and the others good.
template <class... P, std::size_t... I>
void refuses_each(const Objects& of, std::string_view call, cairn_result (*f)(P...), std::index_sequence<I...>) {
  const std::tuple<P...> all(good<P>(of, call)...);
  const auto optional = kMayBeNull.find(call);
  const auto one = [&](auto at) {
    constexpr std::size_t i = decltype(at)::value;
    if constexpr (std::is_pointer_v<std::tuple_element_t<i, std::tuple<P...>>>) {
      if (optional != kMayBeNull.end() && optional->second.contains(i)) return;
      std::tuple<P...> arguments = all;
      std::get<i>(arguments) = nullptr;
      EXPECT_TRUE(fails(std::apply(f, arguments), "must not be null")) << call << ", " << i;
    }
  };
  (one(std::integral_constant<std::size_t, I>{}), ...);
  (expect_none(std::get<I>(all)), ...);
}
template <class... P>
void refuses(const Objects& of, std::string_view call, cairn_result (*f)(P...)) {
  refuses_each(of, call, f, std::index_sequence_for<P...>{});
}

TEST(CApi, null_pointers_are_refused) {
  const Objects objects;
  const std::uint64_t before = objects.c.hash();
  std::set<std::string_view> tried;
#define CAIRN_FUNCTION(f)  \
  refuses(objects, #f, f); \
  tried.insert(#f);
#include "functions.inc"
#undef CAIRN_FUNCTION
  EXPECT_EQ(objects.c.hash(), before);
  EXPECT_GT(tried.size(), 100u);
  for (const auto& [call, places] : kMayBeNull) EXPECT_TRUE(tried.contains(call)) << call;
}

TEST(CApi, null_names_and_scenes_are_refused_where_there_must_be_one) {
  Fixture c(tower(2), 1);
  const cairn_scene* const scenes[1] = {nullptr};
  cairn_world* made = nullptr;
  EXPECT_TRUE(fails(cairn_world_create(scenes, 1, nullptr, &made), "each of scenes"));
  EXPECT_EQ(made, nullptr);
  const auto unnamed = init(cairn_material_init);
  EXPECT_TRUE(fails(cairn_world_add_material(c.world, 0, &unnamed, nullptr), "cairn_material.name"));
  // bodies and joints may have none
  auto joint = init(cairn_joint_init);
  joint.name = nullptr;
  joint.body_b = 1;
  EXPECT_EQ(cairn_world_add_joint(c.world, 0, &joint, nullptr), CAIRN_OK) << cairn_last_error();
}

}  // namespace
}  // namespace cairn::c_api_test
