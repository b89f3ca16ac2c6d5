// The fields of a World, by bodies' ids.

#include <algorithm>

#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

void World::Impl::set_fields() {
  if (fields_known) return;
  std::vector<FieldWorld> all;
  for (std::uint32_t w = 0; w < worlds.size(); ++w) {
    if (!worlds[w].fields.empty()) all.push_back({w, worlds[w].fields, worlds[w].body_slots});
  }
  if (all.empty() && fields.empty()) {
    fields_known = true;
    return;
  }
  // refuses while a stream is captured: memory is given back
  backend->wait();
  fields.set(all, slots, [&](std::uint32_t at) {
    return rules::mass_as_dynamic(slots[at].body, worlds[slots[at].world].materials);
  });
  has(fields_known);
}

void World::Impl::forget_fields(const BodySlot& body) {
  memory.keep(worlds[body.world].fields);
  for (SceneField& field : worlds[body.world].fields) {
    if (field.bodies) std::erase(*field.bodies, body.id);
    if (auto* springs = std::get_if<fields::Springs>(&field.law)) {
      std::erase_if(springs->springs, [&](const fields::Spring& s) { return s.a == body.id || s.b == body.id; });
    }
  }
  fields_known = false;
}

rules::FieldPlace World::Impl::field_place_in(std::uint32_t index) const {
  const WorldSlot& world = worlds[index];
  return {static_cast<std::uint32_t>(world.body_slots.size()),
          [this, &world](std::uint32_t id) {
            const BodySlot& body = slots[world.body_slots[id]];
            return body.alive ? &body.body : nullptr;
          },
          [&world]() -> const std::vector<Material>& { return world.materials; }};
}

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
      rules::refuse_faults(taken.back(), taken.size() - 1, impl_->field_place_in(world));
    }
    impl_->synchronise();
    impl_->memory.replace(impl_->worlds[world].fields, std::move(taken));
    impl_->fields_known = false;
    // without fields no step writes these
    const IndexRange range = impl_->slots_of(world);
    Vec3* const forces = impl_->arrays.bodies.view().field_force + range.first;
    std::vector<Vec3> values = impl_->read(forces, range.size());
    for (const std::uint32_t at : impl_->worlds[world].body_slots) values[at - range.first] = {0, 0, 0};
    if (!values.empty()) impl_->memory.upload(forces, values.data(), values.size() * sizeof(values[0]));
    impl_->wake_all(world);
    impl_->note<&World::set_fields>(fields, world);
  });
}

}  // namespace cairn
