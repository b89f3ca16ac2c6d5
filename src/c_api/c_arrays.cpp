// Arrays on the world's device.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

namespace cairn::c_api {

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

cairn_array array_in_c(const NamedArray& a) {
  cairn_array c = defaults<cairn_array>();
  c.element = static_cast<std::int32_t>(a.view.type);
  // literals, or strings of Sensors: null-terminated
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

namespace {

/// Makes a T of the user's arrays, one for each member in order; messages name them as the members.
template <Described T, class... A>
auto arrays_of(const A*... given) {
  return [=] {
    return attribute_list<T>().apply(
        [&](const auto&... member) { return T{view_of(given, std::string(member.name()).c_str())...}; });
  };
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::ArticulationArrays;
using cairn::DeviceArrays;
using cairn::StateArrays;
using cairn::World;

void cairn_array_init(cairn_array* to, size_t size) { initialise(to, size); }
void cairn_joint_arrays_init(cairn_joint_arrays* to, size_t size) { initialise(to, size); }
void cairn_material_arrays_init(cairn_material_arrays* to, size_t size) { initialise(to, size); }
void cairn_articulation_joint_arrays_init(cairn_articulation_joint_arrays* to, size_t size) { initialise(to, size); }

cairn_result cairn_world_array_count(const cairn_world* world, uint32_t* count) {
  return get(world, out("world, count", count), &DeviceArrays::list);
}
cairn_result cairn_world_array_at(const cairn_world* world, uint32_t index, cairn_array* array) {
  return get(world, out("array", array), [&](const World& w) { return array_at(w.arrays(), index); });
}
cairn_result cairn_world_array(const cairn_world* world, const char* name, cairn_array* array) {
  return get(world, out("array", array), [&](const World& w) { return array_of(w.arrays(), name); });
}
cairn_result cairn_world_array_dlpack(const cairn_world* world, const char* name,
                                      struct DLManagedTensorVersioned** tensor) {
  return get(world, out("world, name, tensor", tensor), [&](const World& w) {
    require("world, name, tensor", name);
    return cairn::to_dlpack(w.arrays().get(name), world->content);
  });
}

cairn_result cairn_world_stream(const cairn_world* world, void** stream) {
  return get(world, out("world, stream", stream), &DeviceArrays::stream);
}
cairn_result cairn_world_wait_stream(cairn_world* world, void* stream) {
  return call(world, &DeviceArrays::wait_stream, stream);
}
cairn_result cairn_world_stream_waits(const cairn_world* world, void* stream) {
  return call(world, &DeviceArrays::stream_waits, stream);
}
cairn_result cairn_world_written(cairn_world* world, cairn_written what, const uint8_t* mask) {
  return call(world, [&](World& w) {
    if (what < CAIRN_LOADS || what > CAIRN_POSES) {
      throw cairn::InvalidArgument("what must be a cairn_written, is " + std::to_string(static_cast<int>(what)));
    }
    w.arrays().written(static_cast<cairn::Written>(what), mask);
  });
}

cairn_result cairn_world_get_states(const cairn_world* world, const cairn_array* position,
                                    const cairn_array* orientation, const cairn_array* linear_velocity,
                                    const cairn_array* angular_velocity, const uint8_t* mask) {
  return call(world, &DeviceArrays::get_states,
              arrays_of<StateArrays>(position, orientation, linear_velocity, angular_velocity), mask);
}
cairn_result cairn_world_set_states(cairn_world* world, const cairn_array* position, const cairn_array* orientation,
                                    const cairn_array* linear_velocity, const cairn_array* angular_velocity,
                                    const uint8_t* mask) {
  return call(world, &DeviceArrays::set_states,
              arrays_of<StateArrays>(position, orientation, linear_velocity, angular_velocity), mask);
}
cairn_result cairn_world_move_to(cairn_world* world, const cairn_array* position, const cairn_array* orientation,
                                 float dt, const uint8_t* mask) {
  const cairn_array* const none = nullptr;
  return call(world, &DeviceArrays::move_to, arrays_of<StateArrays>(position, orientation, none, none), dt, mask);
}
cairn_result cairn_world_set_all_scales(cairn_world* world, const cairn_array* of_worlds, const cairn_array* of_bodies,
                                        const uint8_t* mask) {
  return call(world, [&](World& w) {
    w.arrays().set_scales({view_of(of_worlds, "of_worlds"), view_of(of_bodies, "of_bodies")}, mask);
  });
}

cairn_result cairn_world_articulation_rows(const cairn_world* world, uint32_t* rows, uint32_t* coordinates,
                                           uint32_t* rates) {
  return guarded([&] {
    require("world, rows, coordinates, rates", world, rows, coordinates, rates);
    const cairn::ArticulationRows of = held(*world).arrays().articulation_rows();
    *rows = of.rows;
    *coordinates = of.coordinates;
    *rates = of.rates;
  });
}
cairn_result cairn_world_get_articulations(const cairn_world* world, const cairn_array* q, const cairn_array* v,
                                           const cairn_array* force, const cairn_array* target,
                                           const cairn_array* target_rate, const uint8_t* mask) {
  return call(world, &DeviceArrays::get_articulations, arrays_of<ArticulationArrays>(q, v, force, target, target_rate),
              mask);
}
cairn_result cairn_world_set_articulations(cairn_world* world, const cairn_array* q, const cairn_array* v,
                                           const cairn_array* force, const cairn_array* target,
                                           const cairn_array* target_rate, const uint8_t* mask) {
  return call(world, &DeviceArrays::set_articulations, arrays_of<ArticulationArrays>(q, v, force, target, target_rate),
              mask);
}
cairn_result cairn_world_get_articulation_joints(const cairn_world* world, const cairn_articulation_joint_arrays* to,
                                                 const uint8_t* mask) {
  return call(world, &DeviceArrays::get_articulation_joints, to, mask);
}
cairn_result cairn_world_set_articulation_joints(cairn_world* world, const cairn_articulation_joint_arrays* from,
                                                 const uint8_t* mask) {
  return call(world, &DeviceArrays::set_articulation_joints, from, mask);
}
cairn_result cairn_world_get_joints(const cairn_world* world, const cairn_joint_arrays* to, const uint8_t* mask) {
  return call(world, &DeviceArrays::get_joints, to, mask);
}
cairn_result cairn_world_set_joints(cairn_world* world, const cairn_joint_arrays* from, const uint8_t* mask) {
  return call(world, &DeviceArrays::set_joints, from, mask);
}
cairn_result cairn_world_get_materials(const cairn_world* world, const cairn_material_arrays* to, const uint8_t* mask) {
  return call(world, &DeviceArrays::get_materials, to, mask);
}
cairn_result cairn_world_set_materials(cairn_world* world, const cairn_material_arrays* from, const uint8_t* mask) {
  return call(world, &DeviceArrays::set_materials, from, mask);
}
cairn_result cairn_world_reset_where(cairn_world* world, const uint8_t* mask) {
  return call(world, &DeviceArrays::reset, mask);
}
