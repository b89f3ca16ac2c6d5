// What particles need no World for: their memory, warnings about a scene, and the check of an image.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "cairn/world.h"
#include "src/exec/counted_memory.h"
#include "src/exec/cpu_memory.h"
#include "src/exec/out_of_memory.h"
#include "src/particles/particle_feature.h"
#include "src/scene/particle_rules.h"
#include "src/snapshot/image_check.h"
#include "src/world/estimate.h"

namespace cairn {
namespace {

using kernels::kNone;

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

void ParticleFeature::check_image(snapshot::ImageCheck& of) {
  of.require_slots(&snapshot::WorldPart::particles);
  for (const auto& set : of.image.particles) {
    if (const auto fault = rules::find_fault(*set)) of.reader.refuse("particles: " + fault->field + " " + fault->rule);
  }
  std::uint32_t next = 0;  // the first without a world so far
  for (snapshot::WorldCheck& world : of.worlds) {
    std::vector<bool> taken(world.part.bodies, false);
    std::set<std::string_view> names;
    for (const snapshot::ParticlesPart& part : world.part.particles) {
      world.require(part.generation != 0, "a set of particles without a generation");
      if (part.of == kNone) {
        world.require(part.bodies.empty() && part.held_by.empty() && part.anchors.empty() && part.broken.empty(),
                      "a set of particles that was removed has some");
        continue;
      }
      world.require(part.of <= next && part.of < of.image.particles.size(),
                    "a set of particles that isn't there, or out of order");
      next += part.of == next ? 1 : 0;
      const ParticleSet& set = *of.image.particles[part.of];
      world.require(names.insert(set.name).second, "two sets of particles of one name");
      world.require(part.bodies.size() == set.positions.size() && part.held_by.size() == set.attachments.size() &&
                        part.anchors.size() == set.attachments.size(),
                    "a set of particles of another size");
      const auto is_there = [&](std::uint32_t body) { return world.alive(body) && world.owner[body] == kNone; };
      for (const std::uint32_t body : part.bodies) {
        if (body == kNone) continue;
        world.require(is_there(body) && !taken[body], "a particle that isn't there, or is another's");
        world.require(world.body(body).body.enabled, "a particle is switched off");
        taken[body] = true;
      }
      for (const std::uint32_t body : part.held_by) {
        world.require(body == kNone || is_there(body), "an attachment to a body that isn't there");
      }
      for (const Vec3d& at : part.anchors) world.require(snapshot::finite(at), "an anchor that is not finite");
      const bool known = std::ranges::all_of(part.broken, [](auto t) { return t <= 1; });
      world.require(part.broken.size() == count_constraints(set) && known,
                    "constraints of particles that are neither whole nor broken");
      if (std::ranges::find(part.broken, 1) != part.broken.end()) {
        exec::CpuMemory memory;
        exec::Journal journal(memory);
        ConstraintStore constraints(journal);
        constraints.take({{0, 1, part.bodies, part.held_by, part.anchors, part.broken, of.image.particles[part.of]}});
        world.require(constraints.broken(constraints.all()[0], constraints.read_broken()) == part.broken,
                      "constraints of particles are broken that can't break, or whose particles are gone");
      }
      world.require(world.sized(), "particles in a world with scales of size");
    }
  }
  if (next != of.image.particles.size()) of.reader.refuse("particles that no world has");
}

}  // namespace cairn
