// What a World has, by name.

#include "src/exec/exact_floats.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

template <class Handle>
std::optional<Handle> first_named(const World& world, const std::vector<Handle>& handles, std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (const Handle& handle : handles) {
    if (world.description(handle).name == name) return handle;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BodyHandle> World::find_body(std::string_view name, std::uint32_t world) const {
  return impl_->call([&] { return first_named(*this, bodies(world), name); });
}

std::optional<JointHandle> World::find_joint(std::string_view name, std::uint32_t world) const {
  return impl_->call([&] { return first_named(*this, joints(world), name); });
}

std::optional<ArticulationHandle> World::find_articulation(std::string_view name, std::uint32_t world) const {
  return impl_->call([&] { return first_named(*this, articulations(world), name); });
}

std::optional<ParticlesHandle> World::find_particles(std::string_view name, std::uint32_t world) const {
  return impl_->call([&] { return first_named(*this, particles(world), name); });
}

}  // namespace cairn
