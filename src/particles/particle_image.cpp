// The check of the particles of an image.

#include <algorithm>
#include <set>
#include <string_view>

#include "src/exec/cpu_memory.h"
#include "src/particles/particle_feature.h"
#include "src/scene/particle_rules.h"
#include "src/snapshot/image_check.h"

namespace cairn {

using kernels::kNone;

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
