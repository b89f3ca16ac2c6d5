// The C interface gives what the C++ interface gives, and lets no exception through.

#include <cstring>

#include "cairn/cairn_c.h"
#include "src/interop/dlpack.h"
#include "tests/c_api/in_c.h"
#include "tests/interop/arrays.h"

namespace cairn {
namespace {

using namespace testing_support;  // NOLINT

template <class T>
T init(void (*fill)(T*, std::size_t)) {
  T made;
  fill(&made, sizeof made);
  return made;
}

/// A scene of C++ through its text, and a world of it.
struct Fixture {
  explicit Fixture(const Scene& of, std::uint32_t worlds = 2) {
    const std::string json = scene_to_json(of);
    EXPECT_EQ(cairn_scene_parse(json.data(), json.size(), "test", &scene), CAIRN_OK) << cairn_last_error();
    auto options = init(cairn_world_options_init);
    options.threads = 1;
    EXPECT_EQ(cairn_world_create_copies(scene, worlds, &options, &world), CAIRN_OK) << cairn_last_error();
  }
  ~Fixture() {
    cairn_scene_destroy(scene);
    cairn_world_destroy(world);
  }
  std::uint64_t hash() const {
    std::uint64_t h = 0;
    EXPECT_EQ(cairn_world_state_hash(world, &h), CAIRN_OK);
    return h;
  }
  cairn_scene* scene{nullptr};
  cairn_world* world{nullptr};
};

::testing::AssertionResult fails(cairn_result got, cairn_result want, const char* word) {
  if (got == want && std::strstr(cairn_last_error(), word) != nullptr) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "result " << got << ", reason: " << cairn_last_error();
}

TEST(CApi, c_code_builds_a_tower_and_steps_it_to_the_same_bits) {
  // the scene that tests/c_api/in_c.c builds
  Scene scene;
  scene.add_material({.name = "stone", .density = 1000});
  scene.add_body(plane());
  for (int i = 0; i < 10; ++i) {
    Body b = box("box" + std::to_string(i), {0, 0, 0.5 + i});
    b.density.reset();
    scene.add_body(b);
  }
  World world(scene, cpu());
  run(world, 100);
  EXPECT_EQ(tower_hash_in_c(10, 100), world.state_hash());
}

TEST(CApi, versions_and_devices_are_those_of_the_library) {
  EXPECT_EQ(cairn_c_version(), CAIRN_C_VERSION);
  EXPECT_STREQ(cairn_version(), kVersion);
  EXPECT_EQ(cairn_numerics_version(), kNumericsVersion);
  std::uint32_t count = 0;
  ASSERT_EQ(cairn_device_count(&count), CAIRN_OK);
  EXPECT_EQ(count, devices().size());
  char name[4] = "???", line[256] = "";
  ASSERT_EQ(cairn_device_info(0, name, 3, line, sizeof line), CAIRN_OK);
  EXPECT_STREQ(name, "cp");
  EXPECT_EQ(line, devices()[0].description);
  EXPECT_TRUE(fails(cairn_device_info(count, nullptr, 0, nullptr, 0), CAIRN_INVALID_ARGUMENT, "device"));
}

TEST(CApi, defaults_are_those_of_the_cpp_interface) {
  cairn_scene* scene = nullptr;
  ASSERT_EQ(cairn_scene_create(&scene), CAIRN_OK);
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
  cairn_scene_destroy(scene);
}

TEST(CApi, a_scene_goes_through_its_text) {
  const Scene scene = worlds_of_all_kinds()[1];
  Fixture c(scene);
  std::size_t length = 0;
  ASSERT_EQ(cairn_scene_to_json(c.scene, nullptr, 0, &length), CAIRN_OK);
  std::string text(length + 1, '?');
  ASSERT_EQ(cairn_scene_to_json(c.scene, text.data(), text.size(), &length), CAIRN_OK);
  text.pop_back();
  EXPECT_EQ(text, scene_to_json(scene));
  std::uint32_t count = 0, at = 0;
  ASSERT_EQ(cairn_scene_body_count(c.scene, &count), CAIRN_OK);
  EXPECT_EQ(count, scene.bodies().size());
  ASSERT_EQ(cairn_scene_find_body(c.scene, "body2", &at), CAIRN_OK);
  EXPECT_EQ(at, *scene.find_body("body2"));
  EXPECT_TRUE(fails(cairn_scene_find_body(c.scene, "nobody", &at), CAIRN_INVALID_ARGUMENT, "\"nobody\""));
  std::uint64_t bytes = 0;
  ASSERT_EQ(cairn_estimate_memory(c.scene, 7, &bytes), CAIRN_OK);
  EXPECT_EQ(bytes, estimate_memory(scene, 7));
}

TEST(CApi, a_world_takes_the_same_calls_to_the_same_bits) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  std::uint32_t count = 0;
  ASSERT_EQ(cairn_world_body_count(c.world, CAIRN_ALL_WORLDS, &count), CAIRN_OK);
  std::vector<cairn_handle> handles(count);
  ASSERT_EQ(cairn_world_bodies(c.world, CAIRN_ALL_WORLDS, handles.data(), count), CAIRN_OK);
  const std::vector<BodyHandle> bodies = cpp.bodies();
  ASSERT_EQ(bodies.size(), handles.size());
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ((BodyHandle{handles[i].index, handles[i].generation}), bodies[i]);
  const float g[3] = {0.5f, 0, -5}, force[3] = {0, 100, 5000}, v[3] = {1, 0, 0}, w[3] = {0, 1, 0};
  const double point[3] = {0.1, 0.2, 3};

  cpp.set_gravity({0.5f, 0, -5}, 1);
  EXPECT_EQ(cairn_world_set_gravity(c.world, 1, g), CAIRN_OK);
  run(cpp, 30);
  EXPECT_EQ(cairn_world_step(c.world, 30), CAIRN_OK);
  cpp.add_force(bodies[2], {0, 100, 5000});
  cpp.add_force_at(bodies[3], {0, 100, 5000}, {0.1, 0.2, 3});
  cpp.add_torque(bodies[4], {1, 0, 0});
  EXPECT_EQ(cairn_body_add_force(c.world, handles[2], force), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_force_at(c.world, handles[3], force, point), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_torque(c.world, handles[4], v), CAIRN_OK);
  cpp.step(0.01f);
  EXPECT_EQ(cairn_world_step_dt(c.world, 0.01f), CAIRN_OK);
  cpp.set_velocity(bodies[1], {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(cairn_body_set_velocity(c.world, handles[1], v, w), CAIRN_OK);
  cpp.set_mass(bodies[2], 12);
  EXPECT_EQ(cairn_body_set_mass(c.world, handles[2], 12), CAIRN_OK);
  cpp.set_type(bodies[5], BodyType::kKinematic);
  EXPECT_EQ(cairn_body_set_type(c.world, handles[5], CAIRN_KINEMATIC), CAIRN_OK);
  cpp.remove_body(bodies[6]);
  EXPECT_EQ(cairn_body_remove(c.world, handles[6]), CAIRN_OK);
  Limits wanted;
  wanted.upper.z = 50;
  cpp.set_limits(wanted, 0);
  auto limits = init(cairn_limits_init), read = init(cairn_limits_init);
  limits.upper[2] = 50;
  EXPECT_EQ(cairn_world_set_limits(c.world, 0, &limits), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(cairn_world_limits(c.world, 0, &read), CAIRN_OK);
  EXPECT_EQ(std::memcmp(&read, &limits, sizeof read), 0);
  EXPECT_EQ(cairn_world_limits(c.world, 1, &read), CAIRN_OK);
  EXPECT_EQ(read.upper[2], Limits{}.upper.z);
  std::int32_t alive = 7;
  EXPECT_EQ(cairn_body_alive(c.world, handles[6], &alive), CAIRN_OK);
  EXPECT_EQ(alive, 0);
  auto shape = init(cairn_shape_init);
  shape.kind = CAIRN_CAPSULE;
  shape.size[0] = 0.2f;
  shape.size[1] = 0.4f;
  auto body = init(cairn_body_init);
  body.name = "late";
  body.shapes = &shape;
  body.shape_count = 1;
  body.mass = 3;
  body.position[2] = 9;
  Body late{.name = "late", .position = {0, 0, 9}, .shapes = {{.geometry = Capsule{0.2f, 0.4f}}}, .mass = 3.0f};
  cpp.add_body(late, 1);
  cairn_handle added{};
  EXPECT_EQ(cairn_world_add_body(c.world, 1, &body, &added), CAIRN_OK) << cairn_last_error();
  std::uint32_t in = 9;
  EXPECT_EQ(cairn_body_world(c.world, added, &in), CAIRN_OK);
  EXPECT_EQ(in, 1u);
  run(cpp, 60);
  EXPECT_EQ(cairn_world_step(c.world, 60), CAIRN_OK);
  EXPECT_EQ(c.hash(), cpp.state_hash());

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
  run(cpp, 30);
  EXPECT_EQ(cairn_world_step(c.world, 30), CAIRN_OK);
  std::uint64_t hashes[2] = {};
  ASSERT_EQ(cairn_world_state_hashes(c.world, hashes, 2), CAIRN_OK);
  EXPECT_EQ((std::vector<std::uint64_t>{hashes[0], hashes[1]}), cpp.state_hashes());
}

TEST(CApi, reports_and_contacts_are_those_of_the_cpp_interface) {
  const Scene scene = worlds_of_all_kinds()[2];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  run(cpp, 90);
  ASSERT_EQ(cairn_world_step(c.world, 90), CAIRN_OK);
  cairn_report r;
  r.struct_size = sizeof r;
  ASSERT_EQ(cairn_world_get_report(c.world, &r), CAIRN_OK);
  const StepReport want = cpp.report();
  EXPECT_EQ(r.steps, want.steps);
  EXPECT_EQ(r.time, want.time);
  EXPECT_EQ(r.manifolds, want.manifolds);
  EXPECT_EQ(r.most_pairs, want.high_water.pairs);
  cairn_world_report one;
  one.struct_size = sizeof one;
  ASSERT_EQ(cairn_world_get_world_report(c.world, 1, &one), CAIRN_OK);
  EXPECT_EQ(one.steps, 90u);
  EXPECT_EQ(one.bodies, cpp.body_count(1));
  std::size_t count = 0;
  ASSERT_EQ(cairn_world_contacts(c.world, nullptr, 0, &count), CAIRN_OK);
  const std::vector<Contact> contacts = cpp.contacts();
  ASSERT_EQ(count, contacts.size());
  std::vector<cairn_contact> got(count);
  ASSERT_EQ(cairn_world_contacts(c.world, got.data(), count, &count), CAIRN_OK);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(got[i].a.index, contacts[i].a.index);
    EXPECT_EQ(got[i].normal[2], contacts[i].normal.z);
    EXPECT_EQ(got[i].count, static_cast<std::uint32_t>(contacts[i].count));
    EXPECT_EQ(got[i].points[0].position[1], contacts[i].points[0].position.y);
    EXPECT_EQ(got[i].points[0].impulse, contacts[i].points[0].impulse);
  }
}

TEST(CApi, arrays_tensors_and_states_on_the_device_are_those_of_the_cpp_interface) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  run(cpp, 40);
  ASSERT_EQ(cairn_world_step(c.world, 40), CAIRN_OK);
  std::uint32_t count = 0;
  ASSERT_EQ(cairn_world_array_count(c.world, &count), CAIRN_OK);
  ASSERT_EQ(count, cpp.arrays().size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const NamedArray want = cpp.arrays()[i];
    auto got = init(cairn_array_init), named = init(cairn_array_init);
    ASSERT_EQ(cairn_world_array_at(c.world, i, &got), CAIRN_OK);
    EXPECT_EQ(got.name, want.name);
    EXPECT_EQ(got.unit, want.unit);
    EXPECT_EQ(got.rank, want.view.rank);
    EXPECT_EQ(got.strides[0], want.view.strides[0]);
    ASSERT_EQ(cairn_world_array(c.world, got.name, &named), CAIRN_OK);
    EXPECT_EQ(named.data, got.data);
  }
  HostStates<double> host(disturbed(cpp));
  const auto n = static_cast<std::int64_t>(cpp.body_count());
  const auto array = [&](HostArray<double>& of, std::int64_t columns) {
    auto a = init(cairn_array_init);
    a.element = CAIRN_FLOAT64;
    a.data = of.data.data();
    a.shape[0] = n;
    a.shape[1] = a.strides[0] = columns;
    a.strides[1] = 1;
    return a;
  };
  const cairn_array x = array(host.position, 3), q = array(host.orientation, 4), v = array(host.linear, 3),
                    w = array(host.angular, 3);
  const std::uint8_t mask[2] = {1, 0};
  cpp.set_states(host.arrays(), mask);
  EXPECT_EQ(cairn_world_set_states(c.world, &x, &q, &v, &w, mask), CAIRN_OK) << cairn_last_error();
  cpp.reset_where(mask + 1);
  EXPECT_TRUE(fails(cairn_world_set_states(c.world, &x, nullptr, &v, &w, mask), CAIRN_INVALID_ARGUMENT, "together"));
  EXPECT_EQ(c.hash() == cpp.state_hash(), false);
  EXPECT_EQ(cairn_world_reset_where(c.world, mask + 1), CAIRN_OK);
  EXPECT_EQ(c.hash(), cpp.state_hash());
  HostStates<double> again(host.position.data.size() / 3);
  cpp.get_states(again.arrays());
  EXPECT_EQ(cairn_world_get_states(c.world, &x, &q, &v, &w, nullptr), CAIRN_OK);
  EXPECT_EQ(host, again);
  EXPECT_EQ(cairn_world_written(c.world, CAIRN_LOADS, nullptr), CAIRN_OK);

  DLManagedTensorVersioned* tensor = nullptr;
  ASSERT_EQ(cairn_world_array_dlpack(c.world, "linear_velocity", &tensor), CAIRN_OK);
  cairn_world_destroy(std::exchange(c.world, nullptr));
  EXPECT_EQ(tensor->dl_tensor.shape[0], n);
  EXPECT_EQ(std::memcmp(tensor->dl_tensor.data, cpp.array("linear_velocity").data,
                        static_cast<std::size_t>(n) * sizeof(Vec3)),
            0);
  tensor->deleter(tensor);
}

TEST(CApi, what_fails_says_why_and_leaves_everything_as_it_was) {
  Fixture c(tower(3));
  const std::uint64_t before = c.hash();
  cairn_world* none = nullptr;
  auto options = init(cairn_world_options_init);
  EXPECT_TRUE(fails(cairn_world_step(nullptr, 1), CAIRN_INVALID_ARGUMENT, "world must not be null"));
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 0, nullptr, &none), CAIRN_INVALID_ARGUMENT, "65535"));
  options.device = "abacus";
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 1, &options, &none), CAIRN_DEVICE, "abacus"));
  options = init(cairn_world_options_init);
  options.stream = &options;
  EXPECT_TRUE(fails(cairn_world_create_copies(c.scene, 1, &options, &none), CAIRN_INVALID_ARGUMENT, "stream"));
  EXPECT_EQ(none, nullptr);
  cairn_scene* scene = nullptr;
  EXPECT_TRUE(fails(cairn_scene_load("/no/such/file.json", &scene), CAIRN_SCENE_FILE, "/no/such/file.json"));
  EXPECT_TRUE(fails(cairn_scene_parse("{", 1, "here", &scene), CAIRN_SCENE_FILE, "here"));
  EXPECT_EQ(scene, nullptr);
  EXPECT_TRUE(fails(cairn_body_remove(c.world, {1, 99}), CAIRN_INVALID_ARGUMENT, "stale"));
  EXPECT_TRUE(fails(cairn_world_reset(c.world, 2), CAIRN_INVALID_ARGUMENT, "world 2"));
  EXPECT_TRUE(fails(cairn_world_read_states(c.world, 0, nullptr, 3), CAIRN_INVALID_ARGUMENT, "count must be 4"));
  auto body = init(cairn_body_init);
  EXPECT_TRUE(fails(cairn_world_add_body(c.world, 0, &body, nullptr), CAIRN_INVALID_ARGUMENT, "name"));
  body.name = "b";
  body.type = 9;
  EXPECT_TRUE(fails(cairn_world_add_body(c.world, 0, &body, nullptr), CAIRN_INVALID_ARGUMENT, "is 9"));
  options = init(cairn_world_options_init);
  options.threads = 1;
  options.capacity_pairs = 1;
  options.capacity_fixed = 1;
  ASSERT_EQ(cairn_world_create_copies(c.scene, 1, &options, &none), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_world_step(none, 1), CAIRN_CAPACITY, "fixed at 1"));
  cairn_world_destroy(none);
  cairn_world_destroy(nullptr);
  cairn_scene_destroy(nullptr);
  EXPECT_EQ(c.hash(), before);
}

TEST(CApi, structs_of_older_and_newer_headers_are_taken_for_what_they_are) {
  Fixture c(tower(2));
  // a header without the last two members
  struct Older {
    cairn_params params;
  };
  Older older;
  const std::size_t size = offsetof(cairn_params, sleep_speed);
  std::memset(&older, 0x55, sizeof older);
  cairn_params_init(&older.params, size);
  EXPECT_EQ(older.params.struct_size, size);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(&older);
  for (std::size_t i = size; i < sizeof older; ++i) EXPECT_EQ(bytes[i], 0x55) << i;
  EXPECT_EQ(cairn_world_set_params(c.world, &older.params), CAIRN_OK) << cairn_last_error();
  auto now = init(cairn_params_init);
  ASSERT_EQ(cairn_world_params(c.world, &now), CAIRN_OK);
  EXPECT_EQ(now.sleep_speed, StepParams{}.sleep_speed);
  EXPECT_EQ(cairn_world_params(c.world, &older.params), CAIRN_OK);
  for (std::size_t i = size; i < sizeof older; ++i) EXPECT_EQ(bytes[i], 0x55) << i;

  // a header with one more
  struct Newer {
    cairn_params params;
    std::uint32_t more;
  };
  Newer newer;
  cairn_params_init(&newer.params, sizeof newer);
  EXPECT_EQ(newer.more, 0u);
  EXPECT_EQ(cairn_world_set_params(c.world, &newer.params), CAIRN_OK) << cairn_last_error();
  newer.more = 1;
  EXPECT_TRUE(fails(cairn_world_set_params(c.world, &newer.params), CAIRN_INVALID_ARGUMENT, "struct_size"));
  newer.params.struct_size = 0;
  EXPECT_TRUE(fails(cairn_world_set_params(c.world, &newer.params), CAIRN_INVALID_ARGUMENT, "struct_size"));
}

}  // namespace
}  // namespace cairn
