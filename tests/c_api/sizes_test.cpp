// A struct of another header has one of the sizes that such a struct can have, or is refused; whatever its size,
// nothing past it is looked at, and no member of which it has a part.

#include <set>

#include <sys/mman.h>
#include <unistd.h>

#include "cairn/world_articulations.h"
#include "tests/c_api/particles_in_c.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

/// Bytes that end where memory ends: who reads or writes on is stopped at once.
class AtEnd {
 public:
  AtEnd() {
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* const both = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) throw std::bad_alloc();
    start_ = static_cast<unsigned char*>(both);
    mprotect(start_ + page_, page_, PROT_NONE);
  }
  ~AtEnd() { munmap(start_, 2 * page_); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  unsigned char* last(std::size_t size) const { return start_ + page_ - size; }

 private:
  unsigned char* start_;
  std::size_t page_;
};

/// Sizes that a T may have: those of the structs that end with each of its members, found by the compiler that makes
/// them. The ends of members themselves count too.
template <class T>
std::set<std::size_t>& legal_sizes() {
  static std::set<std::size_t> sizes;
  return sizes;
}
std::set<std::string> with_a_size;
struct List {
  template <class T>
  static bool add(const char* name, std::initializer_list<std::pair<std::size_t, std::size_t>> ends) {
    std::size_t alignment = 1;
    for (const auto& [end, of_member] : ends) {
      alignment = std::max(alignment, of_member);
      legal_sizes<T>().insert(end);
      legal_sizes<T>().insert((end + alignment - 1) / alignment * alignment);
    }
    return with_a_size.insert(name).second;
  }
};
#define CAIRN_MEMBER(T, m) \
  { offsetof(T, m) + sizeof(T::m), alignof(decltype(T::m)) }
#define CAIRN_STRUCT(T, ...) const bool known_##T = List::add<T>(#T, {__VA_ARGS__});
#define CAIRN_PART(T, ...)
#include "struct_members.inc"
#undef CAIRN_PART
#undef CAIRN_STRUCT
#undef CAIRN_MEMBER

std::set<std::string> tried_sizes;

/// Calls f(at) with the struct cut to each size, and grown. It must be taken where a header may have had it, if it is
/// `given` to the library.
template <class T, class F>
void try_sizes(const char* name, const T& whole, const F& f) {
  tried_sizes.insert(name);
  const AtEnd memory;
  for (std::size_t size = 0; size <= sizeof whole + 16; ++size) {
    // the size itself is always there
    const std::size_t there = std::max(size, sizeof whole.struct_size);
    unsigned char* const at = memory.last(there);
    std::memset(at, 0, there);
    std::memcpy(at, &whole, std::min(there, sizeof whole));
    const auto told = static_cast<std::uint32_t>(size);
    std::memcpy(at, &told, sizeof told);
    const cairn_result got = f(reinterpret_cast<T*>(at));
    const bool refused = got == CAIRN_INVALID_ARGUMENT &&
                         std::strstr(cairn_last_error(), (std::string(name) + ".struct_size").c_str()) != nullptr;
    const bool legal = size > sizeof whole || legal_sizes<T>().contains(size);
    EXPECT_EQ(refused, !legal) << name << ", size " << size << ": " << cairn_last_error();
  }
}
#define TRY_SIZES(T, whole, ...) try_sizes<T>(#T, whole, __VA_ARGS__)

TEST(CApiSizes, that_end_within_a_member_are_refused_and_all_others_taken) {
  Scene with = tower(2);
  with.add_articulation(hinged());
  Fixture c(with, 1);
  const std::vector<cairn_handle> bodies = c.bodies();
  const cairn_handle arm = c.articulations()[0];
  int names = 0;
  std::string name;
  const auto next_name = [&] { return (name = "n" + std::to_string(++names)).c_str(); };

  TRY_SIZES(cairn_params, init(cairn_params_init), [&](auto* p) { return cairn_scene_set_params(c.scene, p); });
  TRY_SIZES(cairn_limits, init(cairn_limits_init), [&](auto* p) { return cairn_scene_set_limits(c.scene, p); });
  TRY_SIZES(cairn_scales, init(cairn_scales_init), [&](auto* p) { return cairn_world_scales(c.world, 0, p); });
  TRY_SIZES(cairn_body_scales, init(cairn_body_scales_init),
            [&](auto* p) { return cairn_body_get_scales(c.world, bodies[1], p); });
  const std::uint8_t none[1] = {0};
  TRY_SIZES(cairn_randomisation, init(cairn_randomisation_init),
            [&](auto* p) { return cairn_world_randomise(c.world, none, 1, p); });

  auto material = init(cairn_material_init);
  TRY_SIZES(cairn_material, material, [&](cairn_material* p) {
    // a pointer that isn't whole must not be followed: the half that is there leads nowhere
    const char* const text = next_name();
    std::memcpy(reinterpret_cast<unsigned char*>(p) + offsetof(cairn_material, name), &text,
                p->struct_size < offsetof(cairn_material, name)
                    ? 0
                    : std::min<std::size_t>(sizeof text, p->struct_size - offsetof(cairn_material, name)));
    return cairn_scene_add_material(c.scene, p, nullptr);
  });
  auto camera = init(cairn_camera_init);
  camera.name = "camera";
  camera.target[2] = 1;
  ASSERT_EQ(cairn_scene_add_camera(c.scene, &camera, nullptr), CAIRN_OK) << cairn_last_error();
  TRY_SIZES(cairn_camera, camera, [&](auto* p) { return cairn_scene_camera(c.scene, 0, p); });
  auto body = init(cairn_body_init);
  body.type = CAIRN_STATIC;
  const auto shape = init(cairn_shape_init);
  TRY_SIZES(cairn_shape, shape, [&](const cairn_shape* p) {
    body.name = next_name();
    body.shapes = p;
    body.shape_count = 1;
    return cairn_scene_add_body(c.scene, &body, nullptr);
  });
  body.name = name.c_str();
  body.shape_count = 0;
  TRY_SIZES(cairn_body, body, [&](auto* p) { return cairn_body_describe(c.world, bodies[1], 0, p, nullptr, 0); });
  TRY_SIZES(cairn_joint, init(cairn_joint_init), [&](auto* p) { return cairn_scene_add_joint(c.scene, p, nullptr); });
  auto joint = init(cairn_joint_init);
  joint.name = "joint";
  joint.body_b = 1;
  const cairn_handle j = value_of(cairn_world_add_joint, c.world, 0, &joint);
  TRY_SIZES(cairn_joint_state, cairn_joint_state{}, [&](auto* p) { return cairn_joint_state_of(c.world, j, p); });
  auto articulation = init(cairn_articulation_init);
  TRY_SIZES(cairn_link, init(cairn_link_init), [&](const cairn_link* p) {
    articulation.name = "a";
    articulation.links = p;
    articulation.link_count = 1;
    return cairn_scene_add_articulation(c.scene, &articulation, nullptr, 0, nullptr, 0, nullptr);
  });
  auto coupled_link = init(cairn_link_init);
  coupled_link.name = "l";
  coupled_link.joint = CAIRN_LINK_REVOLUTE;
  coupled_link.mass = 1;
  for (float& moment : coupled_link.inertia) moment = 1;
  auto touches = init(cairn_shape_init);
  coupled_link.shapes = &touches;
  coupled_link.shape_count = 1;
  auto coupled = init(cairn_articulation_init);
  coupled.name = "coupled";
  coupled.links = &coupled_link;
  coupled.link_count = 1;
  auto term = init(cairn_coupling_term_init);
  auto coupling = init(cairn_coupling_init);
  coupling.name = "c";
  coupling.terms = &term;
  coupling.term_count = 1;
  coupled.couplings = &coupling;
  coupled.coupling_count = 1;
  const cairn_handle of_coupling = value_of(cairn_world_add_articulation, c.world, 0, &coupled, nullptr, 0, nullptr, 0);
  TRY_SIZES(cairn_coupling, init(cairn_coupling_init),
            [&](auto* p) { return cairn_coupling_describe(c.world, of_coupling, 0, p); });
  TRY_SIZES(cairn_coupling_term, init(cairn_coupling_term_init),
            [&](auto* p) { return cairn_coupling_term_describe(c.world, of_coupling, 0, 0, p); });
  TRY_SIZES(cairn_articulation, init(cairn_articulation_init),
            [&](auto* p) { return cairn_articulation_describe(c.world, arm, p); });
  const ParticleSet pair{.name = "pair", .positions = {{9, 0, 1}, {9, 0, 2}}, .constraints = {{.particles = {0, 1}}}};
  SetInC given(pair);
  const cairn_handle set = value_of(cairn_world_add_particles, c.world, 0, given.get());
  TRY_SIZES(cairn_particle_set, init(cairn_particle_set_init),
            [&](auto* p) { return cairn_particles_describe(c.world, set, p, nullptr, 0, nullptr, 0); });
  TRY_SIZES(cairn_constraint_group, init(cairn_constraint_group_init), [&](auto* p) {
    given.set.constraints = p;
    return cairn_scene_add_particles(c.scene, given.get(), nullptr);
  });
  given.hold();
  TRY_SIZES(cairn_attachment, init(cairn_attachment_init), [&](auto* p) {
    given.set.attachments = p;
    given.set.attachment_count = 1;
    return cairn_scene_add_particles(c.scene, given.get(), nullptr);
  });
  TRY_SIZES(cairn_constraint_residual, cairn_constraint_residual{},
            [&](auto* p) { return cairn_world_constraint_residual(c.world, 0, p); });
  auto field = init(cairn_field_init);
  TRY_SIZES(cairn_field, field, [&](auto* p) { return cairn_world_set_fields(c.world, 0, p, 1); });
  field.kind = CAIRN_SPRINGS_FIELD;
  field.spring_count = 1;
  TRY_SIZES(cairn_spring, init(cairn_spring_init), [&](auto* p) {
    field.springs = p;
    return cairn_world_set_fields(c.world, 0, &field, 1);
  });
  const double point[3] = {};
  cairn_drag* drag = nullptr;
  // a static body, and one point: none is made
  TRY_SIZES(cairn_drag_params, init(cairn_drag_params_init),
            [&](auto* p) { return cairn_drag_create(c.world, bodies[0], point, p, &drag); });
  cairn_muscle* muscle = nullptr;
  const cairn_muscle_point path[1] = {};
  TRY_SIZES(cairn_muscle_params, init(cairn_muscle_params_init),
            [&](auto* p) { return cairn_muscle_create(c.world, path, 1, p, &muscle); });
  TRY_SIZES(cairn_world_options, init(cairn_world_options_init), [&](auto* p) {
    std::uint64_t bytes = 0;
    return cairn_estimate_memory(c.scene, 1, p, &bytes);
  });
  TRY_SIZES(cairn_report, cairn_report{}, [&](auto* p) { return cairn_world_get_report(c.world, p); });
  TRY_SIZES(cairn_world_report, cairn_world_report{},
            [&](auto* p) { return cairn_world_get_world_report(c.world, 0, p); });
  TRY_SIZES(cairn_residual, cairn_residual{}, [&](auto* p) { return cairn_world_residual(c.world, 0, p); });
  TRY_SIZES(cairn_array, init(cairn_array_init), [&](auto* p) { return cairn_world_array(c.world, "position", p); });
  cairn_hit hit;
  const auto query = init(cairn_query_init);
  const auto from = init(cairn_query_arrays_init);
  const auto to = init(cairn_hit_arrays_init);
  TRY_SIZES(cairn_query, query, [&](auto* p) { return cairn_world_query(c.world, CAIRN_CAST, p, 1, &hit); });
  const auto joints = init(cairn_joint_arrays_init);
  TRY_SIZES(cairn_joint_arrays, joints, [&](auto* p) { return cairn_world_get_joints(c.world, p, nullptr); });
  TRY_SIZES(cairn_material_arrays, init(cairn_material_arrays_init),
            [&](auto* p) { return cairn_world_get_materials(c.world, p, nullptr); });
  TRY_SIZES(cairn_articulation_joint_arrays, init(cairn_articulation_joint_arrays_init),
            [&](auto* p) { return cairn_world_get_articulation_joints(c.world, p, nullptr); });
  TRY_SIZES(cairn_query_arrays, from,
            [&](auto* p) { return cairn_world_query_arrays(c.world, CAIRN_CAST, &query, p, &to); });
  TRY_SIZES(cairn_hit_arrays, to,
            [&](auto* p) { return cairn_world_query_arrays(c.world, CAIRN_CAST, &query, &from, p); });
  ASSERT_EQ(cairn_world_start_recording(c.world), CAIRN_OK);
  cairn_recording* const recording = value_of(cairn_world_stop_recording, c.world);
  TRY_SIZES(cairn_replay, cairn_replay{},
            [&](auto* p) { return cairn_recording_replay(recording, nullptr, p, nullptr, 0); });
  cairn_recording_destroy(recording);

  const auto sense = [&](const cairn_sensor_set* sensed) {
    cairn_sensors* sensors = nullptr;
    const cairn_result got = cairn_sensors_create(c.world, sensed, &sensors);
    cairn_sensors_destroy(sensors);
    return got;
  };
  TRY_SIZES(cairn_sensor_set, init(cairn_sensor_set_init), sense);
  const auto sense_one = [&]<class T>(const T* cairn_sensor_set::*list, std::uint32_t cairn_sensor_set::*list_count) {
    return [&sense, list, list_count](const T* one) {
      auto sensed = init(cairn_sensor_set_init);
      sensed.*list = one;
      sensed.*list_count = 1;
      return sense(&sensed);
    };
  };
  using Set = cairn_sensor_set;
  TRY_SIZES(cairn_frame_sensor, init(cairn_frame_sensor_init), sense_one(&Set::frames, &Set::frame_count));
  TRY_SIZES(cairn_imu_sensor, init(cairn_imu_sensor_init), sense_one(&Set::imus, &Set::imu_count));
  TRY_SIZES(cairn_contact_sensor, init(cairn_contact_sensor_init), sense_one(&Set::contacts, &Set::contact_count));
  TRY_SIZES(cairn_joint_sensor, init(cairn_joint_sensor_init), sense_one(&Set::joints, &Set::joint_count));
  TRY_SIZES(cairn_ray_scan, init(cairn_ray_scan_init), sense_one(&Set::scans, &Set::scan_count));
  TRY_SIZES(cairn_camera_sensor, init(cairn_camera_sensor_init), sense_one(&Set::cameras, &Set::camera_count));

  EXPECT_EQ(tried_sizes, with_a_size) << "each struct that has a size is tried";
}

TEST(CApiSizes, of_all_elements_of_an_array_are_one) {
  Fixture c(tower(2), 1);
  std::vector<cairn_shape> shapes(3, init(cairn_shape_init));
  cairn_body body = body_of("b", shapes.data(), shapes.size());
  body.type = CAIRN_STATIC;
  // one that is good alone, and no stride
  shapes[2].struct_size = offsetof(cairn_shape, radius);
  EXPECT_TRUE(fails(cairn_scene_add_body(c.scene, &body, nullptr), "in element 2"));
  shapes[2].struct_size = 0xffffff00u;
  EXPECT_TRUE(fails(cairn_scene_add_body(c.scene, &body, nullptr), "cairn_shape.struct_size"));
  shapes[2].struct_size = sizeof(cairn_shape);
  EXPECT_EQ(cairn_scene_add_body(c.scene, &body, nullptr), CAIRN_OK) << cairn_last_error();

  std::vector<cairn_query> queries(2, init(cairn_query_init));
  std::vector<cairn_hit> hits(2);
  queries[1].struct_size = offsetof(cairn_query, category);
  EXPECT_TRUE(fails(cairn_world_query(c.world, CAIRN_CAST, queries.data(), 2, hits.data()), "in element 1"));
}

}  // namespace
}  // namespace cairn::c_api_test
