// Sets of particles of a World, by handle.

#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/particle_rules.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {
std::vector<ParticlesHandle> WorldParticles::list(std::uint32_t world) const {
  return world_.call([&]() -> std::vector<ParticlesHandle> {
    world_.world_at(world);
    const std::span<const ParticlesSlot> all = world_.particles.constraints.all();
    return handles_of<ParticlesHandle>(all, slots_of_world(all, world));
  });
}

bool World::alive(ParticlesHandle set) const { return is_alive(impl_->particles.constraints.all(), set); }

ParticlesHandle WorldParticles::add(const ParticleSet& set, std::uint32_t world) {
  return world_.call([&]() -> ParticlesHandle {
    const WorldSlot& to = world_.world_at(world);
    const std::string what = "particles \"" + set.name + "\"";
    rules::refuse(what, rules::find_fault(set));
    if (find(set.name, world)) throw InvalidArgument(what + ": the name is taken");
    for (const ParticlesHandle other : list(world)) rules::refuse_other_spacing(set, *world_.particles.at(other).of);
    for (std::size_t i = 0; i < set.attachments.size(); ++i) {
      const std::uint32_t body = set.attachments[i].body;
      if (body >= to.body_slots.size() || !world_.slots[to.body_slots[body]].alive) {
        throw InvalidArgument(what + ", attachment " + std::to_string(i) + ": there is no body " +
                              std::to_string(body) + " in world " + std::to_string(world));
      }
      world_.articulations.refuse_part((what + ", attachment " + std::to_string(i)).c_str(), to.body_slots[body]);
    }
    bool sized = world_.world_scales.get(world).size != 1;
    const std::vector<BodyScales> own = world_.scales.own();
    world_.each_body(world, [&](std::uint32_t at) { sized = sized || own[at].size != 1; });
    if (sized) throw InvalidArgument("particles can't be added where there are scales of size");
    world_.check_group("add_particles", bodies_of_particles(set), world);
    const ParticlesHandle handle =
        world_.particles.add(set, world, [this](std::uint32_t at) { return world_.state_at(at); });
    world_.note<&WorldParticles::add>(set, world);
    return handle;
  });
}

void WorldParticles::remove(ParticlesHandle set) {
  world_.call([&] {
    world_.particles.at(set);
    world_.particles.remove(set);
    world_.note<&WorldParticles::remove>(set);
  });
}

const ParticleSet& World::description(ParticlesHandle set) const {
  return impl_->call([&]() -> const ParticleSet& { return *impl_->particles.at(set).of; });
}

std::vector<BodyHandle> World::bodies(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<BodyHandle> {
    std::vector<BodyHandle> handles;
    for (const std::uint32_t at : impl_->particles.at(set).bodies) {
      const bool gone = at == kernels::kNone;
      handles.push_back(gone ? BodyHandle{} : BodyHandle{at + 1, impl_->slots[at].generation});
    }
    return handles;
  });
}

std::vector<float> WorldParticles::constraint_forces(ParticlesHandle set) const {
  return world_.call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = world_.particles.at(set);
    world_.synchronise();
    return world_.particles.constraints.forces(slot, world_.last_h);
  });
}

std::vector<std::uint8_t> WorldParticles::broken_constraints(ParticlesHandle set) const {
  return world_.call([&]() -> std::vector<std::uint8_t> {
    const ParticlesSlot& slot = world_.particles.at(set);
    world_.synchronise();
    return world_.particles.constraints.broken(slot, world_.particles.constraints.read_broken());
  });
}

std::vector<float> WorldParticles::pressures(ParticlesHandle set) const {
  return world_.call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = world_.particles.at(set);
    world_.synchronise();
    return world_.particles.fluids.pressures(slot, world_.last_h);
  });
}

std::vector<float> WorldParticles::densities(ParticlesHandle set) const {
  return world_.call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = world_.particles.at(set);
    world_.synchronise();
    return world_.particles.fluids.densities(slot);
  });
}

}  // namespace cairn
