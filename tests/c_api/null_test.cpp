// No function of the C interface goes on with a null pointer that isn't said to mean something.

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "cairn/world_articulations.h"
#include "tests/c_api/particles_in_c.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

std::set<std::string> tried;

/// Calls f once for each of its pointers, with that one null and the others good. One that is null here may be null.
template <class... P, std::size_t... I>
void refuses_each(const char* name, cairn_result (*f)(P...), const std::tuple<P...>& good, std::index_sequence<I...>) {
  tried.insert(name);
  const auto one = [&](auto at) {
    constexpr std::size_t i = decltype(at)::value;
    if constexpr (std::is_pointer_v<std::tuple_element_t<i, std::tuple<P...>>>) {
      std::tuple<P...> arguments = good;
      if (std::get<i>(arguments) == nullptr) return;
      std::get<i>(arguments) = nullptr;
      EXPECT_TRUE(fails(std::apply(f, arguments), CAIRN_INVALID_ARGUMENT, "must not be null")) << name << ", " << i;
    }
  };
  (one(std::integral_constant<std::size_t, I>{}), ...);
}
template <class... P>
void refuses(const char* name, cairn_result (*f)(P...), std::type_identity_t<P>... good) {
  refuses_each(name, f, std::tuple<P...>(good...), std::index_sequence_for<P...>{});
}
#define REFUSES(f, ...) refuses(#f, f, __VA_ARGS__)

void refuses_of_articulations() {
  Scene with;
  with.add_articulation(hinged());
  Fixture c(with, 1);
  cairn_handle a{}, b{};
  ASSERT_EQ(cairn_world_articulations(c.world, 0, &a, 1), CAIRN_OK);
  std::uint32_t u32 = 0, other = 0;
  std::int32_t alive = 0;
  double q[1] = {}, v[1] = {};
  auto link = init(cairn_link_init);
  auto articulation = init(cairn_articulation_init);
  link.name = articulation.name = "other";
  articulation.links = &link;
  articulation.link_count = 1;
  REFUSES(cairn_scene_add_articulation, c.scene, &articulation, q, 1, v, 1, nullptr);
  REFUSES(cairn_scene_articulation_count, c.scene, &u32);
  REFUSES(cairn_scene_find_articulation, c.scene, "arm", &u32);
  REFUSES(cairn_world_articulation_count, c.world, 0, &u32);
  REFUSES(cairn_world_articulations, c.world, 0, &a, 1);
  REFUSES(cairn_world_find_articulation, c.world, 0, "arm", &a);
  REFUSES(cairn_world_add_articulation, c.world, 0, &articulation, q, 1, v, 1, nullptr);
  REFUSES(cairn_articulation_alive, c.world, a, &alive);
  REFUSES(cairn_articulation_describe, c.world, a, &articulation);
  REFUSES(cairn_link_describe, c.world, a, 0, &link);
  auto coupling = init(cairn_coupling_init);
  auto term = init(cairn_coupling_term_init);
  REFUSES(cairn_coupling_describe, c.world, a, 0, &coupling);
  REFUSES(cairn_coupling_term_describe, c.world, a, 0, 0, &term);
  REFUSES(cairn_articulation_size, c.world, a, &u32, &other);
  REFUSES(cairn_link_place, c.world, a, 0, &u32, &other);
  REFUSES(cairn_link_body, c.world, a, 0, &b);
  REFUSES(cairn_articulation_state, c.world, a, q, 1, v, 1);
  REFUSES(cairn_articulation_set_state, c.world, a, q, 1, v, 1);
  REFUSES(cairn_link_joint_of, c.world, a, 0, &link);
  REFUSES(cairn_link_set_joint, c.world, a, 0, &link);
  REFUSES(cairn_articulation_set_forces, c.world, a, v, 1);
  REFUSES(cairn_articulation_set_targets, c.world, a, q, 1, v, 1);
  REFUSES(cairn_articulation_remove, c.world, a);
  std::uint32_t third = 0;
  REFUSES(cairn_world_articulation_rows, c.world, &u32, &other, &third);
  REFUSES(cairn_world_get_articulations, c.world, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  REFUSES(cairn_world_set_articulations, c.world, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  const auto joints = init(cairn_articulation_joint_arrays_init);
  REFUSES(cairn_world_get_articulation_joints, c.world, &joints, nullptr);
  REFUSES(cairn_world_set_articulation_joints, c.world, &joints, nullptr);
}

void refuses_of_particles() {
  Fixture c(tower(2), 1);
  const ParticleSet rope{.name = "rope",
                         .positions = {{3, 0, 1}, {3, 0, 2}},
                         .fixed = {1},
                         .constraints = {{.particles = {0, 1}}},
                         .attachments = {{0, 1, {}}}};
  const SetInC given(rope);
  cairn_handle set{}, other{}, bodies[2];
  std::uint32_t u32 = 0;
  std::int32_t alive = 0;
  std::size_t size = 0;
  char text[4];
  float numbers[4];
  std::uint8_t broken[4];
  ASSERT_EQ(cairn_world_add_particles(c.world, 0, given.get(), &set), CAIRN_OK) << cairn_last_error();
  REFUSES(cairn_scene_add_particles, c.scene, given.get(), nullptr);
  ASSERT_EQ(cairn_scene_add_particles(c.scene, given.get(), nullptr), CAIRN_OK) << cairn_last_error();
  REFUSES(cairn_scene_particles_count, c.scene, &u32);
  REFUSES(cairn_scene_find_particles, c.scene, "rope", &u32);
  REFUSES(cairn_scene_particles_body, c.scene, 0, &u32);
  REFUSES(cairn_scene_constraint_warnings, c.scene, text, 4, &size);
  REFUSES(cairn_world_particles_count, c.world, 0, &u32);
  REFUSES(cairn_world_particles, c.world, 0, &other, 1);
  REFUSES(cairn_world_find_particles, c.world, 0, "rope", &other);
  REFUSES(cairn_world_add_particles, c.world, 0, given.get(), nullptr);
  REFUSES(cairn_particles_alive, c.world, set, &alive);
  auto told = init(cairn_particle_set_init);
  auto group = init(cairn_constraint_group_init);
  auto attachment = init(cairn_attachment_init);
  REFUSES(cairn_particles_describe, c.world, set, &told, &group, 1, &attachment, 1);
  REFUSES(cairn_particles_bodies, c.world, set, bodies, 2);
  REFUSES(cairn_particles_constraint_forces, c.world, set, numbers, 4, &size);
  REFUSES(cairn_particles_broken_constraints, c.world, set, broken, 4, &size);
  REFUSES(cairn_particles_constraint_residuals, c.world, set, numbers, 4, &size);
  REFUSES(cairn_particles_pressures, c.world, set, numbers, 4, &size);
  REFUSES(cairn_particles_densities, c.world, set, numbers, 4, &size);
  cairn_constraint_residual residual{.struct_size = sizeof residual};
  REFUSES(cairn_world_constraint_residual, c.world, 0, &residual);
  REFUSES(cairn_particles_remove, c.world, set);

  auto field = init(cairn_field_init);
  auto spring = init(cairn_spring_init);
  spring.b = 1;
  field.kind = CAIRN_SPRINGS_FIELD;
  field.springs = &spring;
  field.spring_count = 1;
  ASSERT_EQ(cairn_world_set_fields(c.world, 0, &field, 1), CAIRN_OK) << cairn_last_error();
  REFUSES(cairn_scene_add_field, c.scene, &field, nullptr);
  REFUSES(cairn_scene_field_count, c.scene, &u32);
  REFUSES(cairn_world_fields, c.world, 0, &field, 1, &size);
  REFUSES(cairn_world_springs, c.world, 0, 0, &spring, 1, &size);
  REFUSES(cairn_world_set_fields, c.world, 0, &field, 1);
}

void refuses_of_actuation() {
  Fixture c(tower(2), 1);
  cairn_handle bodies[3], joint{};
  ASSERT_EQ(cairn_world_bodies(c.world, 0, bodies, 3), CAIRN_OK);
  auto hinge = init(cairn_joint_init);
  hinge.kind = CAIRN_HINGE_JOINT;
  hinge.body_a = 1;
  hinge.body_b = 2;
  ASSERT_EQ(cairn_world_add_joint(c.world, 0, &hinge, &joint), CAIRN_OK) << cairn_last_error();
  const cairn_track_key key{};
  const cairn_pose_key pose{0, {0, 0, 0}, {0, 0, 0, 1}};
  cairn_track *track = nullptr, *made_track = nullptr;
  cairn_pose_track *poses = nullptr, *made_poses = nullptr;
  cairn_drag *drag = nullptr, *made_drag = nullptr;
  cairn_muscle *muscle = nullptr, *made_muscle = nullptr;
  const auto ray = init(cairn_query_init);
  const double point[3] = {0, 0, 1};
  const float force[3] = {0, 0, 1};
  double place[3];
  float turn[4];
  std::int32_t over = 0;
  const cairn_muscle_point path[2] = {{{0, 0}, {1, 0, 2}}, {bodies[1], {0, 0, 0}}};
  cairn_joint_effort effort{};
  ASSERT_EQ(cairn_track_create(&key, 1, CAIRN_TRACK_STEP, 0, &track), CAIRN_OK);
  ASSERT_EQ(cairn_pose_track_create(&pose, 1, 0, &poses), CAIRN_OK);
  ASSERT_EQ(cairn_drag_create(c.world, bodies[1], point, nullptr, &drag), CAIRN_OK);
  ASSERT_EQ(cairn_muscle_create(c.world, path, 2, nullptr, &muscle), CAIRN_OK) << cairn_last_error();
  REFUSES(cairn_track_create, &key, 1, CAIRN_TRACK_STEP, 0, &made_track);
  REFUSES(cairn_track_at, track, 0, nullptr, nullptr);
  REFUSES(cairn_pose_track_create, &pose, 1, 0, &made_poses);
  REFUSES(cairn_pose_track_at, poses, 0, place, turn);
  REFUSES(cairn_joint_follow, c.world, joint, CAIRN_TWIST, track, 0, 0.01f);
  REFUSES(cairn_body_follow, c.world, bodies[0], poses, 0, 0.01f);
  REFUSES(cairn_drag_create, c.world, bodies[1], point, nullptr, &made_drag);
  REFUSES(cairn_drag_pick, c.world, &ray, nullptr, &made_drag);
  REFUSES(cairn_drag_move, drag, point);
  REFUSES(cairn_drag_over, drag, &over);
  REFUSES(cairn_drag_joint, drag, &joint);
  REFUSES(cairn_muscle_create, c.world, path, 2, nullptr, &made_muscle);
  REFUSES(cairn_muscle_copy, muscle, &made_muscle);
  REFUSES(cairn_muscle_act, muscle, 0, 0.01f);
  REFUSES(cairn_muscle_state, muscle, nullptr, nullptr, nullptr, nullptr);
  REFUSES(cairn_world_virtual_force, c.world, &joint, 1, point, force, &effort);
  REFUSES(cairn_world_exert, c.world, &effort, 1);
  EXPECT_TRUE(made_track == nullptr && made_poses == nullptr && made_drag == nullptr && made_muscle == nullptr);
  cairn_track_destroy(track);
  cairn_pose_track_destroy(poses);
  cairn_drag_destroy(drag);
  cairn_muscle_destroy(muscle);
  cairn_track_destroy(nullptr);
  cairn_pose_track_destroy(nullptr);
}

void refuses_of_sensors() {
  Fixture c(tower(2), 1);
  auto imu = init(cairn_imu_sensor_init);
  imu.site.body = 1;
  auto set = init(cairn_sensor_set_init);
  set.imus = &imu;
  set.imu_count = 1;
  cairn_sensors *sensors = nullptr, *made = nullptr;
  std::uint32_t count = 0;
  auto array = init(cairn_array_init);
  ASSERT_EQ(cairn_sensors_create(c.world, &set, &sensors), CAIRN_OK) << cairn_last_error();
  REFUSES(cairn_sensors_create, c.world, &set, &made);
  REFUSES(cairn_sensors_update, sensors);
  REFUSES(cairn_sensors_array_count, sensors, &count);
  REFUSES(cairn_sensors_array_at, sensors, 0, &array);
  REFUSES(cairn_sensors_array, sensors, "imu", &array);
  EXPECT_EQ(made, nullptr);
  cairn_sensors_destroy(sensors);
}

TEST(CApi, null_pointers_are_refused) {
  Fixture c(tower(2), 1);
  cairn_scene *s = c.scene, *made_scene = nullptr;
  cairn_world *w = c.world, *made = nullptr;
  cairn_snapshot *snapshot = nullptr, *made_snapshot = nullptr;
  cairn_recording *recording = nullptr, *made_recording = nullptr;
  ASSERT_EQ(cairn_world_snapshot(w, 0, &snapshot), CAIRN_OK);
  ASSERT_EQ(cairn_world_start_recording(w), CAIRN_OK);
  ASSERT_EQ(cairn_world_stop_recording(w, &recording), CAIRN_OK);
  const std::uint64_t before = c.hash();
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  std::int32_t i32 = 0;
  std::size_t size = 0;
  std::uint8_t mask[1] = {1};
  float f[4] = {0, 0, 0, 1};
  double d[3] = {};
  char text[4];
  cairn_handle bodies[3];
  ASSERT_EQ(cairn_world_bodies(w, 0, bodies, 3), CAIRN_OK);
  const cairn_handle b = bodies[1];
  auto params = init(cairn_params_init);
  auto limits = init(cairn_limits_init);
  auto material = init(cairn_material_init);
  auto shape = init(cairn_shape_init);
  auto body = init(cairn_body_init);
  auto array = init(cairn_array_init);
  auto scales = init(cairn_scales_init);
  auto body_scales = init(cairn_body_scales_init);
  auto ranges = init(cairn_randomisation_init);
  cairn_state state;
  cairn_contact contact;
  cairn_contact_event touch;
  cairn_hit hit;
  auto query = init(cairn_query_init);
  const auto query_arrays = init(cairn_query_arrays_init);
  const auto hit_arrays = init(cairn_hit_arrays_init);
  cairn_report report{.struct_size = sizeof report};
  cairn_world_report world_report{.struct_size = sizeof world_report};
  cairn_residual residual{.struct_size = sizeof residual};
  cairn_replay replay{.struct_size = sizeof replay};
  DLManagedTensorVersioned* tensor = nullptr;

  REFUSES(cairn_device_count, &u32);
  REFUSES(cairn_device_info, 0, nullptr, 0, nullptr, 0);
  REFUSES(cairn_scene_create, &made_scene);
  REFUSES(cairn_scene_load, "file", &made_scene);
  REFUSES(cairn_scene_parse, "{}", 2, "here", &made_scene);
  REFUSES(cairn_scene_to_json, s, text, 1, &size);
  REFUSES(cairn_scene_gravity, s, f);
  REFUSES(cairn_scene_set_gravity, s, f);
  REFUSES(cairn_scene_params, s, &params);
  REFUSES(cairn_scene_set_params, s, &params);
  REFUSES(cairn_scene_limits, s, &limits);
  REFUSES(cairn_scene_set_limits, s, &limits);
  REFUSES(cairn_scene_add_material, s, &material, nullptr);
  REFUSES(cairn_scene_add_body, s, &body, nullptr);
  REFUSES(cairn_scene_ignore, s, 0, 1);
  REFUSES(cairn_scene_body_count, s, &u32);
  REFUSES(cairn_scene_find_body, s, "floor", &u32);
  auto camera = init(cairn_camera_init);
  camera.name = "front";
  camera.target[0] = 1;
  REFUSES(cairn_scene_add_camera, s, &camera, nullptr);
  ASSERT_EQ(cairn_scene_add_camera(s, &camera, nullptr), CAIRN_OK) << cairn_last_error();
  REFUSES(cairn_scene_camera_count, s, &u32);
  REFUSES(cairn_scene_find_camera, s, "front", &u32);
  REFUSES(cairn_scene_camera, s, 0, &camera);
  REFUSES(cairn_camera_now, s, 0, c.world, 0, &camera);
  auto joint = init(cairn_joint_init);
  joint.name = "joint";
  joint.body_b = 1;
  cairn_joint_state joint_state{.struct_size = sizeof joint_state};
  const cairn_joint_drive drive{};
  cairn_handle j{};
  ASSERT_EQ(cairn_world_add_joint(w, 0, &joint, &j), CAIRN_OK);
  REFUSES(cairn_scene_add_joint, s, &joint, nullptr);
  REFUSES(cairn_scene_joint_count, s, &u32);
  refuses_of_articulations();
  refuses_of_particles();
  refuses_of_actuation();
  refuses_of_sensors();
  REFUSES(cairn_scene_find_joint, s, "joint", &u32);
  REFUSES(cairn_world_add_joint, w, 0, &joint, nullptr);
  REFUSES(cairn_world_joint_count, w, 0, &u32);
  REFUSES(cairn_world_joints, w, 0, &j, 1);
  REFUSES(cairn_world_find_joint, w, 0, "joint", &j);
  REFUSES(cairn_joint_remove, w, j);
  REFUSES(cairn_joint_alive, w, j, &i32);
  REFUSES(cairn_joint_describe, w, j, &joint);
  REFUSES(cairn_joint_state_of, w, j, &joint_state);
  REFUSES(cairn_joint_set_joint, w, j, &joint);
  REFUSES(cairn_joint_set_drive, w, j, 0, &drive);
  cairn_joint_anchor anchors[2];
  REFUSES(cairn_joint_anchors, w, j, anchors);
  cairn_handle placed{};
  REFUSES(cairn_world_body_at, w, 0, 1, &placed);
  REFUSES(cairn_body_index, w, b, &u32);
  REFUSES(cairn_joint_index, w, j, &u32);
  cairn_material unnamed = init(cairn_material_init);
  EXPECT_TRUE(fails(cairn_world_add_material(w, 0, &unnamed, &u32), CAIRN_INVALID_ARGUMENT, "cairn_material.name"));
  // bodies and joints may have none
  cairn_handle nameless{};
  joint.name = nullptr;
  EXPECT_EQ(cairn_world_add_joint(w, 0, &joint, &nameless), CAIRN_OK);
  EXPECT_EQ(cairn_joint_remove(w, nameless), CAIRN_OK);
  ASSERT_EQ(cairn_joint_remove(w, j), CAIRN_OK);
  const float points[12]{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::uint32_t triangle[3]{0, 1, 2};
  cairn_solid *mesh = nullptr, *field = nullptr, *made_solid = nullptr;
  ASSERT_EQ(cairn_mesh_create(points, 4, triangle, 1, &mesh), CAIRN_OK);
  ASSERT_EQ(cairn_height_field_create(2, 2, 1, points, 4, &field), CAIRN_OK);
  REFUSES(cairn_hull_create, points, 4, &made_solid);
  REFUSES(cairn_mesh_create, points, 4, triangle, 1, &made_solid);
  REFUSES(cairn_height_field_create, 2, 2, 1, points, 4, &made_solid);
  REFUSES(cairn_solid_load, "file.obj", CAIRN_MESH, 1, &made_solid);
  REFUSES(cairn_solid_of_body, w, b, 0, 0, &made_solid);
  REFUSES(cairn_solid_kind, mesh, &i32);
  REFUSES(cairn_solid_vertices, mesh, f, 1, &size);
  REFUSES(cairn_solid_triangles, mesh, &u32, 1, &size);
  REFUSES(cairn_solid_heights, field, &u32, &u32, f, f, 1, &size);
  cairn_point_mass point;
  REFUSES(cairn_body_point_masses, w, b, 0, &point, 1, &size);
  cairn_solid_destroy(mesh);
  cairn_solid_destroy(field);
  EXPECT_EQ(made_solid, nullptr);
  const cairn_scene* const scenes[1] = {nullptr};
  REFUSES(cairn_world_create, scenes, 1, nullptr, &made);
  EXPECT_TRUE(fails(cairn_world_create(scenes, 1, nullptr, &made), CAIRN_INVALID_ARGUMENT, "each of scenes"));
  REFUSES(cairn_world_create_copies, s, 1, nullptr, &made);
  REFUSES(cairn_estimate_memory, s, 1, nullptr, &u64);
  REFUSES(cairn_world_device, w, nullptr, 0, nullptr);
  REFUSES(cairn_world_step, w, 1);
  REFUSES(cairn_world_step_dt, w, 0.01f);
  REFUSES(cairn_world_wait, w);
  REFUSES(cairn_world_reset, w, 0);
  REFUSES(cairn_world_reset_mask, w, mask, 1);
  REFUSES(cairn_world_params, w, 0, &params);
  REFUSES(cairn_world_set_params, w, 0, &params);
  REFUSES(cairn_world_gravity, w, 0, f);
  REFUSES(cairn_world_set_gravity, w, 0, f);
  REFUSES(cairn_world_limits, w, 0, &limits);
  REFUSES(cairn_world_set_limits, w, 0, &limits);
  REFUSES(cairn_world_count, w, &u32);
  REFUSES(cairn_world_body_count, w, 0, &u32);
  REFUSES(cairn_world_bodies, w, 0, bodies, 3);
  cairn_handle found{};
  REFUSES(cairn_world_find_body, w, 0, "floor", &found);
  REFUSES(cairn_world_material_count, w, 0, &u32);
  REFUSES(cairn_world_material, w, 0, 0, &material);
  REFUSES(cairn_world_add_material, w, 0, &material, nullptr);
  REFUSES(cairn_world_set_material, w, 0, 0, &material);
  REFUSES(cairn_world_add_body, w, 0, &body, nullptr);
  REFUSES(cairn_body_describe, w, b, 0, &body, &shape, 1);
  REFUSES(cairn_body_remove, w, b);
  REFUSES(cairn_body_alive, w, b, &i32);
  REFUSES(cairn_body_world, w, b, &u32);
  REFUSES(cairn_body_set_pose, w, b, d, f);
  REFUSES(cairn_body_set_velocity, w, b, f, f);
  REFUSES(cairn_body_move_to, w, b, d, f, 1);
  REFUSES(cairn_body_mass_properties, w, b, nullptr, nullptr, nullptr, nullptr);
  REFUSES(cairn_body_set_mass, w, b, 1);
  REFUSES(cairn_body_set_material, w, b, 0);
  REFUSES(cairn_body_set_body, w, b, &body);
  REFUSES(cairn_body_set_type, w, b, CAIRN_STATIC);
  REFUSES(cairn_body_set_enabled, w, b, 0);
  REFUSES(cairn_body_wake, w, b);
  REFUSES(cairn_body_set_filter, w, b, 1, 1, 0);
  REFUSES(cairn_body_ignore, w, b, bodies[0], 1);
  REFUSES(cairn_body_ignored, w, b, bodies[0], &i32);
  REFUSES(cairn_body_asleep, w, b, &i32);
  REFUSES(cairn_body_add_force, w, b, f);
  REFUSES(cairn_body_add_force_at, w, b, f, d);
  REFUSES(cairn_body_add_torque, w, b, f);
  REFUSES(cairn_body_add_impulse, w, b, f);
  REFUSES(cairn_body_add_impulse_at, w, b, f, d);
  REFUSES(cairn_body_add_angular_impulse, w, b, f);
  REFUSES(cairn_body_state, w, b, &state);
  REFUSES(cairn_body_set_state, w, b, &state);
  REFUSES(cairn_world_read_states, w, 0, &state, 3);
  REFUSES(cairn_world_write_states, w, 0, &state, 3);
  REFUSES(cairn_world_get_report, w, &report);
  REFUSES(cairn_world_get_world_report, w, 0, &world_report);
  REFUSES(cairn_world_get_world_reports, w, &world_report, 1);
  REFUSES(cairn_world_clear_status, w);
  REFUSES(cairn_world_set_timings, w, 1);
  REFUSES(cairn_world_residual, w, 0, &residual);
  REFUSES(cairn_world_residuals, w, &residual, 1);
  REFUSES(cairn_world_contacts, w, &contact, 1, &size);
  REFUSES(cairn_world_query, w, CAIRN_CAST, &query, 1, &hit);
  REFUSES(cairn_world_query_all, w, CAIRN_CAST, &query, 1, &hit, 1, &size);
  const auto joint_arrays = init(cairn_joint_arrays_init);
  REFUSES(cairn_world_get_joints, w, &joint_arrays, nullptr);
  REFUSES(cairn_world_set_joints, w, &joint_arrays, nullptr);
  const auto material_arrays = init(cairn_material_arrays_init);
  REFUSES(cairn_world_get_materials, w, &material_arrays, nullptr);
  REFUSES(cairn_world_set_materials, w, &material_arrays, nullptr);
  REFUSES(cairn_world_query_arrays, w, CAIRN_CAST, &query, &query_arrays, &hit_arrays);
  REFUSES(cairn_world_contact_events, w, 0, &touch, 1, &size);
  REFUSES(cairn_world_state_hash, w, &u64);
  REFUSES(cairn_world_state_hashes, w, &u64, 1);
  REFUSES(cairn_world_memory_bytes, w, &u64);
  REFUSES(cairn_world_seed, w, 0, &u64);
  REFUSES(cairn_world_set_seed, w, 0, 7);
  REFUSES(cairn_world_scales, w, 0, &scales);
  REFUSES(cairn_world_set_scales, w, 0, &scales);
  REFUSES(cairn_body_get_scales, w, b, &body_scales);
  REFUSES(cairn_body_set_scales, w, b, &body_scales);
  REFUSES(cairn_world_randomise, w, mask, 1, &ranges);
  REFUSES(cairn_random_uniforms, 0, 0, 0, 0, f);
  REFUSES(cairn_world_origin, w, 0, d);
  REFUSES(cairn_world_set_origin, w, 0, d);
  REFUSES(cairn_world_snapshot, w, 0, &made_snapshot);
  REFUSES(cairn_world_restore, w, snapshot);
  REFUSES(cairn_world_restore_one, w, snapshot, 0, 0);
  REFUSES(cairn_world_restore_mask, w, snapshot, 0, mask, 1);
  REFUSES(cairn_world_create_from, snapshot, nullptr, &made);
  REFUSES(cairn_world_create_branches, snapshot, 0, 1, nullptr, &made);
  REFUSES(cairn_snapshot_count, snapshot, &u32);
  REFUSES(cairn_snapshot_world, snapshot, 0, nullptr, nullptr, nullptr);
  REFUSES(cairn_snapshot_save, snapshot, "/no/such/folder/file");
  REFUSES(cairn_snapshot_load, "/no/such/folder/file", 0, &made_snapshot);
  REFUSES(cairn_snapshot_to_bytes, snapshot, text, 1, &size);
  REFUSES(cairn_snapshot_from_bytes, text, 1, "here", 0, &made_snapshot);
  REFUSES(cairn_world_start_recording, w);
  REFUSES(cairn_world_stop_recording, w, &made_recording);
  REFUSES(cairn_recording_steps, recording, &u64);
  REFUSES(cairn_recording_start, recording, &made_snapshot);
  REFUSES(cairn_recording_save, recording, "/no/such/folder/file");
  REFUSES(cairn_recording_load, "/no/such/folder/file", 0, &made_recording);
  REFUSES(cairn_recording_to_bytes, recording, text, 1, &size);
  REFUSES(cairn_recording_from_bytes, text, 1, "here", 0, &made_recording);
  REFUSES(cairn_recording_replay, recording, nullptr, &replay, nullptr, 0);
  cairn_playback *playback = nullptr, *made_playback = nullptr;
  REFUSES(cairn_playback_create, w, recording, &made_playback);
  ASSERT_EQ(cairn_playback_create(w, recording, &playback), CAIRN_OK) << cairn_last_error();
  std::int32_t taken = 0;
  REFUSES(cairn_playback_step, playback, &taken);
  REFUSES(cairn_playback_seek, playback, 0);
  REFUSES(cairn_playback_at, playback, nullptr, nullptr);
  REFUSES(cairn_playback_differs_at, playback, &taken, &u64);
  REFUSES(cairn_playback_edits, playback, &u64);
  EXPECT_EQ(made_playback, nullptr);
  cairn_playback_destroy(playback);
  cairn_playback_destroy(nullptr);
  REFUSES(cairn_world_array_count, w, &u32);
  REFUSES(cairn_world_array_at, w, 0, &array);
  REFUSES(cairn_world_array, w, "position", &array);
  REFUSES(cairn_world_array_dlpack, w, "position", &tensor);
  void* stream = nullptr;
  REFUSES(cairn_world_stream, w, &stream);
  REFUSES(cairn_world_wait_stream, w, nullptr);
  REFUSES(cairn_world_stream_waits, w, nullptr);
  REFUSES(cairn_world_written, w, CAIRN_LOADS, nullptr);
  REFUSES(cairn_world_get_states, w, nullptr, nullptr, nullptr, nullptr, nullptr);
  REFUSES(cairn_world_set_all_scales, w, nullptr, nullptr, nullptr);
  REFUSES(cairn_world_set_states, w, nullptr, nullptr, nullptr, nullptr, nullptr);
  REFUSES(cairn_world_move_to, w, nullptr, nullptr, 1, nullptr);
  REFUSES(cairn_world_reset_where, w, nullptr);

  EXPECT_TRUE(made_scene == nullptr && made == nullptr && made_snapshot == nullptr && made_recording == nullptr);
  EXPECT_EQ(c.hash(), before);
  cairn_snapshot_destroy(snapshot);
  cairn_recording_destroy(recording);
  cairn_snapshot_destroy(nullptr);
  cairn_recording_destroy(nullptr);

  // none was left out
  const std::regex declaration("CAIRN_API cairn_result (\\w+)\\(");
  for (const auto& part : std::filesystem::directory_iterator(CAIRN_SOURCE_DIR "/include/cairn/c")) {
    std::ifstream file(part.path());
    const std::string header{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at)
      EXPECT_TRUE(tried.contains((*at)[1])) << (*at)[1];
  }
  EXPECT_GT(tried.size(), 100u);
}

}  // namespace
}  // namespace cairn::c_api_test
