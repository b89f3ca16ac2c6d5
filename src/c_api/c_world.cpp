// Worlds: made, stepped, reset; parameters, limits and materials.

#include "src/c_api/describe.h"

namespace cairn::c_api {

namespace {

/// One world at a time, or all: calls f(index) for each.
template <class F>
void each_world(const World& world, std::uint32_t index, const F& f) {
  if (index != CAIRN_ALL_WORLDS) return f(index);
  for (std::uint32_t w = 0; w < world.world_count(); ++w) f(w);
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

cairn_result cairn_world_create(const cairn_scene* const* scenes, uint32_t count, const cairn_world_options* options,
                                cairn_world** world) {
  return guarded([&] {
    require("scenes, world", scenes, world);
    std::vector<cairn::Scene> all;
    for (std::uint32_t i = 0; i < count; ++i) {
      require("each of scenes", scenes[i]);
      all.push_back(scenes[i]->scene);
    }
    *world = new cairn_world{std::make_shared<World>(all, options_of(options))};
  });
}

cairn_result cairn_world_create_copies(const cairn_scene* scene, uint32_t count, const cairn_world_options* options,
                                       cairn_world** world) {
  return guarded([&] {
    require("scene, world", scene, world);
    *world = new cairn_world{std::make_shared<World>(World::copies(scene->scene, count, options_of(options)))};
  });
}

cairn_result cairn_estimate_memory(const cairn_scene* scene, uint32_t worlds, const cairn_world_options* options,
                                   uint64_t* bytes) {
  return guarded([&] {
    require("scene, bytes", scene, bytes);
    *bytes = cairn::estimate_memory(scene->scene, worlds, options_of(options));
  });
}

void cairn_world_destroy(cairn_world* world) { delete world; }

cairn_result cairn_world_device(const cairn_world* world, char* name, size_t name_size, int32_t* threads) {
  return with(world, [&](const World& w) {
    copy_text(name, name_size, w.device().name());
    if (threads != nullptr) *threads = w.device().threads;
  });
}

cairn_result cairn_world_step(cairn_world* world, uint32_t steps) {
  return with(world, [&](World& w) {
    for (std::uint32_t i = 0; i < steps; ++i) w.step();
  });
}
cairn_result cairn_world_step_dt(cairn_world* world, float dt) {
  return with(world, [&](World& w) { w.step(dt); });
}
cairn_result cairn_world_wait(cairn_world* world) {
  return with(world, [&](World& w) { w.wait(); });
}
cairn_result cairn_world_reset(cairn_world* world, uint32_t index) {
  return with(world, [&](World& w) {
    if (index == CAIRN_ALL_WORLDS) return w.reset();
    w.reset(index);
  });
}
cairn_result cairn_world_reset_mask(cairn_world* world, const uint8_t* mask, size_t count) {
  return with(world, [&](World& w) {
    require("mask", mask);
    w.reset(std::span(mask, count));
  });
}

cairn_result cairn_world_params(const cairn_world* world, uint32_t index, cairn_params* params) {
  return with(world, [&](const World& w) { write(params, of(w.params(index)), "params"); });
}
cairn_result cairn_world_set_params(cairn_world* world, uint32_t index, const cairn_params* params) {
  return with(world, [&](World& w) {
    if (index == CAIRN_ALL_WORLDS) return w.set_params(params_of(params));
    w.set_params(params_of(params), index);
  });
}
cairn_result cairn_world_gravity(const cairn_world* world, uint32_t index, float gravity[3]) {
  return with(world, [&](const World& w) {
    require("gravity", gravity);
    put(gravity, w.gravity(index));
  });
}
cairn_result cairn_world_set_gravity(cairn_world* world, uint32_t index, const float gravity[3]) {
  return with(world, [&](World& w) {
    require("gravity", gravity);
    each_world(w, index, [&](std::uint32_t i) { w.set_gravity(vec3(gravity), i); });
  });
}
cairn_result cairn_world_limits(const cairn_world* world, uint32_t index, cairn_limits* limits) {
  return with(world, [&](const World& w) { write(limits, of(w.limits(index)), "limits"); });
}
cairn_result cairn_world_set_limits(cairn_world* world, uint32_t index, const cairn_limits* limits) {
  return with(world, [&](World& w) {
    if (index == CAIRN_ALL_WORLDS) return w.set_limits(limits_of(limits));
    w.set_limits(limits_of(limits), index);
  });
}
cairn_result cairn_world_count(const cairn_world* world, uint32_t* count) {
  return with(world, [&](const World& w) {
    require("count", count);
    *count = w.world_count();
  });
}
cairn_result cairn_world_material_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return with(world, [&](const World& w) {
    require("count", count);
    *count = static_cast<std::uint32_t>(w.materials(index).size());
  });
}
cairn_result cairn_world_material(const cairn_world* world, uint32_t index, uint32_t material_index,
                                  cairn_material* material) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::Material>& all = w.materials(index);
    if (material_index >= all.size()) {
      throw cairn::InvalidArgument("material " + std::to_string(material_index) + ": world " + std::to_string(index) +
                                   " has " + std::to_string(all.size()));
    }
    write(material, of(all[material_index]), "material");
  });
}
cairn_result cairn_world_add_material(cairn_world* world, uint32_t index, const cairn_material* material,
                                      uint32_t* material_index) {
  return with(world, [&](World& w) {
    const std::uint32_t at = w.add_material(material_of(material), index);
    if (material_index != nullptr) *material_index = at;
  });
}
cairn_result cairn_world_set_material(cairn_world* world, uint32_t index, uint32_t material_index,
                                      const cairn_material* material) {
  return with(world, [&](World& w) { w.set_material(material_index, material_of(material), index); });
}
