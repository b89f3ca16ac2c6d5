// Sets of particles of a World, by handle.

#include <unordered_map>

#include "kernels/common/frame.h"
#include "src/exec/exact_floats.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// [m] Where a point of the world is in the frame of a body of a scene.
Vec3d in_frame_of(const Body& body, Vec3d point) {
  const Vec3d from = kernels::operator-(point, body.position);
  return kernels::turn(kernels::conjugate(kernels::widen(body.orientation)), from);
}

}  // namespace

void World::Impl::add_particles(std::span<const Scene* const> scenes) {
  std::vector<ParticlesSlot> all;
  // copies of one scene share what they are made of
  std::unordered_map<const SceneParticles*, std::shared_ptr<const ParticleSet>> kept;
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    for (const SceneParticles& of : scenes[w]->particles()) {
      auto& own = kept[&of];
      if (own == nullptr) own = std::make_shared<const ParticleSet>(of.description);
      ParticlesSlot& slot = all.emplace_back();
      slot.world = w;
      slot.of = own;
      const std::vector<std::uint32_t>& at = worlds[w].body_slots;
      for (std::uint32_t i = 0; i < own->positions.size(); ++i) slot.bodies.push_back(at[of.first_body + i]);
      for (const Attachment& a : own->attachments) {
        slot.held_by.push_back(at[a.body]);
        slot.anchors.push_back(in_frame_of(scenes[w]->bodies()[a.body], own->positions[a.particle]));
      }
    }
  }
  constraints.take(std::move(all));
  constraints_known = false;
}

void World::Impl::set_constraints() {
  if (constraints_known) return;
  if (!constraints.empty()) constraints.set_order(slots, part_of_world, arrays.part_count);
  fluids.set(constraints.all(), slots.size(), part_of_world, arrays.part_count);
  has(constraints_known);
}

const ParticlesSlot& World::Impl::particles_at(ParticlesHandle handle) const {
  std::uint32_t count = 0;
  for (const ParticlesSlot& slot : constraints.all()) {
    if (slot.world == handle.world && ++count == handle.index) return slot;
  }
  throw InvalidArgument("particles handle {" + std::to_string(handle.index) + ", world " +
                        std::to_string(handle.world) + "}: there are " + std::to_string(count));
}

void World::Impl::refuse_constraints(const char* call, std::optional<std::uint32_t> world) const {
  for (const ParticlesSlot& slot : constraints.all()) {
    if (world && slot.world != *world) continue;
    throw InvalidArgument(std::string(call) + ": not where there are particles, and there are \"" + slot.of->name +
                          "\"");
  }
}

std::vector<ParticlesHandle> World::particles(std::uint32_t world) const {
  return impl_->call([&]() -> std::vector<ParticlesHandle> {
    impl_->world_at(world);
    std::vector<ParticlesHandle> handles;
    for (const ParticlesSlot& slot : impl_->constraints.all()) {
      if (slot.world == world) handles.push_back({static_cast<std::uint32_t>(handles.size() + 1), world});
    }
    return handles;
  });
}

const ParticleSet& World::description(ParticlesHandle set) const {
  return impl_->call([&]() -> const ParticleSet& { return *impl_->particles_at(set).of; });
}

std::vector<BodyHandle> World::bodies(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<BodyHandle> {
    std::vector<BodyHandle> handles;
    for (const std::uint32_t at : impl_->particles_at(set).bodies) {
      const bool gone = at == kernels::kNone;
      handles.push_back(gone ? BodyHandle{} : BodyHandle{at + 1, impl_->slots[at].generation});
    }
    return handles;
  });
}

std::vector<float> World::constraint_forces(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = impl_->particles_at(set);
    impl_->synchronise();
    return impl_->constraints.forces(slot, impl_->last_h);
  });
}

std::vector<std::uint8_t> World::broken_constraints(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<std::uint8_t> {
    const ParticlesSlot& slot = impl_->particles_at(set);
    impl_->synchronise();
    return impl_->constraints.broken(slot, impl_->constraints.read_broken());
  });
}

std::vector<float> World::pressures(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = impl_->particles_at(set);
    impl_->synchronise();
    return impl_->fluids.pressures(slot, impl_->last_h);
  });
}

std::vector<float> World::densities(ParticlesHandle set) const {
  return impl_->call([&]() -> std::vector<float> {
    const ParticlesSlot& slot = impl_->particles_at(set);
    impl_->synchronise();
    return impl_->fluids.densities(slot);
  });
}

}  // namespace cairn
