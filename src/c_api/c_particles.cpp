// Sets of particles of scenes and worlds.

#include "src/c_api/c_call.h"

namespace cairn::c_api {

// lists are returned without a copy
static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(float));

/// The memory of its lists is the set's. Without groups and attachments.
template <>
struct ByHand<cairn_particle_set, ParticleSet> {
  static void give(cairn_particle_set& c, const ParticleSet& set) {
    fill(c, set.fluid.value_or(Fluid{}));
    c.is_fluid = set.fluid ? 1 : 0;
    // the count is that of the positions, which come last
    put_list(c.velocities, c.particle_count, set.velocities);
    put_list(c.masses, c.particle_count, set.masses);
    put_list(c.positions, c.particle_count, set.positions);
  }
  static void take(ParticleSet& set, const cairn_particle_set& c, const std::string& what) {
    set.positions = list_of<Vec3d>(c.positions, c.particle_count, (what + ".positions").c_str());
    if (c.velocities != nullptr) set.velocities = list_of<Vec3>(c.velocities, c.particle_count, "");
    if (c.masses != nullptr) set.masses = list_of<float>(c.masses, c.particle_count, "");
    if (c.is_fluid != 0) c_api::take(set.fluid.emplace(), c, what);
  }
};

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::ParticlesHandle;
using cairn::Scene;
using cairn::World;
using cairn::WorldParticles;

void cairn_constraint_group_init(cairn_constraint_group* to, size_t size) { initialise(to, size); }
void cairn_attachment_init(cairn_attachment* to, size_t size) { initialise(to, size); }
void cairn_particle_set_init(cairn_particle_set* to, size_t size) { initialise(to, size); }

cairn_result cairn_scene_add_particles(cairn_scene* scene, const cairn_particle_set* set, uint32_t* index) {
  return get(scene, or_null(index), &Scene::add_particles, set);
}
cairn_result cairn_scene_particles_count(const cairn_scene* scene, uint32_t* count) {
  return get(scene, out("scene, count", count), &Scene::particles);
}
cairn_result cairn_scene_find_particles(const cairn_scene* scene, const char* name, uint32_t* index) {
  return find(scene, &Scene::find_particles, "particles", name, index);
}
cairn_result cairn_scene_particles_body(const cairn_scene* scene, uint32_t index, uint32_t* first_body) {
  return get(scene, out("scene, first_body", first_body),
             [&](const Scene& s) { return one_of(s.particles(), index, "set", "the scene has").first_body; });
}
cairn_result cairn_scene_constraint_warnings(const cairn_scene* scene, char* text, size_t size, size_t* length) {
  return get(scene, OutText{out("scene, length", length), text, size}, [](const Scene& s) {
    std::string all;
    for (const std::string& warning : cairn::constraint_warnings(s)) all += warning + "\n";
    return all;
  });
}

cairn_result cairn_world_particles_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return get(world, out("count", count), &WorldParticles::list, index);
}
cairn_result cairn_world_particles(const cairn_world* world, uint32_t index, cairn_handle* sets, size_t count) {
  return get(world, out_all("cairn_world_particles", "sets", sets, count), &WorldParticles::list, index);
}
cairn_result cairn_world_find_particles(const cairn_world* world, uint32_t index, const char* name, cairn_handle* set) {
  return find(world, &WorldParticles::find, index, "particles", name, "name, set", set);
}
cairn_result cairn_world_add_particles(cairn_world* world, uint32_t index, const cairn_particle_set* set,
                                       cairn_handle* added) {
  return get(world, or_null(added), &WorldParticles::add, set, index);
}

cairn_result cairn_particles_remove(cairn_world* world, cairn_handle set) {
  return call(world, &WorldParticles::remove, set);
}
cairn_result cairn_particles_alive(const cairn_world* world, cairn_handle set, int32_t* alive) {
  return get(world, out("alive", alive), taking<ParticlesHandle>(&World::alive), set);
}

cairn_result cairn_particles_describe(const cairn_world* world, cairn_handle set, cairn_particle_set* description,
                                      cairn_constraint_group* constraints, size_t constraints_size,
                                      cairn_attachment* attachments, size_t attachments_size) {
  return call(world, [&](const World& w) {
    const cairn::ParticleSet& from = w.description(handle<ParticlesHandle>(set));
    auto c = twin<cairn_particle_set>(from);
    // an invalid struct is reported before another is written
    size_of<cairn_particle_set>(description, "description");
    if (constraints_size != 0) size_of<cairn_constraint_group>(constraints, "constraints");
    if (attachments_size != 0) size_of<cairn_attachment>(attachments, "attachments");
    if (!from.constraints.empty() && constraints_size >= from.constraints.size()) {
      put_all(constraints, from.constraints, "constraints");
      c.constraints = constraints;
    }
    if (!from.attachments.empty() && attachments_size >= from.attachments.size()) {
      put_all(attachments, from.attachments, "attachments");
      c.attachments = attachments;
    }
    write(description, c, "description");
  });
}

cairn_result cairn_particles_bodies(const cairn_world* world, cairn_handle set, cairn_handle* bodies, size_t count) {
  return get(world, out_all("cairn_particles_bodies", "bodies", bodies, count), taking<ParticlesHandle>(&World::bodies),
             set);
}

cairn_result cairn_particles_constraint_forces(const cairn_world* world, cairn_handle set, float* forces, size_t size,
                                               size_t* count) {
  return get(world, out_room("forces", forces, size, out("count", count)), &WorldParticles::constraint_forces, set);
}
cairn_result cairn_particles_broken_constraints(const cairn_world* world, cairn_handle set, uint8_t* broken,
                                                size_t size, size_t* count) {
  return get(world, out_room("broken", broken, size, out("count", count)), &WorldParticles::broken_constraints, set);
}
cairn_result cairn_particles_constraint_residuals(const cairn_world* world, cairn_handle set, float* residuals,
                                                  size_t size, size_t* count) {
  return get(world, out_room("residuals", residuals, size, out("count", count)), &WorldParticles::constraint_residuals,
             set);
}
cairn_result cairn_particles_pressures(const cairn_world* world, cairn_handle set, float* pressures, size_t size,
                                       size_t* count) {
  return get(world, out_room("pressures", pressures, size, out("count", count)), &WorldParticles::pressures, set);
}
cairn_result cairn_particles_densities(const cairn_world* world, cairn_handle set, float* densities, size_t size,
                                       size_t* count) {
  return get(world, out_room("densities", densities, size, out("count", count)), &WorldParticles::densities, set);
}

cairn_result cairn_world_constraint_residual(const cairn_world* world, uint32_t index,
                                             cairn_constraint_residual* residual) {
  return get(world, out("residual", residual), [&](const World& w) {
    return of_worlds(index, [&](auto... i) { return w.particles().constraint_residual(i...); });
  });
}
