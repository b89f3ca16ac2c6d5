// Sets of particles of a World, by handle.

#include "src/exec/exact_floats.h"
#include "src/world/impl.h"

namespace cairn {
std::vector<ParticlesHandle> World::particles(std::uint32_t world) const {
  return impl_->call([&]() -> std::vector<ParticlesHandle> {
    impl_->world_at(world);
    std::vector<ParticlesHandle> handles;
    for (const ParticlesSlot& slot : impl_->particles.constraints.all()) {
      if (slot.world == world) handles.push_back({static_cast<std::uint32_t>(handles.size() + 1), world});
    }
    return handles;
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

std::vector<float> World::constraint_forces(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = impl_->particles.at(set);
    impl_->synchronise();
    return impl_->particles.constraints.forces(slot, impl_->last_h);
  });
}

std::vector<std::uint8_t> World::broken_constraints(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<std::uint8_t> {
    const ParticlesSlot& slot = impl_->particles.at(set);
    impl_->synchronise();
    return impl_->particles.constraints.broken(slot, impl_->particles.constraints.read_broken());
  });
}

std::vector<float> World::pressures(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = impl_->particles.at(set);
    impl_->synchronise();
    return impl_->particles.fluids.pressures(slot, impl_->last_h);
  });
}

std::vector<float> World::densities(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = impl_->particles.at(set);
    impl_->synchronise();
    return impl_->particles.fluids.densities(slot);
  });
}

}  // namespace cairn
