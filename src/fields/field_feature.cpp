#include "src/fields/field_feature.h"

#include <algorithm>
#include <numeric>

#include "src/exec/counted_memory.h"
#include "src/recording/record.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/image_check.h"
#include "src/snapshot/restore.h"
#include "src/world/estimate.h"
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

std::uint64_t FieldFeature::bytes(const Estimate& of) {
  if (of.scene.fields().empty()) return 0;
  std::vector<std::vector<std::uint32_t>> slots(of.worlds(), std::vector<std::uint32_t>(of.bodies()));
  std::vector<FieldWorld> all;
  for (std::uint32_t w = 0; w < of.worlds(); ++w) {
    std::iota(slots[w].begin(), slots[w].end(), w * of.bodies());
    all.push_back({w, of.scene.fields(), slots[w]});
  }
  exec::CountedMemory memory;
  FieldStore fields(memory.journal);
  fields.set(all, slots_for(of.scene, of.worlds()), [](std::uint32_t) { return 1.0; });
  return memory.journal.held();
}

void FieldFeature::check_image(snapshot::ImageCheck& of) {
  for (const snapshot::WorldCheck& world : of.worlds) {
    world.require(world.part.fields.size() <= rules::kMaxFields, "too many fields");
    const rules::FieldPlace place{world.part.bodies,
                                  [&](std::uint32_t id) { return world.alive(id) ? &world.body(id).body : nullptr; },
                                  [&]() -> const std::vector<Material>& { return world.part.materials; },
                                  // materials may have been changed since
                                  false};
    for (const SceneField& field : world.part.fields) world.refuse_fault(rules::find_fault(field, place), "a field");
    if (!world.part.fields.empty()) continue;
    const Vec3* const force = of.image.body_columns.view().field_force + world.at.bodies.first;
    for (std::uint32_t id = 0; id < world.part.bodies; ++id) {
      world.require(!world.alive(id) || force[id] == Vec3{}, "a force of fields where there are none");
    }
  }
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
