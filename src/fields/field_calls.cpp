// Getting and setting the fields of a World.

#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

const std::vector<SceneField>& World::fields(std::uint32_t world) const {
  return impl_->call([&]() -> const std::vector<SceneField>& { return impl_->world_at(world).fields; });
}

void World::set_fields(const std::vector<SceneField>& fields, std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    rules::refuse_more_fields(fields.size());
    std::vector<SceneField> taken;
    for (const SceneField& field : fields) {
      taken.push_back(rules::sorted(field));
      rules::refuse_faults(taken.back(), taken.size() - 1, impl_->fields.place_in(world));
    }
    impl_->synchronise();
    impl_->memory.replace(impl_->worlds[world].fields, std::move(taken));
    impl_->fields.known = false;
    // without fields no step writes these
    rewrite(impl_->memory, impl_->arrays.bodies.view().field_force, impl_->slots_of(world), [&](auto force) {
      for (const std::uint32_t at : impl_->worlds[world].body_slots) force(at) = {0, 0, 0};
    });
    impl_->wake_all(world);
    impl_->note<&World::set_fields>(fields, world);
  });
}

}  // namespace cairn
