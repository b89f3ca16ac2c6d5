// Finding things of a World by name.

#include "src/exec/exact_floats.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

template <class Handle, class NameOf>
std::optional<Handle> first_named(const std::vector<Handle>& handles, std::string_view name, NameOf&& name_of) {
  if (name.empty()) return std::nullopt;
  for (const Handle& handle : handles) {
    if (name_of(handle) == name) return handle;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BodyHandle> World::find_body(std::string_view name, std::uint32_t world) const {
  return impl_->call([&] {
    return first_named(
        bodies(world), name, [&](BodyHandle b) -> auto& { return description(b).name; });
  });
}

std::optional<JointHandle> World::find_joint(std::string_view name, std::uint32_t world) const {
  return impl_->call([&] {
    return first_named(
        joints(world), name, [&](JointHandle j) -> auto& { return description(j).name; });
  });
}

std::optional<ArticulationHandle> WorldArticulations::find(std::string_view name, std::uint32_t world) const {
  return world_.call([&] {
    return first_named(
        list(world),
        name, [&](ArticulationHandle a) -> auto& { return world_.articulations.at(a).of->description.name; });
  });
}

std::optional<ParticlesHandle> WorldParticles::find(std::string_view name, std::uint32_t world) const {
  return world_.call([&] {
    return first_named(
        list(world), name, [&](ParticlesHandle p) -> auto& { return world_.particles.at(p).of->name; });
  });
}

}  // namespace cairn
