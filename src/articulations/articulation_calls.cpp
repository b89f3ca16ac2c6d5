// Articulations of a World by handle.
#include "cairn/articulations.h"
#include "cairn/world_articulations.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::articulate::Batch;

std::string label(const Articulation& of) { return "articulation \"" + of.name + "\""; }

}  // namespace

std::vector<ArticulationHandle> WorldArticulations::list(std::uint32_t world) const {
  return world_.call([&]() -> std::vector<ArticulationHandle> {
    world_.world_at(world);
    const std::span<const ArticulationSlot> all = world_.articulations.store.all();
    return handles_of<ArticulationHandle>(all, slots_of_world(all, world));
  });
}

bool World::alive(ArticulationHandle articulation) const {
  return is_alive(impl_->articulations.store.all(), articulation);
}

ArticulationHandle WorldArticulations::add(const Articulation& articulation, const ArticulationState& start,
                                           std::uint32_t world) {
  return world_.call([&]() -> ArticulationHandle {
    world_.world_at(world);
    LinkBodies links = bodies_of_links(articulation, start);
    if (find(articulation.name, world)) throw InvalidArgument(label(articulation) + ": the name is taken");
    world_.check_group("add_articulation", links.bodies, world);
    const ArticulationHandle handle = world_.articulations.add(std::move(links), world);
    world_.note<&WorldArticulations::add>(articulation, start, world);
    return handle;
  });
}

void WorldArticulations::remove(ArticulationHandle articulation) {
  world_.call([&] {
    world_.articulations.at(articulation);
    world_.articulations.remove(articulation);
    world_.note<&WorldArticulations::remove>(articulation);
  });
}

const Articulation& World::description(ArticulationHandle articulation) const {
  return impl_->call([&]() -> const Articulation& { return impl_->articulations.at(articulation).of->description; });
}

std::vector<BodyHandle> World::bodies(ArticulationHandle articulation) const {
  return impl_->call([&]() -> std::vector<BodyHandle> {
    std::vector<BodyHandle> handles;
    for (const std::uint32_t at : impl_->articulations.at(articulation).bodies) {
      handles.push_back(at == kNoLinkBody ? BodyHandle{} : BodyHandle{at + 1, impl_->slots[at].generation});
    }
    return handles;
  });
}

ArticulationState World::state(ArticulationHandle articulation) const {
  return impl_->call([&]() -> ArticulationState {
    const ArticulationSlot& slot = impl_->articulations.at(articulation);
    impl_->synchronise();
    return {impl_->articulations.store.read(slot, &Batch::q), impl_->articulations.store.read(slot, &Batch::v)};
  });
}

void World::set_state(ArticulationHandle articulation, const ArticulationState& state) {
  impl_->call([&] {
    const ArticulationSlot& slot = impl_->articulations.at(articulation);
    Articulations& one = impl_->articulations.store.alone(slot);
    one.set_state(state.q, state.v);
    const std::vector<BodyState> links = one.link_states();
    std::vector<std::uint32_t> at;
    std::vector<BodyState> states;
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      if (slot.bodies[i] == kNoLinkBody || !impl_->articulations.store.is_link(slot.bodies[i])) continue;
      impl_->check_state(slot.bodies[i], links[i]);
      at.push_back(slot.bodies[i]);
      states.push_back(links[i]);
    }
    impl_->synchronise();
    for (const std::uint32_t body : at) impl_->wake_touched(body, true);
    for (std::size_t i = 0; i < at.size(); ++i) {
      impl_->upload_states({at[i], at[i] + 1}, std::span(&at[i], 1), std::span(&states[i], 1));
    }
    impl_->articulations.store.write(slot, &Batch::q, one.positions());
    impl_->articulations.store.write(slot, &Batch::v, one.rates());
    impl_->note<recording::kSetArticulationState>(articulation, state);
  });
}

namespace {

/// The words of its rates within those of all rates.
std::span<double> words_of(std::vector<double>& all, const CompiledArticulation& made, std::uint32_t link,
                           ArticulationJointKind kind) {
  using kernels::articulate::kJointWords;
  return std::span(all).subspan(std::size_t{kJointWords} * made.dof_of[link],
                                std::size_t{kJointWords} * rates_of(kind));
}

}  // namespace

ArticulationJoint WorldArticulations::joint(ArticulationHandle articulation, std::uint32_t link) const {
  return world_.call([&]() -> ArticulationJoint {
    const ArticulationSlot& slot = world_.articulations.at(articulation);
    const ArticulationJointKind kind = link_at(slot.of->description, link).joint.kind;
    world_.synchronise();
    std::vector<double> all = world_.articulations.store.read(slot, &Batch::joint);
    return joint_of(kind, words_of(all, world_.articulations.store.made(slot), link, kind));
  });
}

void WorldArticulations::set_joint(ArticulationHandle articulation, std::uint32_t link,
                                   const ArticulationJoint& joint) {
  world_.call([&] {
    const ArticulationSlot& slot = world_.articulations.at(articulation);
    const ArticulationJointKind kind = link_at(slot.of->description, link).joint.kind;
    Articulation changed = slot.of->description;
    if (joint.kind != kind) {
      throw InvalidArgument(label(changed) + ", link \"" + changed.links[link].name + "\": its joint stays " +
                            std::string(word_of(kind)) + ", and can't become " + std::string(word_of(joint.kind)));
    }
    changed.links[link].joint = joint;
    refuse_faults(changed);
    world_.synchronise();
    const CompiledArticulation& made = world_.articulations.store.made(slot);
    std::vector<double> all = world_.articulations.store.read(slot, &Batch::joint);
    put_joint(joint, words_of(all, made, link, kind));
    kernels::articulate::note_bounds({all.data(), 1}, static_cast<std::uint32_t>(made.dofs.size()));
    if (!joints_are_allowed(made, all)) {
      throw InvalidArgument(label(changed) + ", link \"" + changed.links[link].name +
                            "\": joint armature must stay over 0, as it has no mass and was described with one");
    }
    world_.articulations.wake(slot);
    world_.articulations.store.write(slot, &Batch::joint, all);
    world_.note<&WorldArticulations::set_joint>(articulation, link, joint);
  });
}

void WorldArticulations::set_forces(ArticulationHandle articulation, std::span<const double> forces) {
  world_.call([&] {
    const ArticulationSlot& slot = world_.articulations.at(articulation);
    world_.articulations.store.alone(slot).set_forces(forces);
    world_.synchronise();
    world_.articulations.wake(slot);
    world_.articulations.store.write(slot, &Batch::force, forces);
    world_.note<&WorldArticulations::set_forces>(articulation, forces);
  });
}

void WorldArticulations::set_targets(ArticulationHandle articulation, const ArticulationState& targets) {
  world_.call([&] {
    const ArticulationSlot& slot = world_.articulations.at(articulation);
    // coordinates and rates of targets have the rules of a state
    Articulations& one = world_.articulations.store.alone(slot);
    one.set_state(targets.q, targets.v);
    world_.synchronise();
    world_.articulations.wake(slot);
    world_.articulations.store.write(slot, &Batch::target, one.positions());
    world_.articulations.store.write(slot, &Batch::target_rate, one.rates());
    world_.note<&WorldArticulations::set_targets>(articulation, targets);
  });
}

}  // namespace cairn
