// Worlds: made, stepped, reset; parameters, limits and materials.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

using namespace cairn::c_api;  // NOLINT
using cairn::Scene;
using cairn::World;

cairn_result cairn_world_create(const cairn_scene* const* scenes, uint32_t count, const cairn_world_options* options,
                                cairn_world** world) {
  return get(out("scenes, world", world), [&] {
    require("scenes, world", scenes);
    std::vector<Scene> all;
    for (std::uint32_t i = 0; i < count; ++i) {
      require("each of scenes", scenes[i]);
      all.push_back(scenes[i]->content);
    }
    return std::make_shared<World>(all, options_of(options));
  });
}

cairn_result cairn_world_create_copies(const cairn_scene* scene, uint32_t count, const cairn_world_options* options,
                                       cairn_world** world) {
  return get(scene, out("scene, world", world),
             [&](const Scene& s) { return std::make_shared<World>(World::copies(s, count, options_of(options))); });
}

cairn_result cairn_estimate_memory(const cairn_scene* scene, uint32_t worlds, const cairn_world_options* options,
                                   uint64_t* bytes) {
  return get(scene, out("scene, bytes", bytes), &cairn::estimate_memory, worlds, or_null(options));
}

void cairn_world_destroy(cairn_world* world) { delete world; }

cairn_result cairn_world_device(const cairn_world* world, char* name, size_t name_size, int32_t* threads) {
  return call(world, [&](const World& w) {
    copy_text(name, name_size, w.device().name());
    if (threads != nullptr) *threads = w.device().threads;
  });
}

cairn_result cairn_world_step(cairn_world* world, uint32_t steps) {
  return call(world, [&](World& w) {
    for (std::uint32_t i = 0; i < steps; ++i) w.step();
  });
}
cairn_result cairn_world_step_dt(cairn_world* world, float dt) { return call(world, taking<float>(&World::step), dt); }
cairn_result cairn_world_wait(cairn_world* world) { return call(world, &World::wait); }
cairn_result cairn_world_reset(cairn_world* world, uint32_t index) {
  return call(world, [&](World& w) { of_worlds(index, [&](auto... i) { w.reset(i...); }); });
}
cairn_result cairn_world_reset_mask(cairn_world* world, const uint8_t* mask, size_t count) {
  return call(world, taking<std::span<const uint8_t>>(&World::reset), in("mask", mask, count));
}

cairn_result cairn_world_params(const cairn_world* world, uint32_t index, cairn_params* params) {
  return get(world, out("params", params), &World::params, index);
}
cairn_result cairn_world_set_params(cairn_world* world, uint32_t index, const cairn_params* params) {
  return call(world, [&](World& w) {
    of_worlds(index, [&](auto... i) { w.set_params(taken<cairn::StepParams>(params), i...); });
  });
}
cairn_result cairn_world_gravity(const cairn_world* world, uint32_t index, float gravity[3]) {
  return get(world, out("gravity", gravity), &World::gravity, index);
}
cairn_result cairn_world_set_gravity(cairn_world* world, uint32_t index, const float gravity[3]) {
  return call(world, [&](World& w) {
    require("gravity", gravity);
    if (index != CAIRN_ALL_WORLDS) return w.set_gravity(vec3(gravity), index);
    for (std::uint32_t i = 0; i < w.world_count(); ++i) w.set_gravity(vec3(gravity), i);
  });
}
cairn_result cairn_world_limits(const cairn_world* world, uint32_t index, cairn_limits* limits) {
  return get(world, out("limits", limits), &World::limits, index);
}
cairn_result cairn_world_set_limits(cairn_world* world, uint32_t index, const cairn_limits* limits) {
  return call(world, [&](World& w) {
    of_worlds(index, [&](auto... i) { w.set_limits(taken<cairn::WorldLimits>(limits), i...); });
  });
}
cairn_result cairn_world_count(const cairn_world* world, uint32_t* count) {
  return get(world, out("count", count), &World::world_count);
}
cairn_result cairn_world_material_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return get(world, out("count", count), &World::materials, index);
}
cairn_result cairn_world_material(const cairn_world* world, uint32_t index, uint32_t material_index,
                                  cairn_material* material) {
  return get(world, out("material", material), [&](const World& w) -> const cairn::Material& {
    return one_of(w.materials(index), material_index, "material", "world " + std::to_string(index) + " has");
  });
}
cairn_result cairn_world_add_material(cairn_world* world, uint32_t index, const cairn_material* material,
                                      uint32_t* material_index) {
  return get(world, or_null(material_index), &World::add_material, material, index);
}
cairn_result cairn_world_set_material(cairn_world* world, uint32_t index, uint32_t material_index,
                                      const cairn_material* material) {
  return call(world, taking<uint32_t, const cairn::Material&, uint32_t>(&World::set_material), material_index, material,
              index);
}
