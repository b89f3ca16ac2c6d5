// Bodies of a world and their states.

#include "cairn/world_scales.h"
#include "src/c_api/describe.h"

namespace cairn::c_api {
namespace {

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

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

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

cairn_result cairn_world_find_body(const cairn_world* world, uint32_t index, const char* name, cairn_handle* body) {
  return with(world, [&](const World& w) {
    require("name, body", name, body);
    *body = handle(found(w.find_body(name, index), "body", name));
  });
}

cairn_result cairn_world_add_body(cairn_world* world, uint32_t index, const cairn_body* body, cairn_handle* added) {
  return with(world, [&](World& w) {
    const cairn_handle h = handle(w.add_body(body_of(body), index));
    if (added != nullptr) *added = h;
  });
}
cairn_result cairn_body_describe(const cairn_world* world, cairn_handle body, int32_t scaled, cairn_body* description,
                                 cairn_shape* shapes, size_t size) {
  return with(world, [&](const World& w) {
    if (size != 0) require("shapes", shapes);
    const cairn::Body& plain = w.description(handle(body));
    const cairn::Body from = scaled != 0 ? w.scales().description(handle(body)) : plain;
    cairn_body c = of(from);
    c.name = plain.name.c_str();
    std::vector<cairn_shape> all;
    for (const cairn::Shape& shape : from.shapes) all.push_back(of(shape));
    // what is wrong with one struct is reported before the other is written
    size_of<cairn_body>(description, "body");
    if (size >= all.size()) {
      write_each<cairn_shape>(shapes, all, "shapes");
      c.shapes = shapes;
    }
    write(description, c, "body");
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
cairn_result cairn_body_set_pose(cairn_world* world, cairn_handle body, const double position[3],
                                 const float orientation[4]) {
  return with(world, [&](World& w) {
    require("position", position);
    require("orientation", orientation);
    w.set_pose(handle(body), vec3(position), quat(orientation));
  });
}
cairn_result cairn_body_set_velocity(cairn_world* world, cairn_handle body, const float linear[3],
                                     const float angular[3]) {
  return with(world, [&](World& w) {
    require("linear, angular", linear, angular);
    w.set_velocity(handle(body), vec3(linear), vec3(angular));
  });
}
cairn_result cairn_body_move_to(cairn_world* world, cairn_handle body, const double position[3],
                                const float orientation[4], float dt) {
  return with(world, [&](World& w) {
    require("position", position);
    require("orientation", orientation);
    w.move_to(handle(body), vec3(position), quat(orientation), dt);
  });
}
cairn_result cairn_body_mass_properties(const cairn_world* world, cairn_handle body, double* mass,
                                        double centre_of_mass[3], double moments[3], double axes[4]) {
  return with(world, [&](const World& w) {
    const cairn::MassProperties of = w.mass_properties(handle(body));
    if (mass != nullptr) *mass = of.mass;
    if (centre_of_mass != nullptr) put(centre_of_mass, of.centre_of_mass);
    if (moments != nullptr) put(moments, of.moments);
    if (axes != nullptr) put(axes, of.axes);
  });
}
cairn_result cairn_body_set_mass(cairn_world* world, cairn_handle body, float mass) {
  return with(world, [&](World& w) { w.set_mass(handle(body), mass); });
}
cairn_result cairn_body_set_material(cairn_world* world, cairn_handle body, uint32_t material) {
  return with(world, [&](World& w) { w.set_material(handle(body), material); });
}
cairn_result cairn_body_set_body(cairn_world* world, cairn_handle body, const cairn_body* description) {
  return with(world, [&](World& w) { w.set_body(handle(body), body_of(description)); });
}
cairn_result cairn_body_set_type(cairn_world* world, cairn_handle body, cairn_body_type type) {
  return with(world, [&](World& w) { w.set_type(handle(body), enum_of(type, cairn::BodyType::kDynamic, "type")); });
}
cairn_result cairn_body_set_enabled(cairn_world* world, cairn_handle body, int32_t enabled) {
  return with(world, [&](World& w) { w.set_enabled(handle(body), enabled != 0); });
}
cairn_result cairn_body_set_filter(cairn_world* world, cairn_handle body, uint32_t category, uint32_t mask,
                                   int32_t group) {
  return with(world, [&](World& w) { w.set_filter(handle(body), {category, mask, group}); });
}
cairn_result cairn_body_ignore(cairn_world* world, cairn_handle a, cairn_handle b, int32_t ignored) {
  return with(world, [&](World& w) { w.ignore(handle(a), handle(b), ignored != 0); });
}
cairn_result cairn_body_ignored(const cairn_world* world, cairn_handle a, cairn_handle b, int32_t* ignored) {
  return with(world, [&](const World& w) {
    require("ignored", ignored);
    *ignored = w.ignored(handle(a), handle(b)) ? 1 : 0;
  });
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
    w.add_force(handle(body), vec3(force), vec3(point));
  });
}
cairn_result cairn_body_add_torque(cairn_world* world, cairn_handle body, const float torque[3]) {
  return with(world, [&](World& w) {
    require("torque", torque);
    w.add_torque(handle(body), vec3(torque));
  });
}
cairn_result cairn_body_add_impulse(cairn_world* world, cairn_handle body, const float impulse[3]) {
  return with(world, [&](World& w) {
    require("impulse", impulse);
    w.add_impulse(handle(body), vec3(impulse));
  });
}
cairn_result cairn_body_add_impulse_at(cairn_world* world, cairn_handle body, const float impulse[3],
                                       const double point[3]) {
  return with(world, [&](World& w) {
    require("impulse", impulse);
    require("point", point);
    w.add_impulse(handle(body), vec3(impulse), vec3(point));
  });
}
cairn_result cairn_body_add_angular_impulse(cairn_world* world, cairn_handle body, const float impulse[3]) {
  return with(world, [&](World& w) {
    require("impulse", impulse);
    w.add_angular_impulse(handle(body), vec3(impulse));
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
