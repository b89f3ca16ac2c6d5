// Scenes and worlds of the C interface are those of the C++ interface.

#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT
using testing_support::shape;     // not the namespace

TEST(CApi, versions_and_devices_are_those_of_the_library) {
  EXPECT_EQ(cairn_c_version(), CAIRN_C_VERSION);
  EXPECT_STREQ(cairn_version(), kVersion);
  EXPECT_EQ(cairn_numerics_version(), kNumericsVersion);
  const std::uint32_t count = value_of(cairn_device_count);
  EXPECT_EQ(count, devices().size());
  char name[4] = "???", line[256] = "";
  ASSERT_EQ(cairn_device_info(0, name, 3, line, sizeof line), CAIRN_OK);
  EXPECT_STREQ(name, "cp");
  EXPECT_EQ(line, devices()[0].description);
  EXPECT_TRUE(fails(cairn_device_info(count, nullptr, 0, nullptr, 0), "device"));
}

TEST(CApi, defaults_are_those_of_the_cpp_interface) {
  cairn_scene* const scene = value_of(cairn_scene_create);
  auto params = init(cairn_params_init);
  EXPECT_EQ(params.substeps, StepParams{}.substeps);
  EXPECT_EQ(params.dt, StepParams{}.dt);
  params.solver = CAIRN_XPBD;
  params.sleeping = 1;
  ASSERT_EQ(cairn_scene_set_params(scene, &params), CAIRN_OK) << cairn_last_error();
  auto back = init(cairn_params_init);
  ASSERT_EQ(cairn_scene_params(scene, &back), CAIRN_OK);
  EXPECT_EQ(std::memcmp(&back, &params, sizeof params), 0);
  EXPECT_EQ(init(cairn_material_init).friction, Material{}.friction);
  EXPECT_EQ(init(cairn_shape_init).size[1], Box{}.half_extents.y);
  const auto options = init(cairn_world_options_init);
  EXPECT_EQ(options.small_world, Tuning{}.small_world);
  EXPECT_EQ(options.part_bodies, Tuning{}.part_bodies);
  EXPECT_EQ(options.on_overflow, CAIRN_OVERFLOW_GROWS);
  const float gravity[3] = {1, 2, 3};
  float got[3] = {};
  ASSERT_EQ(cairn_scene_set_gravity(scene, gravity), CAIRN_OK);
  ASSERT_EQ(cairn_scene_gravity(scene, got), CAIRN_OK);
  EXPECT_EQ(std::memcmp(got, gravity, sizeof got), 0);
  auto limits = init(cairn_limits_init), limits_back = init(cairn_limits_init);
  limits.speed = 30;
  ASSERT_EQ(cairn_scene_set_limits(scene, &limits), CAIRN_OK);
  ASSERT_EQ(cairn_scene_limits(scene, &limits_back), CAIRN_OK);
  EXPECT_EQ(std::memcmp(&limits_back, &limits, sizeof limits), 0);
  cairn_scene_destroy(scene);
}

TEST(CApi, a_scene_goes_through_its_text) {
  const Scene scene = worlds_of_all_kinds()[1];
  Fixture c(scene);
  EXPECT_EQ(text_of(c.scene), scene_to_json(scene));
  std::uint32_t at = 0;
  EXPECT_EQ(value_of(cairn_scene_body_count, c.scene), scene.bodies().size());
  EXPECT_EQ(value_of(cairn_scene_find_body, c.scene, "body2"), *scene.find_body("body2"));
  EXPECT_TRUE(fails(cairn_scene_find_body(c.scene, "nobody", &at), "\"nobody\""));
  cairn_handle named{};
  EXPECT_EQ(value_of(cairn_world_find_body, c.world, 0, "body2").index, *scene.find_body("body2") + 1);
  EXPECT_TRUE(fails(cairn_world_find_body(c.world, 0, "nobody", &named), "\"nobody\""));
  EXPECT_EQ(value_of(cairn_estimate_memory, c.scene, 7, nullptr), estimate_memory(scene, 7));
  auto options = init(cairn_world_options_init);
  options.capacity_pairs = 100'000;
  const std::uint64_t bytes = value_of(cairn_estimate_memory, c.scene, 7, &options);
  EXPECT_EQ(bytes, estimate_memory(scene, 7, cpu(0, {.pairs = 100'000})));
  EXPECT_GT(bytes, estimate_memory(scene, 7));
}

TEST(CApi, a_world_takes_the_same_calls_to_the_same_bits) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  const std::vector<cairn_handle> handles = c.bodies(CAIRN_ALL_WORLDS);
  const std::vector<BodyHandle> bodies = cpp.bodies();
  ASSERT_EQ(bodies.size(), handles.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    EXPECT_EQ((BodyHandle{handles[i].index, handles[i].generation}), bodies[i]);
  const float g[3] = {0.5f, 0, -5}, force[3] = {0, 100, 5000}, v[3] = {1, 0, 0}, w[3] = {0, 1, 0};
  const double point[3] = {0.1, 0.2, 3};

  cpp.set_gravity({0.5f, 0, -5}, 1);
  EXPECT_EQ(cairn_world_set_gravity(c.world, 1, g), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(cpp, 30));
  cpp.add_force(bodies[2], {0, 100, 5000});
  cpp.add_force(bodies[3], {0, 100, 5000}, {0.1, 0.2, 3});
  cpp.add_torque(bodies[4], {1, 0, 0});
  EXPECT_EQ(cairn_body_add_force(c.world, handles[2], force), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_force_at(c.world, handles[3], force, point), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_torque(c.world, handles[4], v), CAIRN_OK);
  cpp.step(0.01f);
  EXPECT_EQ(cairn_world_step_dt(c.world, 0.01f), CAIRN_OK);
  cpp.add_impulse(bodies[2], {0, 100, 5000});
  cpp.add_impulse(bodies[3], {0, 100, 5000}, {0.1, 0.2, 3});
  cpp.add_angular_impulse(bodies[4], {1, 0, 0});
  EXPECT_EQ(cairn_body_add_impulse(c.world, handles[2], force), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_impulse_at(c.world, handles[3], force, point), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_angular_impulse(c.world, handles[4], v), CAIRN_OK);
  cpp.set_velocity(bodies[1], {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(cairn_body_set_velocity(c.world, handles[1], v, w), CAIRN_OK);
  cpp.set_pose(bodies[8], {5, 4, 3}, {0, 1, 0, 0});
  const double there[3] = {5, 4, 3};
  const float turned[4] = {0, 1, 0, 0};
  EXPECT_EQ(cairn_body_set_pose(c.world, handles[8], there, turned), CAIRN_OK);
  double mass = 0, centre[3], moments[3], axes[4];
  EXPECT_EQ(cairn_body_mass_properties(c.world, handles[3], &mass, centre, moments, axes), CAIRN_OK);
  const MassProperties of = cpp.mass_properties(bodies[3]);
  EXPECT_TRUE(mass == of.mass && centre[0] == of.centre_of_mass.x && moments[1] == of.moments.y &&
              axes[3] == of.axes.w);
  EXPECT_EQ(cairn_body_mass_properties(c.world, handles[3], nullptr, nullptr, nullptr, nullptr), CAIRN_OK);
  const cairn_handle same = value_of(cairn_world_body_at, c.world, 0, cpp.index_of(bodies[3]));
  EXPECT_EQ(std::memcmp(&same, &handles[3], sizeof same), 0);
  Body light = cpp.description(bodies[4]);
  light.linear_damping = 0.5f;
  light.gravity_scale = -0.25f;
  light.user_data = 0x123456789abcdef0;
  cpp.set_body(bodies[4], light);
  auto changed = init(cairn_body_init);
  std::vector<cairn_shape> shapes(light.shapes.size(), init(cairn_shape_init));
  EXPECT_EQ(changed.gravity_scale, 1);
  ASSERT_EQ(cairn_body_describe(c.world, handles[4], 0, &changed, shapes.data(), shapes.size()), CAIRN_OK);
  changed.linear_damping = 0.5f;
  changed.gravity_scale = -0.25f;
  changed.user_data = light.user_data;
  EXPECT_EQ(cairn_body_set_body(c.world, handles[4], &changed), CAIRN_OK);
  ASSERT_EQ(cairn_body_describe(c.world, handles[4], 0, &changed, shapes.data(), shapes.size()), CAIRN_OK);
  EXPECT_EQ(changed.user_data, light.user_data);
  cpp.set_mass(bodies[2], 12);
  EXPECT_EQ(cairn_body_set_mass(c.world, handles[2], 12), CAIRN_OK);
  EXPECT_EQ(changed.enabled, 1);
  cpp.set_enabled(bodies[6], false);
  EXPECT_EQ(cairn_body_set_enabled(c.world, handles[6], 0), CAIRN_OK);
  ASSERT_EQ(cairn_body_describe(c.world, handles[6], 0, &changed, shapes.data(), shapes.size()), CAIRN_OK);
  EXPECT_EQ(changed.enabled, 0);
  cpp.set_type(bodies[5], BodyType::kKinematic);
  EXPECT_EQ(cairn_body_set_type(c.world, handles[5], CAIRN_KINEMATIC), CAIRN_OK);
  cpp.move_to(bodies[5], {5, 4, 3}, {0, 1, 0, 0}, 0.5f);
  EXPECT_EQ(cairn_body_move_to(c.world, handles[5], there, turned, 0.5f), CAIRN_OK);
  cpp.remove_body(bodies[6]);
  EXPECT_EQ(cairn_body_remove(c.world, handles[6]), CAIRN_OK);
  WorldLimits wanted;
  wanted.upper.z = 50;
  cpp.set_limits(wanted, 0);
  auto limits = init(cairn_limits_init), read = init(cairn_limits_init);
  limits.upper[2] = 50;
  EXPECT_EQ(cairn_world_set_limits(c.world, 0, &limits), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(cairn_world_limits(c.world, 0, &read), CAIRN_OK);
  EXPECT_EQ(std::memcmp(&read, &limits, sizeof read), 0);
  EXPECT_EQ(value_of(cairn_world_limits, c.world, 1).upper[2], WorldLimits{}.upper.z);
  EXPECT_EQ(value_of(cairn_body_alive, c.world, handles[6]), 0);
  auto shape = init(cairn_shape_init);
  shape.kind = CAIRN_CAPSULE;
  shape.size[0] = 0.2f;
  shape.size[1] = 0.4f;
  cairn_body body = body_of("late", &shape);
  body.mass = 3;
  body.position[2] = 9;
  Body late{.name = "late", .position = {0, 0, 9}, .shapes = {{.geometry = Capsule{0.2f, 0.4f}}}, .mass = 3.0f};
  cpp.add_body(late, 1);
  EXPECT_EQ(value_of(cairn_body_world, c.world, value_of(cairn_world_add_body, c.world, 1, &body)), 1u);
  EXPECT_TRUE(c.goes_on_as(cpp, 60));

  std::vector<BodyState> want = states(cpp);
  std::vector<cairn_state> got(want.size());
  ASSERT_EQ(cairn_world_read_states(c.world, CAIRN_ALL_WORLDS, got.data(), got.size()), CAIRN_OK);
  ASSERT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof got[0]), 0);
  for (std::size_t i = 1; i < got.size(); ++i) {
    if (cpp.description(cpp.bodies()[i]).type == BodyType::kStatic) continue;
    got[i].position[2] += 1;
    want[i].position.z += 1;
  }
  cpp.write_states(want);
  ASSERT_EQ(cairn_world_write_states(c.world, CAIRN_ALL_WORLDS, got.data(), got.size()), CAIRN_OK);
  const std::uint8_t mask[2] = {0, 1};
  cpp.reset(mask);
  EXPECT_EQ(cairn_world_reset_mask(c.world, mask, 2), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(cpp, 30));
  std::uint64_t hashes[2] = {};
  ASSERT_EQ(cairn_world_state_hashes(c.world, hashes, 2), CAIRN_OK);
  EXPECT_EQ((std::vector<std::uint64_t>{hashes[0], hashes[1]}), cpp.state_hashes());
}

TEST(CApi, cameras_are_those_of_the_scene) {
  Scene scene = tower(2);
  scene.add_camera({"still", {{0, -9, 2}, {0, 0, 1}, 40}, {}});
  scene.add_camera({"along", {{0, -9, 2}, {0, 0, 1}}, 1});
  Fixture c(scene);
  World cpp = World::copies(scene, 2, cpu());
  std::uint32_t index = 0;
  EXPECT_EQ(value_of(cairn_scene_camera_count, c.scene), 2u);
  EXPECT_EQ(value_of(cairn_scene_find_camera, c.scene, "along"), 1u);
  EXPECT_TRUE(fails(cairn_scene_find_camera(c.scene, "back", &index), "back"));
  auto camera = init(cairn_camera_init);
  EXPECT_TRUE(fails(cairn_scene_camera(c.scene, 2, &camera), "the scene has 2"));

  // added in C, a scene has those that C++ gave the other
  Fixture added(tower(2));
  for (std::uint32_t k = 0; k < 2; ++k) {
    camera = value_of(cairn_scene_camera, c.scene, k);
    EXPECT_EQ(value_of(cairn_scene_add_camera, added.scene, &camera), k);
  }
  EXPECT_EQ(parse_scene(text_of(added.scene), "C").cameras(), scene.cameras());

  cpp.set_velocity(cpp.body_at(1, 1), {3, 0, 0}, {});
  const float fast[3] = {3, 0, 0}, none[3] = {};
  ASSERT_EQ(cairn_body_set_velocity(c.world, c.bodies(1)[1], fast, none), CAIRN_OK) << cairn_last_error();
  EXPECT_TRUE(c.goes_on_as(cpp, 10));
  camera = value_of(cairn_camera_now, c.scene, 1, c.world, 1);
  const PictureCamera want = camera_now(scene.cameras()[1], scene, cpp, 1);
  EXPECT_GT(want.eye.x, 0.1);
  EXPECT_EQ((Vec3d{camera.eye[0], camera.eye[1], camera.eye[2]}), want.eye);
  EXPECT_EQ((Vec3d{camera.target[0], camera.target[1], camera.target[2]}), want.target);
  EXPECT_EQ(camera.field_of_view, want.field_of_view);
  EXPECT_STREQ(camera.name, "along");
}

TEST(CApi, parameters_and_materials_are_those_of_a_world) {
  const Scene scene = tower(3);
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  auto params = init(cairn_params_init);
  params.recycle_tolerance = 0;
  ASSERT_EQ(cairn_world_set_params(c.world, 1, &params), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(value_of(cairn_world_params, c.world, 0).recycle_tolerance, StepParams{}.recycle_tolerance);
  EXPECT_EQ(value_of(cairn_world_params, c.world, 1).recycle_tolerance, 0);
  params.substeps = 3;
  EXPECT_TRUE(fails(cairn_world_set_params(c.world, 1, &params), "substeps"));
  ASSERT_EQ(cairn_world_set_params(c.world, CAIRN_ALL_WORLDS, &params), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(value_of(cairn_world_params, c.world, 0).substeps, 3);

  auto ice = init(cairn_material_init);
  ice.name = "ice";
  ice.friction = 0.03f;
  EXPECT_EQ(ice.poisson_ratio, Material{}.poisson_ratio);
  ice.young_modulus = 9e9f;
  ice.poisson_ratio = 0.33f;
  const std::uint32_t at = value_of(cairn_world_add_material, c.world, 1, &ice);
  const std::uint32_t count = value_of(cairn_world_material_count, c.world, 1);
  EXPECT_EQ(count, cpp.materials(1).size() + 1);
  EXPECT_EQ(at, count - 1);
  cairn_material read = value_of(cairn_world_material, c.world, 1, at);
  EXPECT_STREQ(read.name, "ice");
  EXPECT_EQ(read.friction, 0.03f);
  EXPECT_EQ(read.young_modulus, 9e9f);
  EXPECT_EQ(read.poisson_ratio, 0.33f);
  EXPECT_TRUE(fails(cairn_world_material(c.world, 1, count, &read), "material 2"));
  ice.friction = 0.5f;
  ASSERT_EQ(cairn_world_set_material(c.world, 1, at, &ice), CAIRN_OK);
  EXPECT_EQ(value_of(cairn_world_material, c.world, 1, at).friction, 0.5f);
  char name[8] = "";
  EXPECT_EQ(value_of(cairn_world_device, c.world, name, sizeof name), 1);
  EXPECT_STREQ(name, "cpu");
}

TEST(CApi, a_body_that_is_described_and_added_again_is_the_same) {
  Scene scene = worlds_of_all_kinds()[1];
  Body pill{.name = "pill",
            .type = BodyType::kKinematic,
            .position = {1, 2, 3},
            .orientation = {0, 0, 1, 0},
            .linear_velocity = {4, 5, 6},
            .angular_velocity = {7, 8, 9},
            .shapes = {shape(Capsule{0.2f, 0.4f}, {0.1f, 0.2f, 0.3f}, {1, 0, 0, 0})},
            .linear_damping = 0.1f,
            .angular_damping = 0.2f};
  scene.add_body(pill);
  Body ball{.name = "ball", .shapes = {shape(Sphere{0.3f})}, .mass = 2.0f, .inertia = Inertia{{1, 2, 2.5f}}};
  scene.add_body(ball);
  World cpp(scene, cpu());
  Fixture c(scene, 1);
  auto scales = init(cairn_scales_init);
  scales.size = 2;
  cpp.scales().set({.size = 2}, 0);
  ASSERT_EQ(cairn_world_set_scales(c.world, 0, &scales), CAIRN_OK);
  cairn_scene* copies[2] = {};
  for (std::int32_t scaled : {0, 1}) {
    ASSERT_EQ(cairn_scene_create(&copies[scaled]), CAIRN_OK);
    Scene want;
    for (const BodyHandle b : cpp.bodies()) {
      auto body = init(cairn_body_init);
      const cairn_handle h{b.index, b.generation};
      ASSERT_EQ(cairn_body_describe(c.world, h, scaled, &body, nullptr, 0), CAIRN_OK) << cairn_last_error();
      EXPECT_EQ(body.shapes, nullptr);
      std::vector<cairn_shape> shapes(body.shape_count, init(cairn_shape_init));
      ASSERT_EQ(cairn_body_describe(c.world, h, scaled, &body, shapes.data(), shapes.size()), CAIRN_OK);
      EXPECT_EQ(body.shapes, shapes.data());
      ASSERT_EQ(cairn_scene_add_body(copies[scaled], &body, nullptr), CAIRN_OK) << cairn_last_error();
      want.add_body(scaled != 0 ? cpp.scales().description(b) : cpp.description(b));
    }
    EXPECT_EQ(text_of(copies[scaled]), scene_to_json(want));
    cairn_scene_destroy(copies[scaled]);
  }
}

}  // namespace
}  // namespace cairn::c_api_test
