#include "src/constraints/world_particles.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/common/frame.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/restore.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// [m] Where a point of the world is in the frame of a body of a scene.
Vec3d in_frame_of(const Body& body, Vec3d point) {
  const Vec3d from = kernels::operator-(point, body.position);
  return kernels::turn(kernels::conjugate(kernels::widen(body.orientation)), from);
}

}  // namespace

WorldParticles::WorldParticles(Impl& of) : Feature(of), constraints(of.memory), fluids(of.memory) {}

void WorldParticles::take(std::span<const Scene* const> scenes) {
  std::vector<ParticlesSlot> all;
  // copies of one scene share what they are made of
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

void WorldParticles::forget(std::uint32_t body) {
  constraints.forget(body);
  known = false;
}

void WorldParticles::add_neighbours(std::uint32_t body, std::vector<std::uint32_t>& to) const {
  const std::vector<std::uint32_t> held = constraints.held_to(body);
  to.insert(to.end(), held.begin(), held.end());
}

void WorldParticles::order() {
  const std::uint32_t parts = world_.arrays.part_count;
  if (!constraints.empty()) constraints.set_order(world_.slots, world_.part_of_world, parts);
  fluids.set(constraints.all(), world_.slots.size(), world_.part_of_world, parts);
  world_.has(known);
}

void WorldParticles::show(StepContext& step, bool of_step) {
  constraints.show(step, static_cast<std::uint32_t>(world_.params.particle_iterations), of_step);
  fluids.show(step, static_cast<std::uint32_t>(world_.params.fluid_iterations));
}

const ParticlesSlot& WorldParticles::at(ParticlesHandle handle) const {
  std::uint32_t count = 0;
  for (const ParticlesSlot& slot : constraints.all()) {
    if (slot.world == handle.world && ++count == handle.index) return slot;
  }
  throw InvalidArgument("particles handle {" + std::to_string(handle.index) + ", world " +
                        std::to_string(handle.world) + "}: there are " + std::to_string(count));
}

void WorldParticles::refuse(const char* call, std::optional<std::uint32_t> world) const {
  for (const ParticlesSlot& slot : constraints.all()) {
    if (world && slot.world != *world) continue;
    throw InvalidArgument(std::string(call) + ": not where there are particles, and there are \"" + slot.of->name +
                          "\"");
  }
}

void WorldParticles::capture(snapshot::Capture& to) const {
  std::unordered_map<const ParticleSet*, std::uint32_t> number_of;
  const auto ids = [&](std::vector<std::uint32_t> of) {
    for (std::uint32_t& body : of) body = body == kernels::kNone ? kernels::kNone : to.body_id[body];
    return of;
  };
  const std::vector<std::uint32_t> broken = constraints.read_broken();
  for (const ParticlesSlot& slot : constraints.all()) {
    // `first` of a slot follows
    if (slot.world < to.first || slot.world - to.first >= to.image.worlds.size()) continue;
    const auto next = static_cast<std::uint32_t>(to.image.particles.size());
    const std::uint32_t number = number_of.emplace(slot.of.get(), next).first->second;
    if (number == next) to.image.particles.push_back(slot.of);
    to.image.worlds[slot.world - to.first].particles.push_back(
        {number, ids(slot.bodies), ids(slot.held_by), slot.anchors, constraints.broken(slot, broken)});
  }
}

void WorldParticles::plan(snapshot::Restore& from) {
  planned_.clear();
  if (!from.whole) {
    const std::vector<bool> replaced = from.replaced();
    const std::vector<std::uint32_t> broken = constraints.read_broken();
    for (const ParticlesSlot& slot : constraints.all()) {
      if (replaced[slot.world]) continue;
      planned_.push_back(slot);
      planned_.back().broken = constraints.broken(slot, broken);
    }
  }
  for (const snapshot::Placement& p : from.placements) {
    const auto slots = [&](std::vector<std::uint32_t> ids) {
      for (std::uint32_t& id : ids) id = id == kernels::kNone ? kernels::kNone : p.body_slots[id];
      return ids;
    };
    for (const snapshot::ParticlesPart& part : from.image.worlds[p.from].particles) {
      planned_.push_back({p.to, slots(part.bodies), slots(part.held_by), part.anchors, part.broken,
                          from.image.particles[part.of]});
    }
  }
  std::ranges::stable_sort(planned_, {}, &ParticlesSlot::world);
}

void WorldParticles::become(snapshot::Restore&) {
  constraints.take(std::move(planned_));
  known = false;
}

}  // namespace cairn
