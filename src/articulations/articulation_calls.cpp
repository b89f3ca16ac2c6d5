// Articulations of a World by handle.

#include <algorithm>

#include "cairn/articulations.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::articulate::Batch;

std::string label(const Articulation& of) { return "articulation \"" + of.name + "\""; }

}  // namespace

void World::Impl::add_articulations(std::span<const Scene* const> scenes) {
  std::vector<const std::vector<std::uint32_t>*> body_slots;
  for (const WorldSlot& world : worlds) body_slots.push_back(&world.body_slots);
  std::vector<ArticulationSlot> all = articulation_slots(scenes, body_slots);
  if (!all.empty()) take_articulations(ArticulationTables(std::move(all)));
}

void World::Impl::take_articulations(ArticulationTables tables) {
  articulations.become(std::move(tables), slots);
  std::vector<std::uint32_t> flags, owner;
  const kernels::Bodies& bodies = arrays.bodies.view();
  if (!articulations.empty()) {
    flags = read(bodies.flags, slots.size());
    owner.resize(slots.size(), 0);
  }
  for (BodySlot& slot : slots) slot.link = false;
  masses_known = false;
  if (articulations.empty()) return;
  for (const kernels::LinkBody& link : articulations.links()) {
    slots[link.body].link = true;
    flags[link.body] = (flags[link.body] | kernels::kBodyLink) & ~std::uint32_t{kernels::kBodyGyroscopic};
    owner[link.body] = articulations.owner_of(link.body);
  }
  memory.upload(bodies.flags, flags.data(), flags.size() * sizeof(flags[0]));
  memory.upload(bodies.owner, owner.data(), owner.size() * sizeof(owner[0]));
}

void World::Impl::refuse_articulations(const std::string& call, std::optional<std::uint32_t> world) const {
  for (const ArticulationSlot& slot : articulations.all()) {
    if (slot.of == nullptr || (world && slot.world != *world)) continue;
    throw InvalidArgument(call + ": not where there are articulations, and there is " + label(slot.of->description));
  }
}

void World::Impl::refuse_link(const char* call, std::uint32_t slot) const {
  if (!articulations.is_link(slot)) return;
  throw InvalidArgument(std::string(call) + ": " + cairn::label(slots[slot].body) +
                        " is a link, which its articulation moves");
}

const ArticulationSlot& World::Impl::articulation_at(ArticulationHandle handle) const {
  if (handle.index == 0 || handle.index > articulations.all().size()) {
    throw InvalidArgument("articulation handle {" + std::to_string(handle.index) + "}: there are " +
                          std::to_string(articulations.all().size()));
  }
  const ArticulationSlot& slot = articulations.all()[handle.index - 1];
  if (slot.of == nullptr) {
    throw InvalidArgument("articulation handle {" + std::to_string(handle.index) +
                          "}: stale, its world was restored to one without it");
  }
  return slot;
}

void World::Impl::wake_articulation(const ArticulationSlot& slot) {
  // one link will do: all are of one island
  const auto link = std::ranges::find_if(slot.bodies, [&](std::uint32_t at) { return articulations.is_link(at); });
  wake(*link);
}

std::vector<ArticulationHandle> World::articulations(std::uint32_t world) const {
  return impl_->call([&]() -> std::vector<ArticulationHandle> {
    impl_->world_at(world);
    std::vector<ArticulationHandle> handles;
    for (const std::uint32_t slot : impl_->articulations.slots_of(world)) {
      if (impl_->articulations.all()[slot].of != nullptr) handles.push_back({slot + 1});
    }
    return handles;
  });
}

const Articulation& World::description(ArticulationHandle articulation) const {
  return impl_->call([&]() -> const Articulation& { return impl_->articulation_at(articulation).of->description; });
}

BodyHandle World::link_body(ArticulationHandle articulation, std::uint32_t link) const {
  return impl_->call([&]() -> BodyHandle {
    const ArticulationSlot& slot = impl_->articulation_at(articulation);
    if (link >= slot.bodies.size()) {
      throw InvalidArgument(label(slot.of->description) + ": there is no link " + std::to_string(link));
    }
    const std::uint32_t at = slot.bodies[link];
    if (at == kNoLinkBody) return {};
    return {at + 1, impl_->slots[at].generation};
  });
}

ArticulationState World::state(ArticulationHandle articulation) const {
  return impl_->call([&]() -> ArticulationState {
    const ArticulationSlot& slot = impl_->articulation_at(articulation);
    impl_->synchronise();
    const CompiledArticulation& made = impl_->articulations.made(slot);
    return {impl_->articulations.read(slot, &Batch::q, made.coordinates),
            impl_->articulations.read(slot, &Batch::v, static_cast<std::uint32_t>(made.dofs.size()))};
  });
}

void World::set_state(ArticulationHandle articulation, const ArticulationState& state) {
  impl_->call([&] {
    const ArticulationSlot& slot = impl_->articulation_at(articulation);
    Articulations& one = impl_->articulations.alone(slot);
    one.set_state(state.q, state.v);
    const std::vector<BodyState> links = one.link_states();
    std::vector<std::uint32_t> at;
    std::vector<BodyState> states;
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      if (slot.bodies[i] == kNoLinkBody || !impl_->articulations.is_link(slot.bodies[i])) continue;
      impl_->check_state(slot.bodies[i], links[i]);
      at.push_back(slot.bodies[i]);
      states.push_back(links[i]);
    }
    impl_->synchronise();
    for (const std::uint32_t body : at) impl_->wake_touched(body, true);
    for (std::size_t i = 0; i < at.size(); ++i) {
      impl_->upload_states({at[i], at[i] + 1}, std::span(&at[i], 1), std::span(&states[i], 1));
    }
    impl_->articulations.write(slot, &Batch::q, one.positions());
    impl_->articulations.write(slot, &Batch::v, one.rates());
    impl_->note<recording::kSetArticulationState>(articulation, state);
  });
}

void World::set_forces(ArticulationHandle articulation, std::span<const double> forces) {
  impl_->call([&] {
    const ArticulationSlot& slot = impl_->articulation_at(articulation);
    impl_->articulations.alone(slot).set_forces(forces);
    impl_->synchronise();
    impl_->wake_articulation(slot);
    impl_->articulations.write(slot, &Batch::force, forces);
    impl_->note<&World::set_forces>(articulation, forces);
  });
}

void World::set_targets(ArticulationHandle articulation, const ArticulationState& targets) {
  impl_->call([&] {
    const ArticulationSlot& slot = impl_->articulation_at(articulation);
    // that coordinates and rates are sound is the same rule for both
    Articulations& one = impl_->articulations.alone(slot);
    one.set_state(targets.q, targets.v);
    impl_->synchronise();
    impl_->wake_articulation(slot);
    impl_->articulations.write(slot, &Batch::target, one.positions());
    impl_->articulations.write(slot, &Batch::target_rate, one.rates());
    impl_->note<&World::set_targets>(articulation, targets);
  });
}

}  // namespace cairn
