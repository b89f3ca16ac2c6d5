#include "src/particles/particle_feature.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/common/frame.h"
#include "src/scene/particle_rules.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/restore.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// [m] Position of a world point in the frame of a body, of a scene or at present.
template <class Body>
Vec3d in_frame_of(const Body& body, Vec3d point) {
  const Vec3d from = kernels::operator-(point, body.position);
  return kernels::turn(kernels::conjugate(kernels::widen(body.orientation)), from);
}

}  // namespace

ParticleFeature::ParticleFeature(Impl& of) : Feature(of), constraints(of.memory), fluids(of.memory) {}

void ParticleFeature::take(std::span<const Scene* const> scenes) {
  std::vector<ParticlesSlot> all;
  // copies of one scene share their descriptions
  std::unordered_map<const SceneParticles*, std::shared_ptr<const ParticleSet>> kept;
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    for (const SceneParticles& of : scenes[w]->particles()) {
      auto& own = kept[&of];
      if (own == nullptr) own = std::make_shared<const ParticleSet>(of.description);
      ParticlesSlot& slot = all.emplace_back();
      slot.world = w;
      slot.of = own;
      const std::vector<std::uint32_t>& at = world_.worlds[w].body_slots;
      for (std::uint32_t i = 0; i < own->positions.size(); ++i) slot.bodies.push_back(at[of.first_body + i]);
      for (const Attachment& a : own->attachments) {
        slot.held_by.push_back(at[a.body]);
        slot.anchors.push_back(in_frame_of(scenes[w]->bodies()[a.body], own->positions[a.particle]));
      }
    }
  }
  constraints.take(std::move(all));
  known = false;
}

void ParticleFeature::forget(std::uint32_t body) {
  if (!constraints.has(body)) return;
  constraints.forget(body);
  known = false;
}

void ParticleFeature::add_neighbours(std::uint32_t body, std::vector<std::uint32_t>& to) const {
  const std::vector<std::uint32_t> held = constraints.held_to(body);
  to.insert(to.end(), held.begin(), held.end());
}

void ParticleFeature::order() {
  const std::uint32_t parts = world_.arrays.part_count;
  if (!constraints.empty()) constraints.set_order(world_.slots, world_.part_of_world, parts);
  fluids.set(constraints.all(), world_.slots.size(), world_.part_of_world, parts);
  world_.has(known);
}

void ParticleFeature::show(StepContext& step, bool of_step) {
  constraints.show(step, static_cast<std::uint32_t>(world_.params.particle_iterations), of_step);
  fluids.show(step, static_cast<std::uint32_t>(world_.params.fluid_iterations));
}

const ParticlesSlot& ParticleFeature::at(ParticlesHandle handle) const {
  return constraints.all()[slot_of(constraints.all(), handle, "particles", "set")];
}

std::vector<ParticlesSlot> ParticleFeature::now() const {
  std::vector<ParticlesSlot> slots(constraints.all().begin(), constraints.all().end());
  const std::vector<std::uint32_t> broken = constraints.read_broken();
  for (ParticlesSlot& slot : slots) slot.broken = constraints.broken(slot, broken);
  return slots;
}

ParticlesHandle ParticleFeature::add(const ParticleSet& set, std::uint32_t world,
                                     const std::function<BodyState(std::uint32_t)>& state_of) {
  ParticlesSlot made{.world = world,
                     .bodies = world_.add_group(world, bodies_of_particles(set), pairs_of_constraints(set, 0))};
  made.of = std::make_shared<const ParticleSet>(set);
  std::vector<std::uint64_t> apart;
  const WorldSlot& of_world = world_.worlds[world];
  for (const Attachment& a : set.attachments) {
    const std::uint32_t body = of_world.body_slots[a.body];
    made.held_by.push_back(body);
    made.anchors.push_back(in_frame_of(state_of(body), set.positions[a.particle]));
    const std::uint32_t particle = world_.slots[made.bodies[a.particle]].id;
    apart.push_back(std::uint64_t{std::min(particle, a.body)} << 32 | std::max(particle, a.body));
  }
  world_.filters.ignore(world, apart, true);
  world_.wake(made.held_by);
  std::vector<ParticlesSlot> slots = now();
  const std::size_t at = empty_slot(slots, world);
  made.generation = slots[at].generation + 1;
  const ParticlesHandle handle{static_cast<std::uint32_t>(at + 1), made.generation};
  slots[at] = std::move(made);
  constraints.take(std::move(slots));
  fluids.forget();
  known = false;
  return handle;
}

void ParticleFeature::remove(ParticlesHandle handle) {
  world_.synchronise();
  std::vector<ParticlesSlot> slots = now();
  ParticlesSlot& slot = slots[handle.index - 1];
  const ParticlesSlot gone = std::exchange(slot, {.world = slot.world, .generation = slot.generation});
  std::vector<std::uint32_t> held;
  std::ranges::copy_if(gone.held_by, std::back_inserter(held),
                       [](std::uint32_t body) { return body != kernels::kNone; });
  world_.wake(held);
  constraints.take(std::move(slots));
  fluids.forget();
  known = false;
  // all their pairs at once: body by body, it would write all pairs of the World each time
  std::vector<bool> goes(world_.worlds[gone.world].body_slots.size(), false);
  for (const std::uint32_t body : gone.bodies) {
    if (body != kernels::kNone) goes[world_.slots[body].id] = true;
  }
  std::vector<std::uint64_t> pairs;
  std::ranges::copy_if(world_.worlds[gone.world].ignored, std::back_inserter(pairs),
                       [&](std::uint64_t pair) { return goes[pair >> 32] || goes[pair & 0xffffffffu]; });
  world_.filters.ignore(gone.world, pairs, false);
  for (const std::uint32_t body : gone.bodies) {
    if (body != kernels::kNone) world_.remove_body(body);
  }
}

void ParticleFeature::refuse(const char* call, std::optional<std::uint32_t> world) const {
  for (const ParticlesSlot& slot : constraints.all()) {
    if (!slot.alive() || (world && slot.world != *world)) continue;
    throw InvalidArgument(std::string(call) + ": not where there are particles, and there are \"" + slot.of->name +
                          "\"");
  }
}

void ParticleFeature::refuse_particle(const char* call, std::uint32_t body) const {
  if (!constraints.has(body)) return;
  for (const ParticlesSlot& slot : constraints.all()) {
    if (!slot.alive() || std::ranges::find(slot.bodies, body) == slot.bodies.end()) continue;
    throw InvalidArgument(std::string(call) + ": " + label(world_.slots[body].body) + " is a particle of \"" +
                          slot.of->name + "\", whose constraints need it: remove it, or the set");
  }
}

void ParticleFeature::capture(snapshot::Capture& to) {
  std::unordered_map<const ParticleSet*, std::uint32_t> number_of;
  const auto ids = [&](std::vector<std::uint32_t> of) {
    for (std::uint32_t& body : of) body = body == kernels::kNone ? kernels::kNone : to.body_id[body];
    return of;
  };
  const std::vector<std::uint32_t> broken = constraints.read_broken();
  for (std::uint32_t w = 0; w < to.image.worlds.size(); ++w) {
    for (std::uint32_t at = 0; at < constraints.all().size(); ++at) {
      // `first` follows
      const auto& [world, generation, bodies, held_by, anchors, was_broken, of, first] = constraints.all()[at];
      if (world != to.first + w) continue;
      std::uint32_t number = kernels::kNone;
      if (constraints.all()[at].alive()) {
        const auto next = static_cast<std::uint32_t>(to.image.particles.size());
        number = number_of.emplace(of.get(), next).first->second;
        if (number == next) to.image.particles.push_back(of);
      }
      to.image.worlds[w].particles.push_back({at, generation, number, ids(bodies), ids(held_by), anchors,
                                              constraints.broken(constraints.all()[at], broken)});
    }
  }
}

void ParticleFeature::plan(snapshot::Restore& from) {
  planned_.clear();
  if (!from.whole) planned_ = now();
  from.plan_slots(planned_, &snapshot::WorldPart::particles,
                  [&](std::size_t at, const snapshot::Placement& p, const snapshot::ParticlesPart& part) {
                    const auto slots = [&](std::vector<std::uint32_t> ids) {
                      for (std::uint32_t& id : ids) id = id == kernels::kNone ? kernels::kNone : p.body_slots[id];
                      return ids;
                    };
                    ParticlesSlot& slot = planned_[at];
                    slot.bodies = slots(part.bodies);
                    slot.held_by = slots(part.held_by);
                    slot.anchors = part.anchors;
                    slot.broken = part.broken;
                    slot.of = from.image.particles[part.of];
                  });
}

void ParticleFeature::become(snapshot::Restore&) {
  constraints.take(std::move(planned_));
  fluids.forget();
  known = false;
}

}  // namespace cairn
