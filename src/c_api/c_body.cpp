// Bodies of a world and their states.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

namespace cairn::c_api {
namespace {

std::uint32_t bodies_of(const World& world, std::uint32_t index) {
  return of_worlds(index, [&](auto... i) { return world.body_count(i...); });
}

}  // namespace
}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::BodyHandle;
using cairn::BodyState;
using cairn::Vec3;
using cairn::Vec3d;
using cairn::World;

cairn_result cairn_world_body_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return get(world, out("count", count), [&](const World& w) { return bodies_of(w, index); });
}
cairn_result cairn_world_bodies(const cairn_world* world, uint32_t index, cairn_handle* bodies, size_t count) {
  return get(world, out_all("cairn_world_bodies", "bodies", bodies, count),
             [&](const World& w) { return of_worlds(index, [&](auto... i) { return w.bodies(i...); }); });
}
cairn_result cairn_world_find_body(const cairn_world* world, uint32_t index, const char* name, cairn_handle* body) {
  return find(world, &World::find_body, index, "body", name, "name, body", body);
}

cairn_result cairn_world_add_body(cairn_world* world, uint32_t index, const cairn_body* body, cairn_handle* added) {
  return get(world, or_null(added), &World::add_body, body, index);
}
cairn_result cairn_body_describe(const cairn_world* world, cairn_handle body, int32_t scaled, cairn_body* description,
                                 cairn_shape* shapes, size_t size) {
  return call(world, [&](const World& w) {
    if (size != 0) require("shapes", shapes);
    const cairn::Body& plain = w.description(handle(body));
    const cairn::Body from = scaled != 0 ? w.scales().description(handle(body)) : plain;
    auto c = twin<cairn_body>(from);
    c.name = plain.name.c_str();
    // an invalid struct is reported before the other is written
    size_of<cairn_body>(description, "body");
    if (size >= from.shapes.size()) {
      put_all(shapes, from.shapes, "shapes");
      c.shapes = shapes;
    }
    write(description, c, "body");
  });
}
cairn_result cairn_body_remove(cairn_world* world, cairn_handle body) { return call(world, &World::remove_body, body); }
cairn_result cairn_body_alive(const cairn_world* world, cairn_handle body, int32_t* alive) {
  return get(world, out("alive", alive), taking<BodyHandle>(&World::alive), body);
}
cairn_result cairn_body_world(const cairn_world* world, cairn_handle body, uint32_t* index) {
  return get(world, out("index", index), &World::world_of, body);
}
cairn_result cairn_world_body_at(const cairn_world* world, uint32_t world_index, uint32_t index, cairn_handle* body) {
  return get(world, out("body", body), &World::body_at, index, world_index);
}
cairn_result cairn_body_index(const cairn_world* world, cairn_handle body, uint32_t* index) {
  return get(world, out("index", index), taking<BodyHandle>(&World::index_of), body);
}
cairn_result cairn_body_set_pose(cairn_world* world, cairn_handle body, const double position[3],
                                 const float orientation[4]) {
  return call(world, &World::set_pose, body, in("position", position), in("orientation", orientation));
}
cairn_result cairn_body_set_velocity(cairn_world* world, cairn_handle body, const float linear[3],
                                     const float angular[3]) {
  return call(world, &World::set_velocity, body, in("linear, angular", linear), in("linear, angular", angular));
}
cairn_result cairn_body_move_to(cairn_world* world, cairn_handle body, const double position[3],
                                const float orientation[4], float dt) {
  return call(world, &World::move_to, body, in("position", position), in("orientation", orientation), dt);
}
cairn_result cairn_body_mass_properties(const cairn_world* world, cairn_handle body, double* mass,
                                        double centre_of_mass[3], double moments[3], double axes[4]) {
  return call(world, [&](const World& w) {
    const cairn::MassProperties of = w.mass_properties(handle(body));
    if (mass != nullptr) *mass = of.mass;
    if (centre_of_mass != nullptr) put(centre_of_mass, of.centre_of_mass);
    if (moments != nullptr) put(moments, of.moments);
    if (axes != nullptr) put(axes, of.axes);
  });
}
cairn_result cairn_body_set_mass(cairn_world* world, cairn_handle body, float mass) {
  return call(world, &World::set_mass, body, mass);
}
cairn_result cairn_body_set_material(cairn_world* world, cairn_handle body, uint32_t material) {
  return call(world, taking<BodyHandle, uint32_t>(&World::set_material), body, material);
}
cairn_result cairn_body_set_body(cairn_world* world, cairn_handle body, const cairn_body* description) {
  return call(world, &World::set_body, body, description);
}
cairn_result cairn_body_set_type(cairn_world* world, cairn_handle body, cairn_body_type type) {
  return call(world, &World::set_type, body, word("type", type));
}
cairn_result cairn_body_set_enabled(cairn_world* world, cairn_handle body, int32_t enabled) {
  return call(world, &World::set_enabled, body, enabled);
}
cairn_result cairn_body_set_filter(cairn_world* world, cairn_handle body, uint32_t category, uint32_t mask,
                                   int32_t group) {
  return call(world, [&](World& w) { w.set_filter(handle(body), {category, mask, group}); });
}
cairn_result cairn_body_ignore(cairn_world* world, cairn_handle a, cairn_handle b, int32_t ignored) {
  return call(world, &World::ignore, a, b, ignored);
}
cairn_result cairn_body_ignored(const cairn_world* world, cairn_handle a, cairn_handle b, int32_t* ignored) {
  return get(world, out("ignored", ignored), &World::ignored, a, b);
}
cairn_result cairn_body_wake(cairn_world* world, cairn_handle body) { return call(world, &World::wake, body); }
cairn_result cairn_body_asleep(const cairn_world* world, cairn_handle body, int32_t* asleep) {
  return get(world, out("asleep", asleep), &World::asleep, body);
}
cairn_result cairn_body_add_force(cairn_world* world, cairn_handle body, const float force[3]) {
  return call(world, taking<BodyHandle, Vec3>(&World::add_force), body, in("force", force));
}
cairn_result cairn_body_add_force_at(cairn_world* world, cairn_handle body, const float force[3],
                                     const double point[3]) {
  return call(world, taking<BodyHandle, Vec3, Vec3d>(&World::add_force), body, in("force", force), in("point", point));
}
cairn_result cairn_body_add_torque(cairn_world* world, cairn_handle body, const float torque[3]) {
  return call(world, &World::add_torque, body, in("torque", torque));
}
cairn_result cairn_body_add_impulse(cairn_world* world, cairn_handle body, const float impulse[3]) {
  return call(world, taking<BodyHandle, Vec3>(&World::add_impulse), body, in("impulse", impulse));
}
cairn_result cairn_body_add_impulse_at(cairn_world* world, cairn_handle body, const float impulse[3],
                                       const double point[3]) {
  return call(world, taking<BodyHandle, Vec3, Vec3d>(&World::add_impulse), body, in("impulse", impulse),
              in("point", point));
}
cairn_result cairn_body_add_angular_impulse(cairn_world* world, cairn_handle body, const float impulse[3]) {
  return call(world, &World::add_angular_impulse, body, in("impulse", impulse));
}

cairn_result cairn_body_state(const cairn_world* world, cairn_handle body, cairn_state* state) {
  return get(world, out("state", state), taking<BodyHandle>(&World::state), body);
}
cairn_result cairn_body_set_state(cairn_world* world, cairn_handle body, const cairn_state* state) {
  return call(world, taking<BodyHandle, const BodyState&>(&World::set_state), body, in("state", state));
}
cairn_result cairn_world_read_states(const cairn_world* world, uint32_t index, cairn_state* states, size_t count) {
  return get(world, out_all("cairn_world_read_states", "states", states, count), [&](const World& w) {
    std::vector<BodyState> all(bodies_of(w, index));
    check_count("cairn_world_read_states", count, all.size());
    of_worlds(index, [&](auto... i) { w.read_states(i..., all); });
    return all;
  });
}
cairn_result cairn_world_write_states(cairn_world* world, uint32_t index, const cairn_state* states, size_t count) {
  return call(world, [&](World& w) {
    check_count("cairn_world_write_states", count, bodies_of(w, index));
    const auto all = made<std::vector<BodyState>>(list("states", states, count));
    of_worlds(index, [&](auto... i) { w.write_states(i..., all); });
  });
}
