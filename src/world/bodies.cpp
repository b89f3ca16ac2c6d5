// Worlds and bodies by number and handle.

#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {

std::uint32_t World::Impl::slot_of(BodyHandle handle) const { return cairn::slot_of(slots, handle, "body", "body"); }

const WorldSlot& World::Impl::world_at(std::uint32_t world) const {
  if (world >= worlds.size()) {
    throw InvalidArgument("world " + std::to_string(world) + ": there are " + std::to_string(worlds.size()));
  }
  return worlds[world];
}

std::uint32_t World::world_count() const { return static_cast<std::uint32_t>(impl_->worlds.size()); }
std::uint32_t World::world_of(BodyHandle body) const {
  return impl_->call([&]() -> std::uint32_t { return impl_->slots[impl_->slot_of(body)].world; });
}

std::vector<BodyHandle> World::bodies() const {
  return impl_->call([&]() -> std::vector<BodyHandle> {
    std::vector<BodyHandle> handles;
    handles.reserve(impl_->living);
    impl_->each_body([&](std::uint32_t at) { handles.push_back({at + 1, impl_->slots[at].generation}); });
    return handles;
  });
}

std::vector<BodyHandle> World::bodies(std::uint32_t world) const {
  return impl_->call([&]() -> std::vector<BodyHandle> {
    std::vector<BodyHandle> handles;
    handles.reserve(impl_->world_at(world).living);
    impl_->each_body(world, [&](std::uint32_t at) { handles.push_back({at + 1, impl_->slots[at].generation}); });
    return handles;
  });
}

BodyHandle World::body_at(std::uint32_t index, std::uint32_t world) const {
  return impl_->call([&]() -> BodyHandle {
    const std::vector<std::uint32_t>& of = impl_->world_at(world).body_slots;
    if (index >= of.size() || !impl_->slots[of[index]].alive) {
      throw InvalidArgument("body_at: there is no body " + std::to_string(index) + " of world " +
                            std::to_string(world));
    }
    return {of[index] + 1, impl_->slots[of[index]].generation};
  });
}

std::uint32_t World::body_count() const { return impl_->living; }
std::uint32_t World::body_count(std::uint32_t world) const {
  return impl_->call([&]() -> std::uint32_t { return impl_->world_at(world).living; });
}

bool World::alive(BodyHandle body) const { return is_alive(impl_->slots, body); }

const Body& World::description(BodyHandle body) const {
  return impl_->call([&]() -> const Body& { return impl_->slots[impl_->slot_of(body)].body; });
}

}  // namespace cairn
