#include "src/fields/field_feature.h"

#include <algorithm>

#include "src/recording/record.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/restore.h"
#include "src/world/impl.h"

namespace cairn {

FieldFeature::FieldFeature(Impl& of) : Feature(of), store_(of.memory) {}

void FieldFeature::take(std::span<const Scene* const> scenes) {
  for (std::uint32_t w = 0; w < scenes.size(); ++w) world_.worlds[w].fields = scenes[w]->fields();
}

void FieldFeature::order() {
  std::vector<FieldWorld> all;
  for (std::uint32_t w = 0; w < world_.worlds.size(); ++w) {
    const WorldSlot& world = world_.worlds[w];
    if (!world.fields.empty()) all.push_back({w, world.fields, world.body_slots});
  }
  if (all.empty() && store_.empty()) {
    known = true;
    return;
  }
  // this throws while a stream is captured: memory is released
  world_.backend->wait();
  store_.set(all, world_.slots, [&](std::uint32_t at) {
    const BodySlot& slot = world_.slots[at];
    return rules::mass_as_dynamic(slot.body, world_.worlds[slot.world].materials);
  });
  world_.has(known);
}

void FieldFeature::forget(std::uint32_t at) {
  const BodySlot& body = world_.slots[at];
  WorldSlot& world = world_.worlds[body.world];
  known = false;
  if (world.fields.empty()) return;
  world_.memory.keep(world.fields);
  for (SceneField& field : world.fields) {
    if (field.bodies) std::erase(*field.bodies, body.id);
    if (auto* springs = std::get_if<fields::Springs>(&field.law)) {
      std::erase_if(springs->springs, [&](const fields::Spring& s) { return s.a == body.id || s.b == body.id; });
    }
  }
}

rules::FieldPlace FieldFeature::place_in(std::uint32_t index) const {
  const WorldSlot& world = world_.worlds[index];
  return {static_cast<std::uint32_t>(world.body_slots.size()),
          [this, &world](std::uint32_t id) {
            const BodySlot& body = world_.slots[world.body_slots[id]];
            return body.alive ? &body.body : nullptr;
          },
          [&world]() -> const std::vector<Material>& { return world.materials; }};
}

void FieldFeature::capture(snapshot::Capture& to) {
  for (std::uint32_t w = 0; w < to.image.worlds.size(); ++w) {
    to.image.worlds[w].fields = world_.worlds[to.first + w].fields;
  }
}

void FieldFeature::become(snapshot::Restore& from) {
  for (const snapshot::Placement& p : from.placements) world_.worlds[p.to].fields = from.image.worlds[p.from].fields;
  known = false;
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
