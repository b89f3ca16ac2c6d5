// Worlds and their bodies.

#include "src/c_api/describe.h"

namespace cairn::c_api {

template <>
cairn_world_options defaults() {
  cairn_world_options c{};
  c.struct_size = sizeof c;
  return c;
}

namespace {

WorldOptions options_of(const cairn_world_options* given) {
  const cairn_world_options c =
      given == nullptr ? defaults<cairn_world_options>() : read<cairn_world_options>(given, "cairn_world_options");
  WorldOptions o;
  o.device = Device::parse(c.device == nullptr ? "cpu" : c.device, c.threads);
  o.capacity = {c.capacity_bodies, c.capacity_shapes, c.capacity_pairs,
                c.capacity_fixed != 0 ? OnOverflow::kError : OnOverflow::kGrow};
  o.timings = c.timings != 0;
  o.capturable = c.capturable != 0;
  o.stream = c.stream;
  return o;
}

/// Runs f on the world.
template <class W, class F>
cairn_result with(W* world, const F& f) {
  return guarded([&] {
    require("world", world);
    f(*world->world);
  });
}

// read and written in place
static_assert(sizeof(cairn_state) == sizeof(BodyState) &&
              offsetof(cairn_state, orientation) == offsetof(BodyState, orientation) &&
              offsetof(cairn_state, linear_velocity) == offsetof(BodyState, linear_velocity) &&
              offsetof(cairn_state, angular_velocity) == offsetof(BodyState, angular_velocity));

BodyState of(const cairn_state& s) {
  return {vec3(s.position), quat(s.orientation), vec3(s.linear_velocity), vec3(s.angular_velocity)};
}
cairn_state of(const BodyState& s) {
  cairn_state c;
  std::memcpy(&c, &s, sizeof c);
  return c;
}

std::size_t bodies_of(const World& world, std::uint32_t index) {
  return index == CAIRN_ALL_WORLDS ? world.body_count() : world.body_count(index);
}

void check_count(const char* what, std::size_t count, std::size_t wanted) {
  if (count == wanted) return;
  throw InvalidArgument(std::string(what) + ": count must be " + std::to_string(wanted) + ", is " +
                        std::to_string(count));
}

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

void cairn_world_options_init(cairn_world_options* to, size_t size) {
  initialise(to, size, defaults<cairn_world_options>());
}

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

void cairn_world_destroy(cairn_world* world) { delete world; }

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

cairn_result cairn_world_params(const cairn_world* world, cairn_params* params) {
  return with(world, [&](const World& w) { write(params, of(w.params()), "params"); });
}
cairn_result cairn_world_set_params(cairn_world* world, const cairn_params* params) {
  return with(world, [&](World& w) { w.set_params(params_of(params)); });
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
cairn_result cairn_world_body_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return with(world, [&](const World& w) {
    require("count", count);
    *count = static_cast<std::uint32_t>(bodies_of(w, index));
  });
}
cairn_result cairn_world_bodies(const cairn_world* world, uint32_t index, cairn_handle* bodies, size_t count) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::BodyHandle> all = index == CAIRN_ALL_WORLDS ? w.bodies() : w.bodies(index);
    check_count("cairn_world_bodies", count, all.size());
    if (count != 0) require("bodies", bodies);
    for (std::size_t i = 0; i < count; ++i) bodies[i] = handle(all[i]);
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
cairn_result cairn_world_add_body(cairn_world* world, uint32_t index, const cairn_body* body, cairn_handle* added) {
  return with(world, [&](World& w) {
    const cairn_handle h = handle(w.add_body(body_of(body), index));
    if (added != nullptr) *added = h;
  });
}
cairn_result cairn_body_remove(cairn_world* world, cairn_handle body) {
  return with(world, [&](World& w) { w.remove_body(handle(body)); });
}
cairn_result cairn_body_alive(const cairn_world* world, cairn_handle body, int32_t* alive) {
  return with(world, [&](const World& w) {
    require("alive", alive);
    *alive = w.alive(handle(body)) ? 1 : 0;
  });
}
cairn_result cairn_body_world(const cairn_world* world, cairn_handle body, uint32_t* index) {
  return with(world, [&](const World& w) {
    require("index", index);
    *index = w.world_of(handle(body));
  });
}
cairn_result cairn_body_set_velocity(cairn_world* world, cairn_handle body, const float linear[3],
                                     const float angular[3]) {
  return with(world, [&](World& w) {
    require("linear, angular", linear, angular);
    w.set_velocity(handle(body), vec3(linear), vec3(angular));
  });
}
cairn_result cairn_body_set_mass(cairn_world* world, cairn_handle body, float mass) {
  return with(world, [&](World& w) { w.set_mass(handle(body), mass); });
}
cairn_result cairn_body_set_material(cairn_world* world, cairn_handle body, uint32_t material) {
  return with(world, [&](World& w) { w.set_body_material(handle(body), material); });
}
cairn_result cairn_body_set_type(cairn_world* world, cairn_handle body, cairn_body_type type) {
  return with(world, [&](World& w) { w.set_type(handle(body), static_cast<cairn::BodyType>(type)); });
}
cairn_result cairn_body_wake(cairn_world* world, cairn_handle body) {
  return with(world, [&](World& w) { w.wake(handle(body)); });
}
cairn_result cairn_body_asleep(const cairn_world* world, cairn_handle body, int32_t* asleep) {
  return with(world, [&](const World& w) {
    require("asleep", asleep);
    *asleep = w.asleep(handle(body)) ? 1 : 0;
  });
}
cairn_result cairn_body_add_force(cairn_world* world, cairn_handle body, const float force[3]) {
  return with(world, [&](World& w) {
    require("force", force);
    w.add_force(handle(body), vec3(force));
  });
}
cairn_result cairn_body_add_force_at(cairn_world* world, cairn_handle body, const float force[3],
                                     const double point[3]) {
  return with(world, [&](World& w) {
    require("force", force);
    require("point", point);
    w.add_force_at(handle(body), vec3(force), vec3(point));
  });
}
cairn_result cairn_body_add_torque(cairn_world* world, cairn_handle body, const float torque[3]) {
  return with(world, [&](World& w) {
    require("torque", torque);
    w.add_torque(handle(body), vec3(torque));
  });
}

cairn_result cairn_body_state(const cairn_world* world, cairn_handle body, cairn_state* state) {
  return with(world, [&](const World& w) {
    require("state", state);
    *state = of(w.state(handle(body)));
  });
}
cairn_result cairn_body_set_state(cairn_world* world, cairn_handle body, const cairn_state* state) {
  return with(world, [&](World& w) {
    require("state", state);
    w.set_state(handle(body), of(*state));
  });
}
cairn_result cairn_world_read_states(const cairn_world* world, uint32_t index, cairn_state* states, size_t count) {
  return with(world, [&](const World& w) {
    check_count("cairn_world_read_states", count, bodies_of(w, index));
    if (count != 0) require("states", states);
    std::vector<cairn::BodyState> all(count);
    if (index == CAIRN_ALL_WORLDS) {
      w.read_states(all);
    } else {
      w.read_states(index, all);
    }
    for (std::size_t i = 0; i < count; ++i) states[i] = of(all[i]);
  });
}
cairn_result cairn_world_write_states(cairn_world* world, uint32_t index, const cairn_state* states, size_t count) {
  return with(world, [&](World& w) {
    check_count("cairn_world_write_states", count, bodies_of(w, index));
    if (count != 0) require("states", states);
    std::vector<cairn::BodyState> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(of(states[i]));
    if (index == CAIRN_ALL_WORLDS) {
      w.write_states(all);
    } else {
      w.write_states(index, all);
    }
  });
}
