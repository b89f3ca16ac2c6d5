// The particles of a scene, without a World: their memory, and warnings.

#include <algorithm>
#include <iterator>
#include <string>

#include "cairn/world.h"
#include "src/exec/counted_memory.h"
#include "src/exec/out_of_memory.h"
#include "src/particles/particle_feature.h"
#include "src/world/estimate.h"

namespace cairn {
namespace {

/// The sets of so many copies of a scene.
std::vector<ParticlesSlot> sets_of(const Scene& scene, std::uint32_t worlds) {
  std::vector<ParticlesSlot> sets;
  for (std::uint32_t w = 0; w < worlds; ++w) {
    const auto first = static_cast<std::uint32_t>(w * scene.bodies().size());
    for (const SceneParticles& of : scene.particles()) {
      ParticlesSlot& slot = sets.emplace_back();
      slot.world = w;
      slot.of = std::shared_ptr<const ParticleSet>(std::shared_ptr<const ParticleSet>(), &of.description);
      for (std::uint32_t i = 0; i < of.description.positions.size(); ++i) {
        slot.bodies.push_back(first + of.first_body + i);
      }
      for (const Attachment& a : of.description.attachments) slot.held_by.push_back(first + a.body);
      slot.anchors.resize(of.description.attachments.size());
    }
  }
  return sets;
}

std::vector<std::string> find_warnings(const Scene& scene) {
  std::vector<std::string> warnings;
  if (scene.particles().empty()) return warnings;
  exec::CountedMemory memory;
  ConstraintStore constraints(memory.journal);
  std::vector<BodySlot> bodies = slots_for(scene, 1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].body = scene.bodies()[i];
    bodies[i].compute_mass(scene.materials());
  }
  constraints.take(sets_of(scene, 1));
  if (constraints.empty()) return warnings;
  constraints.set_order(bodies, std::vector<std::uint32_t>{0}, 1);
  const std::vector<std::vector<ConstraintNeed>> needs = constraints.needs(scene.params().sweep);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    std::ranges::copy(warnings_of(scene.particles()[i].description, needs[i], scene.params()),
                      std::back_inserter(warnings));
  }
  return warnings;
}

}  // namespace

std::vector<std::string> constraint_warnings(const Scene& scene) {
  return with_heap([&] { return find_warnings(scene); });
}

std::uint64_t ParticleFeature::bytes(const Estimate& of) {
  exec::CountedMemory memory;
  ConstraintStore constraints(memory.journal);
  FluidStore fluids(memory.journal);
  if (!of.scene.particles().empty()) {
    const std::vector<BodySlot> bodies = slots_for(of.scene, of.worlds());
    constraints.take(sets_of(of.scene, of.worlds()));
    if (!constraints.empty()) constraints.set_order(bodies, of.parts.of_world, of.parts.count);
    fluids.set(constraints.all(), bodies.size(), of.parts.of_world, of.parts.count);
  }
  StepContext step = of.step;
  fluids.show(step, static_cast<std::uint32_t>(of.scene.params().fluid_iterations));
  return memory.journal.held();
}

}  // namespace cairn
