// Arrays on the world's device.

#include "cairn/device_arrays.h"
#include "src/c_api/structs.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {

static_assert(CAIRN_UINT8 == static_cast<int>(ElementType::kUint8) &&
              CAIRN_FLOAT64 == static_cast<int>(ElementType::kFloat64));

template <>
cairn_array defaults() {
  cairn_array c{};
  c.struct_size = sizeof c;
  c.element = CAIRN_FLOAT32;
  c.rank = 2;
  c.cuda_device = -1;
  c.writable = 1;
  return c;
}

template <>
cairn_articulation_joint_arrays defaults() {
  return {.struct_size = sizeof(cairn_articulation_joint_arrays)};
}
template <>
cairn_joint_arrays defaults() {
  return {.struct_size = sizeof(cairn_joint_arrays)};
}

ArrayView view_of(const cairn_array* given, const char* name) {
  if (given == nullptr) return {};
  const cairn_array c = read<cairn_array>(given, name);
  if (c.element < CAIRN_UINT8 || c.element > CAIRN_FLOAT64 || c.rank < 1 || c.rank > 3) {
    throw InvalidArgument(std::string(name) + ": element must be a cairn_element and rank within 1..3, are " +
                          std::to_string(c.element) + " and " + std::to_string(c.rank));
  }
  ArrayView view;
  view.data = c.data;
  view.type = static_cast<ElementType>(c.element);
  view.rank = c.rank;
  std::copy(c.shape, c.shape + 3, view.shape.begin());
  std::copy(c.strides, c.strides + 3, view.strides.begin());
  view.device = c.cuda_device < 0 ? Device::cpu() : Device::cuda(c.cuda_device);
  view.writable = c.writable != 0;
  return view;
}

namespace {

ArticulationJointArrays joint_arrays_of(const cairn_articulation_joint_arrays* given) {
  const auto c = read<cairn_articulation_joint_arrays>(given, "cairn_articulation_joint_arrays");
  ArticulationJointArrays arrays;
  each_attribute<ArticulationJointArrays>([&]<auto kMember>(const Attribute<kMember>& a) {
    const std::string name = "cairn_articulation_joint_arrays." + std::string(a.name());
    arrays.*kMember = view_of(twin_in<kMember>(c), name.c_str());
  });
  return arrays;
}

JointArrays joint_arrays_of(const cairn_joint_arrays* given) {
  const cairn_joint_arrays c = read<cairn_joint_arrays>(given, "cairn_joint_arrays");
  return {view_of(c.coordinate, "cairn_joint_arrays.coordinate"),
          view_of(c.force, "cairn_joint_arrays.force"),
          view_of(c.torque, "cairn_joint_arrays.torque"),
          view_of(c.drive_target, "cairn_joint_arrays.drive_target"),
          view_of(c.drive_rate, "cairn_joint_arrays.drive_rate"),
          view_of(c.drive_force, "cairn_joint_arrays.drive_force"),
          view_of(c.drive_stiffness, "cairn_joint_arrays.drive_stiffness"),
          view_of(c.drive_damping, "cairn_joint_arrays.drive_damping")};
}

cairn_array of(const NamedArray& a) {
  cairn_array c = defaults<cairn_array>();
  c.element = static_cast<std::int32_t>(a.view.type);
  // they are literals, and end with 0
  c.name = a.name.data();
  c.unit = a.unit.data();
  c.rows = a.rows.data();
  c.meaning = a.meaning.data();
  c.data = a.view.data;
  c.rank = a.view.rank;
  c.cuda_device = a.view.device.kind == Device::Kind::kCpu ? -1 : a.view.device.index;
  c.writable = a.view.writable ? 1 : 0;
  std::copy(a.view.shape.begin(), a.view.shape.end(), c.shape);
  std::copy(a.view.strides.begin(), a.view.strides.end(), c.strides);
  return c;
}

/// The array of the name; throws if there is none.
NamedArray named(const World& world, const char* name) {
  require("name", name);
  (void)world.arrays().get(name);
  const std::vector<NamedArray> all = world.arrays().list();
  return *std::ranges::find(all, std::string_view(name), &NamedArray::name);
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_array_init(cairn_array* to, size_t size) { initialise(to, size, defaults<cairn_array>()); }

cairn_result cairn_world_array_count(const cairn_world* world, uint32_t* count) {
  return guarded([&] {
    require("world, count", world, count);
    *count = static_cast<std::uint32_t>(world->world->arrays().list().size());
  });
}

cairn_result cairn_world_array_at(const cairn_world* world, uint32_t index, cairn_array* array) {
  return guarded([&] {
    require("world", world);
    const std::vector<cairn::NamedArray> all = world->world->arrays().list();
    if (index >= all.size()) {
      throw cairn::InvalidArgument("array " + std::to_string(index) + ": there are " + std::to_string(all.size()));
    }
    write(array, of(all[index]), "array");
  });
}

cairn_result cairn_world_array(const cairn_world* world, const char* name, cairn_array* array) {
  return guarded([&] {
    require("world", world);
    write(array, of(named(*world->world, name)), "array");
  });
}

cairn_result cairn_world_array_dlpack(const cairn_world* world, const char* name,
                                      struct DLManagedTensorVersioned** tensor) {
  return guarded([&] {
    require("world, name, tensor", world, name, tensor);
    *tensor = cairn::to_dlpack(world->world->arrays().get(name), world->world);
  });
}

cairn_result cairn_world_stream(const cairn_world* world, void** stream) {
  return guarded([&] {
    require("world, stream", world, stream);
    *stream = world->world->arrays().stream();
  });
}

cairn_result cairn_world_wait_stream(cairn_world* world, void* stream) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().wait_stream(stream);
  });
}

cairn_result cairn_world_stream_waits(const cairn_world* world, void* stream) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().stream_waits(stream);
  });
}

cairn_result cairn_world_written(cairn_world* world, cairn_written what, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    if (what < CAIRN_LOADS || what > CAIRN_POSES) {
      throw cairn::InvalidArgument("what must be a cairn_written, is " + std::to_string(static_cast<int>(what)));
    }
    world->world->arrays().written(static_cast<cairn::Written>(what), mask);
  });
}

cairn_result cairn_world_get_states(const cairn_world* world, const cairn_array* position,
                                    const cairn_array* orientation, const cairn_array* linear_velocity,
                                    const cairn_array* angular_velocity, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().get_states(
        {view_of(position, "position"), view_of(orientation, "orientation"),
         view_of(linear_velocity, "linear_velocity"), view_of(angular_velocity, "angular_velocity")},
        mask);
  });
}

cairn_result cairn_world_set_states(cairn_world* world, const cairn_array* position, const cairn_array* orientation,
                                    const cairn_array* linear_velocity, const cairn_array* angular_velocity,
                                    const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().set_states(
        {view_of(position, "position"), view_of(orientation, "orientation"),
         view_of(linear_velocity, "linear_velocity"), view_of(angular_velocity, "angular_velocity")},
        mask);
  });
}

cairn_result cairn_world_move_to(cairn_world* world, const cairn_array* position, const cairn_array* orientation,
                                 float dt, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().move_to({view_of(position, "position"), view_of(orientation, "orientation"), {}, {}}, dt,
                                   mask);
  });
}

cairn_result cairn_world_set_all_scales(cairn_world* world, const cairn_array* of_worlds, const cairn_array* of_bodies,
                                        const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().set_scales({view_of(of_worlds, "of_worlds"), view_of(of_bodies, "of_bodies")}, mask);
  });
}

cairn_result cairn_world_articulation_rows(const cairn_world* world, uint32_t* rows, uint32_t* coordinates,
                                           uint32_t* rates) {
  return guarded([&] {
    require("world, rows, coordinates, rates", world, rows, coordinates, rates);
    const cairn::ArticulationRows of = world->world->arrays().articulation_rows();
    *rows = of.rows;
    *coordinates = of.coordinates;
    *rates = of.rates;
  });
}

cairn_result cairn_world_get_articulations(const cairn_world* world, const cairn_array* q, const cairn_array* v,
                                           const cairn_array* force, const cairn_array* target,
                                           const cairn_array* target_rate, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().get_articulations({view_of(q, "q"), view_of(v, "v"), view_of(force, "force"),
                                              view_of(target, "target"), view_of(target_rate, "target_rate")},
                                             mask);
  });
}

cairn_result cairn_world_set_articulations(cairn_world* world, const cairn_array* q, const cairn_array* v,
                                           const cairn_array* force, const cairn_array* target,
                                           const cairn_array* target_rate, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().set_articulations({view_of(q, "q"), view_of(v, "v"), view_of(force, "force"),
                                              view_of(target, "target"), view_of(target_rate, "target_rate")},
                                             mask);
  });
}

void cairn_articulation_joint_arrays_init(cairn_articulation_joint_arrays* arrays, size_t size) {
  initialise(arrays, size, defaults<cairn_articulation_joint_arrays>());
}

cairn_result cairn_world_get_articulation_joints(const cairn_world* world, const cairn_articulation_joint_arrays* to,
                                                 const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().get_articulation_joints(joint_arrays_of(to), mask);
  });
}

cairn_result cairn_world_set_articulation_joints(cairn_world* world, const cairn_articulation_joint_arrays* from,
                                                 const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().set_articulation_joints(joint_arrays_of(from), mask);
  });
}

void cairn_joint_arrays_init(cairn_joint_arrays* arrays, size_t size) {
  initialise(arrays, size, defaults<cairn_joint_arrays>());
}

cairn_result cairn_world_get_joints(const cairn_world* world, const cairn_joint_arrays* to, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().get_joints(joint_arrays_of(to), mask);
  });
}

cairn_result cairn_world_set_joints(cairn_world* world, const cairn_joint_arrays* from, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().set_joints(joint_arrays_of(from), mask);
  });
}

cairn_result cairn_world_reset_where(cairn_world* world, const uint8_t* mask) {
  return guarded([&] {
    require("world", world);
    world->world->arrays().reset(mask);
  });
}
