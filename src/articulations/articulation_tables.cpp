// Articulations of a World, grouped by build: articulations of one build share their tables and move side by side.

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "kernels/articulations/turn.h"
#include "src/articulations/articulation_feature.h"
#include "src/exec/counted_memory.h"
#include "src/world/estimate.h"

namespace cairn {
namespace {

/// Ignores names and shapes: a step uses LinkBody instead.
bool same_build(const Articulation& a, const Articulation& b) {
  const auto alike = [](const ArticulationLink& p, const ArticulationLink& q) {
    return p.parent == q.parent && p.frame_in_parent == q.frame_in_parent && p.frame_in_link == q.frame_in_link &&
           p.joint == q.joint && p.mass == q.mass && p.centre_of_mass == q.centre_of_mass && p.inertia == q.inertia;
  };
  const auto acts_alike = [](const ArticulationCoupling& p, ArticulationCoupling q) {
    q.name = p.name;
    return p == q;
  };
  return std::ranges::equal(a.links, b.links, alike) && std::ranges::equal(a.couplings, b.couplings, acts_alike);
}

/// Equal for equal builds.
std::uint64_t hash_of(const Articulation& of) {
  std::uint64_t hash = of.links.size();
  for (const ArticulationLink& link : of.links) {
    for (const std::uint64_t part : {std::bit_cast<std::uint64_t>(link.mass), std::uint64_t{link.parent}}) {
      hash = (hash ^ part) * 0x100000001b3u;
    }
  }
  return hash;
}

/// Whether a link is a body that can move.
bool moves(const ArticulationSlot& slot, const CompiledArticulation& made, std::size_t link) {
  return slot.bodies[link] != kNoLinkBody && made.links[link].node != kernels::kNone;
}

}  // namespace

ArticulationSlot articulation_slot(std::shared_ptr<const SceneArticulation> of, std::uint32_t world,
                                   std::span<const std::uint32_t> body_slots) {
  ArticulationSlot slot{.world = world, .of = std::move(of)};
  for (const std::uint32_t body : slot.of->bodies) {
    slot.bodies.push_back(body == kNoLinkBody ? kNoLinkBody : body_slots[body]);
  }
  return slot;
}

std::vector<ArticulationSlot> articulation_slots(std::span<const Scene* const> scenes,
                                                 std::span<const std::vector<std::uint32_t>* const> body_slots) {
  std::vector<ArticulationSlot> all;
  // copies of one scene share their descriptions
  std::unordered_map<const SceneArticulation*, std::shared_ptr<const SceneArticulation>> kept;
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    for (const SceneArticulation& of : scenes[w]->articulations()) {
      auto& own = kept[&of];
      if (own == nullptr) own = std::make_shared<const SceneArticulation>(of);
      all.push_back(articulation_slot(own, w, *body_slots[w]));
    }
  }
  return all;
}

ArticulationTables::ArticulationTables(std::vector<ArticulationSlot> of) : slots(std::move(of)) {
  // copies of one scene share their descriptions; others are compared
  std::unordered_map<const SceneArticulation*, std::uint32_t> seen;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash;
  std::vector<const Articulation*> of_kind;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    ArticulationSlot& slot = slots[i];
    if (!slot.alive()) continue;
    auto found = seen.find(slot.of.get());
    if (found == seen.end()) {
      const Articulation& description = slot.of->description;
      std::vector<std::uint32_t>& alike = by_hash[hash_of(description)];
      const auto same =
          std::ranges::find_if(alike, [&](std::uint32_t k) { return same_build(*of_kind[k], description); });
      std::uint32_t kind = static_cast<std::uint32_t>(of_kind.size());
      if (same != alike.end()) {
        kind = *same;
      } else {
        alike.push_back(kind);
        of_kind.push_back(&description);
        words.push_back({compile(description), {}, {}});
      }
      found = seen.emplace(slot.of.get(), kind).first;
    }
    slot.kind = found->second;
    slot.lane = static_cast<std::uint32_t>(words[slot.kind].slots.size());
    words[slot.kind].slots.push_back(i);
    list(slot);
  }
}

void ArticulationTables::list(const ArticulationSlot& slot) {
  const CompiledArticulation& made = words[slot.kind].made;
  const auto begin = static_cast<std::uint32_t>(links.size()), index = static_cast<std::uint32_t>(articulated.size());
  for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
    if (!moves(slot, made, i)) continue;
    links.push_back({slot.bodies[i], index, made.links[i].node, static_cast<std::uint32_t>(i), {}, {}});
  }
  articulated.push_back({slot.kind, slot.lane, slot.world, begin, static_cast<std::uint32_t>(links.size())});
}

void ArticulationTables::compute_masses(const std::vector<BodySlot>& bodies) {
  using namespace kernels::articulate;
  auto link = links.begin();
  for (const ArticulationSlot& slot : slots) {
    for (std::size_t i = 0; i < slot.bodies.size(); ++i) {
      const CompiledArticulation& made = words[slot.kind].made;
      if (!moves(slot, made, i)) continue;
      const MassProperties& mass = bodies[slot.bodies[i]].mass;
      link->centre = place_of_link(made, i) * mass.centre_of_mass;
      link->axes = quaternion_of(made.links[i].turn) * mass.axes;
      ++link;
    }
  }
}

void ArticulationFeature::fill(ArticulationStore& store, const Estimate& of) {
  if (of.scene.articulations().empty()) return;
  const std::vector<const Scene*> scenes(of.worlds(), &of.scene);
  std::vector<std::vector<std::uint32_t>> slots(of.worlds(), std::vector<std::uint32_t>(of.bodies()));
  std::vector<const std::vector<std::uint32_t>*> of_worlds;
  std::uint32_t first = 0;
  for (auto& own : slots) {
    std::iota(own.begin(), own.end(), first);
    first += of.bodies();
    of_worlds.push_back(&own);
  }
  store.become(ArticulationTables(articulation_slots(scenes, of_worlds)), std::vector<BodySlot>(first));
}

std::uint64_t ArticulationFeature::bytes(const Estimate& of) {
  exec::CountedMemory memory;
  ArticulationStore store(memory.journal);
  fill(store, of);
  StepContext step = of.step;
  store.show(step, of.bodies() * of.worlds(), of.parts.of_world);
  return memory.journal.held();
}

}  // namespace cairn
