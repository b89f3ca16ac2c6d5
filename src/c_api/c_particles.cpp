// Sets of particles of scenes and worlds.

#include "cairn/world_particles.h"
#include "src/c_api/describe.h"
#include "src/c_api/lists.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {
namespace {

static_assert(int{CAIRN_CONSTRAINT_ELASTIC} + 1 == EnumWords<ConstraintKind>::all.size());
// another member needs its twin
static_assert(sizeof(ConstraintResidual) == 3 * sizeof(float));
// lists are handed out as they lie
static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Vec3) == 3 * sizeof(float));

ParticlesHandle set_of(cairn_handle h) { return {h.index, h.generation}; }

ConstraintGroup group_of(const cairn_constraint_group& c, const std::string& what) {
  ConstraintGroup group;
  take(group, c, what);
  take(group.law, c, what);
  group.particles = list_of<std::uint32_t>(c.particles, c.particle_count, (what + ".particles").c_str());
  group.rest = list_of<float>(c.rest, c.rest_count, (what + ".rest").c_str());
  return group;
}

Attachment attachment_of(const cairn_attachment& c, const std::string& what) {
  Attachment attachment;
  take(attachment, c, what);
  take(attachment.law, c, what);
  return attachment;
}

ParticleSet set_of(const cairn_particle_set* given) {
  const cairn_particle_set c = read<cairn_particle_set>(given, "cairn_particle_set");
  ParticleSet set = attributes_of<ParticleSet>(c);
  take(set.filter, c, "cairn_particle_set");
  set.positions = list_of<Vec3d>(c.positions, c.particle_count, "cairn_particle_set.positions");
  if (c.velocities != nullptr) set.velocities = list_of<Vec3>(c.velocities, c.particle_count, "");
  if (c.masses != nullptr) set.masses = list_of<float>(c.masses, c.particle_count, "");
  set.fixed = list_of<std::uint32_t>(c.fixed, c.fixed_count, "cairn_particle_set.fixed");
  const auto numbered = [](const char* list, std::size_t i) {
    return std::string("cairn_particle_set.") + list + "[" + std::to_string(i) + "]";
  };
  each_of<cairn_constraint_group>(
      c.constraints, c.constraint_count, "cairn_particle_set.constraints", [&](const cairn_constraint_group& group) {
        set.constraints.push_back(group_of(group, numbered("constraints", set.constraints.size())));
      });
  each_of<cairn_attachment>(
      c.attachments, c.attachment_count, "cairn_particle_set.attachments", [&](const cairn_attachment& attachment) {
        set.attachments.push_back(attachment_of(attachment, numbered("attachments", set.attachments.size())));
      });
  if (c.is_fluid != 0) take(set.fluid.emplace(), c, "cairn_particle_set");
  take_color(set, c);
  return set;
}

template <class T>
const T* list_or_null(const std::vector<T>& list) {
  return list.empty() ? nullptr : list.data();
}

template <class V>
auto numbers_or_null(const std::vector<V>& list) {
  return list.empty() ? nullptr : &list.front().x;
}

/// Its lists are those of the group.
cairn_constraint_group of(const ConstraintGroup& group) {
  auto c = twin<cairn_constraint_group>(group);
  fill(c, group.law);
  c.particles = list_or_null(group.particles);
  c.particle_count = static_cast<std::uint32_t>(group.particles.size());
  c.rest = list_or_null(group.rest);
  c.rest_count = static_cast<std::uint32_t>(group.rest.size());
  return c;
}

cairn_attachment of(const Attachment& attachment) {
  auto c = twin<cairn_attachment>(attachment);
  fill(c, attachment.law);
  return c;
}

/// Its name and lists are those of the set. Without groups and attachments.
cairn_particle_set of(const ParticleSet& set) {
  auto c = twin<cairn_particle_set>(set);
  fill(c, set.filter);
  fill(c, set.fluid.value_or(Fluid{}));
  c.is_fluid = set.fluid ? 1 : 0;
  give_has_color(c, set);
  c.positions = numbers_or_null(set.positions);
  c.particle_count = static_cast<std::uint32_t>(set.positions.size());
  c.velocities = numbers_or_null(set.velocities);
  c.masses = list_or_null(set.masses);
  c.fixed = list_or_null(set.fixed);
  c.fixed_count = static_cast<std::uint32_t>(set.fixed.size());
  c.constraint_count = static_cast<std::uint32_t>(set.constraints.size());
  c.attachment_count = static_cast<std::uint32_t>(set.attachments.size());
  return c;
}

template <class C, class T>
std::vector<C> described(const std::vector<T>& list) {
  std::vector<C> all;
  for (const T& one : list) all.push_back(of(one));
  return all;
}

/// Hands out what `read` gives of a set.
template <class T, class F>
cairn_result numbers_of(const cairn_world* world, cairn_handle set, T* to, std::size_t size, std::size_t* count,
                        const char* name, const F& read) {
  return with(world, [&](const World& w) {
    require("count", count);
    if (size != 0) require(name, to);
    const std::vector<T> all = read(w, set_of(set));
    hand_out(std::span<const T>(all), to, size, count, name);
  });
}

}  // namespace

template <>
cairn_constraint_group defaults() {
  return of(ConstraintGroup{});
}

template <>
cairn_attachment defaults() {
  return of(Attachment{});
}

template <>
cairn_particle_set defaults() {
  cairn_particle_set c = of(ParticleSet{});
  c.name = nullptr;
  return c;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_constraint_group_init(cairn_constraint_group* group, size_t size) {
  initialise(group, size, defaults<cairn_constraint_group>());
}
void cairn_attachment_init(cairn_attachment* attachment, size_t size) {
  initialise(attachment, size, defaults<cairn_attachment>());
}
void cairn_particle_set_init(cairn_particle_set* set, size_t size) {
  initialise(set, size, defaults<cairn_particle_set>());
}

cairn_result cairn_scene_add_particles(cairn_scene* scene, const cairn_particle_set* set, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_particles(set_of(set));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_particles_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.particles().size());
  });
}

cairn_result cairn_scene_find_particles(const cairn_scene* scene, const char* name, uint32_t* index) {
  return guarded([&] {
    require("scene, name, index", scene, name, index);
    const auto found = scene->scene.find_particles(name);
    if (!found) {
      throw cairn::InvalidArgument("particles \"" + std::string(name) + "\": the scene has none of this name");
    }
    *index = *found;
  });
}

cairn_result cairn_scene_particles_body(const cairn_scene* scene, uint32_t index, uint32_t* first_body) {
  return guarded([&] {
    require("scene, first_body", scene, first_body);
    const std::vector<cairn::SceneParticles>& all = scene->scene.particles();
    if (index >= all.size()) {
      throw cairn::InvalidArgument("set " + std::to_string(index) + ": the scene has " + std::to_string(all.size()));
    }
    *first_body = all[index].first_body;
  });
}

cairn_result cairn_scene_constraint_warnings(const cairn_scene* scene, char* text, size_t size, size_t* length) {
  return guarded([&] {
    require("scene, length", scene, length);
    if (size != 0) require("text", text);
    std::string all;
    for (const std::string& warning : cairn::constraint_warnings(scene->scene)) all += warning + "\n";
    *length = all.size();
    if (size > all.size()) std::memcpy(text, all.c_str(), all.size() + 1);
  });
}

cairn_result cairn_world_particles_count(const cairn_world* world, uint32_t index, uint32_t* count) {
  return with(world, [&](const World& w) {
    require("count", count);
    *count = static_cast<std::uint32_t>(w.particles().list(index).size());
  });
}

cairn_result cairn_world_particles(const cairn_world* world, uint32_t index, cairn_handle* sets, size_t count) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::ParticlesHandle> all = w.particles().list(index);
    check_count("cairn_world_particles", count, all.size());
    if (count != 0) require("sets", sets);
    for (std::size_t i = 0; i < count; ++i) sets[i] = handle(all[i]);
  });
}

cairn_result cairn_world_find_particles(const cairn_world* world, uint32_t index, const char* name, cairn_handle* set) {
  return with(world, [&](const World& w) {
    require("name, set", name, set);
    *set = handle(found(w.particles().find(name, index), "particles", name));
  });
}

cairn_result cairn_world_add_particles(cairn_world* world, uint32_t index, const cairn_particle_set* set,
                                       cairn_handle* added) {
  return with(world, [&](World& w) {
    const cairn::ParticlesHandle made = w.particles().add(set_of(set), index);
    if (added != nullptr) *added = handle(made);
  });
}

cairn_result cairn_particles_remove(cairn_world* world, cairn_handle set) {
  return with(world, [&](World& w) { w.particles().remove(set_of(set)); });
}

cairn_result cairn_particles_alive(const cairn_world* world, cairn_handle set, int32_t* alive) {
  return with(world, [&](const World& w) {
    require("alive", alive);
    *alive = w.alive(set_of(set)) ? 1 : 0;
  });
}

cairn_result cairn_particles_describe(const cairn_world* world, cairn_handle set, cairn_particle_set* description,
                                      cairn_constraint_group* constraints, size_t constraints_size,
                                      cairn_attachment* attachments, size_t attachments_size) {
  return with(world, [&](const World& w) {
    const cairn::ParticleSet& from = w.description(set_of(set));
    cairn_particle_set c = of(from);
    const auto groups = described<cairn_constraint_group>(from.constraints);
    const auto held = described<cairn_attachment>(from.attachments);
    // what is wrong with one struct is reported before another is written
    size_of<cairn_particle_set>(description, "description");
    if (constraints_size != 0) size_of<cairn_constraint_group>(constraints, "constraints");
    if (attachments_size != 0) size_of<cairn_attachment>(attachments, "attachments");
    if (!groups.empty() && constraints_size >= groups.size()) {
      write_each<cairn_constraint_group>(constraints, groups, "constraints");
      c.constraints = constraints;
    }
    if (!held.empty() && attachments_size >= held.size()) {
      write_each<cairn_attachment>(attachments, held, "attachments");
      c.attachments = attachments;
    }
    write(description, c, "description");
  });
}

cairn_result cairn_particles_bodies(const cairn_world* world, cairn_handle set, cairn_handle* bodies, size_t count) {
  return with(world, [&](const World& w) {
    const std::vector<cairn::BodyHandle> all = w.bodies(set_of(set));
    check_count("cairn_particles_bodies", count, all.size());
    if (count != 0) require("bodies", bodies);
    for (std::size_t i = 0; i < count; ++i) bodies[i] = handle(all[i]);
  });
}

cairn_result cairn_particles_constraint_forces(const cairn_world* world, cairn_handle set, float* forces, size_t size,
                                               size_t* count) {
  return numbers_of(world, set, forces, size, count, "forces",
                    [](const World& w, cairn::ParticlesHandle of) { return w.particles().constraint_forces(of); });
}

cairn_result cairn_particles_broken_constraints(const cairn_world* world, cairn_handle set, uint8_t* broken,
                                                size_t size, size_t* count) {
  return numbers_of(world, set, broken, size, count, "broken",
                    [](const World& w, cairn::ParticlesHandle of) { return w.particles().broken_constraints(of); });
}

cairn_result cairn_particles_constraint_residuals(const cairn_world* world, cairn_handle set, float* residuals,
                                                  size_t size, size_t* count) {
  return numbers_of(world, set, residuals, size, count, "residuals",
                    [](const World& w, cairn::ParticlesHandle of) { return w.particles().constraint_residuals(of); });
}

cairn_result cairn_particles_pressures(const cairn_world* world, cairn_handle set, float* pressures, size_t size,
                                       size_t* count) {
  return numbers_of(world, set, pressures, size, count, "pressures",
                    [](const World& w, cairn::ParticlesHandle of) { return w.particles().pressures(of); });
}

cairn_result cairn_particles_densities(const cairn_world* world, cairn_handle set, float* densities, size_t size,
                                       size_t* count) {
  return numbers_of(world, set, densities, size, count, "densities",
                    [](const World& w, cairn::ParticlesHandle of) { return w.particles().densities(of); });
}

cairn_result cairn_world_constraint_residual(const cairn_world* world, uint32_t index,
                                             cairn_constraint_residual* residual) {
  return with(world, [&](const World& w) {
    const cairn::ConstraintResidual of =
        index == CAIRN_ALL_WORLDS ? w.particles().constraint_residual() : w.particles().constraint_residual(index);
    write(residual, {sizeof(cairn_constraint_residual), of.max, of.mean, of.constraints}, "residual");
  });
}
