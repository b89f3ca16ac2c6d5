// The check of the articulations of an image.

#include <set>
#include <string_view>

#include "cairn/articulations.h"
#include "src/articulations/articulation_feature.h"
#include "src/snapshot/image_check.h"

namespace cairn {

using kernels::kNone;

namespace {

/// The image's articulations, compiled.
std::vector<CompiledArticulation> compiled(const snapshot::ImageCheck& in) {
  std::vector<CompiledArticulation> made;
  for (const auto& of : in.image.articulations) {
    try {
      Articulations(of->description, 1, Device::cpu(1)).set_state(of->start.q, of->start.v);
    } catch (const InvalidArgument& error) {
      in.reader.refuse(error.what());
    }
    made.push_back(compile(of->description));
    if (of->bodies.size() != made.back().links.size()) in.reader.refuse("an articulation of other links than it says");
  }
  return made;
}

}  // namespace

void ArticulationFeature::check_image(snapshot::ImageCheck& of) {
  of.require_slots(&snapshot::WorldPart::articulations);
  const std::vector<CompiledArticulation> all = compiled(of);
  std::uint32_t next = 0;  // the first without a world so far
  for (snapshot::WorldCheck& world : of.worlds) {
    std::set<std::string_view> names;
    for (const snapshot::ArticulationPart& part : world.part.articulations) {
      const ArticulationMotion& m = part.motion;
      const std::size_t words =
          m.q.size() + m.v.size() + m.force.size() + m.target.size() + m.target_rate.size() + m.joint.size();
      if (part.of == kNone) {
        world.require(words == 0, "an articulation that was removed has coordinates");
        continue;
      }
      world.require(part.generation != 0, "an articulation without a generation");
      world.require(part.of <= next && part.of < all.size(), "an articulation that isn't there, or out of order");
      next += part.of == next ? 1 : 0;
      const SceneArticulation& described = *of.image.articulations[part.of];
      const CompiledArticulation& made = all[part.of];
      world.require(names.insert(described.description.name).second, "two articulations of one name");
      // state values may be anything, as poses may
      world.require(m.q.size() == made.coordinates && m.target.size() == made.coordinates &&
                        m.v.size() == made.dofs.size() && m.force.size() == made.dofs.size() &&
                        m.target_rate.size() == made.dofs.size(),
                    "an articulation of another number of coordinates or rates");
      world.require(joints_are_allowed(made, m.joint), "an articulation with joints that none may have");
      std::uint32_t owner = kNone;
      for (std::size_t link = 0; link < described.bodies.size(); ++link) {
        const std::uint32_t body = described.bodies[link];
        if (body == kNoLinkBody) continue;
        world.require(body < world.part.bodies, "a link of a body that isn't there");
        if (made.links[link].node == kNone) continue;
        world.require(world.alive(body) && world.dynamic(body) && world.owner[body] == kNone,
                      "a link of a body that can't be moved, or is another's");
        if (owner == kNone) owner = body;
        world.owner[body] = owner;
      }
      world.require(owner != kNone, "an articulation without a body that moves");
    }
  }
  if (next != all.size()) of.reader.refuse("an articulation that no world has");
}

}  // namespace cairn
