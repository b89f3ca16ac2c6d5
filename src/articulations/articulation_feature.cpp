#include "src/articulations/articulation_feature.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/articulations/scale_links.h"
#include "src/snapshot/capture.h"
#include "src/snapshot/restore.h"
#include "src/world/handle.h"
#include "src/world/impl.h"

namespace cairn {

ArticulationFeature::ArticulationFeature(Impl& of) : Feature(of), store(of.memory) {}

void ArticulationFeature::take(std::span<const Scene* const> scenes) {
  std::vector<const std::vector<std::uint32_t>*> body_slots;
  for (const WorldSlot& world : world_.worlds) body_slots.push_back(&world.body_slots);
  std::vector<ArticulationSlot> all = articulation_slots(scenes, body_slots);
  if (!all.empty()) become(ArticulationTables(std::move(all)));
}

void ArticulationFeature::become(ArticulationTables tables) {
  store.become(std::move(tables), world_.slots);
  std::vector<std::uint32_t> flags, owner;
  const kernels::Bodies& bodies = world_.arrays.bodies.view();
  if (!store.empty()) {
    flags = world_.read(bodies.flags, world_.slots.size());
    owner.resize(world_.slots.size(), 0);
  }
  for (std::uint32_t body = 0; body < world_.slots.size(); ++body) {
    BodySlot& slot = world_.slots[body];
    if (slot.link != store.is_link(body)) world_.memory.replace(slot.link, !slot.link);
  }
  world_.masses_known = false;
  if (store.empty()) return;
  for (const kernels::LinkBody& link : store.links()) {
    flags[link.body] = (flags[link.body] | kernels::kBodyLink) & ~std::uint32_t{kernels::kBodyGyroscopic};
    owner[link.body] = store.owner_of(link.body);
  }
  world_.memory.put(bodies.flags, flags);
  world_.memory.put(bodies.owner, owner);
  for (const ArticulationSlot& slot : store.all()) {
    if (slot.alive()) world_.scales.rescale(slot.world, Rescale::kLinks);
  }
}

void ArticulationFeature::check_draws(std::span<const std::uint8_t> chosen, const Randomisation& ranges) const {
  using namespace kernels::articulate;
  const JointDraws draws(ranges);
  if (!draws.any()) return;
  for (const ArticulationSlot& slot : store.all()) {
    if (!slot.alive() || chosen[slot.world] == 0) continue;
    const CompiledArticulation& made = store.made(slot);
    for (const bool most : {false, true}) {
      std::vector<double> joints = made.joints;
      for (const Node& node : made.nodes) {
        put_draws(draws, node, made.joints.data(), {joints.data(), 1},
                  [&](std::uint32_t k) { return double{most ? draws.of[k].range.high : draws.of[k].range.low}; });
      }
      note_bounds({joints.data(), 1}, static_cast<std::uint32_t>(made.dofs.size()));
      if (joints_are_allowed(made, joints)) continue;
      throw InvalidArgument("randomise: articulation \"" + slot.of->description.name +
                            "\" could have a joint whose armature, gains, limits or force are out of range");
    }
  }
}

void ArticulationFeature::check(const StepParams& params) const {
  if (!traits_of(params.solver).articulations) refuse("step by " + std::string(word_of(params.solver)));
  if (params.sweep == SweepKind::kJacobi) refuse("step by Jacobi sweeps");
}

void ArticulationFeature::show(StepContext& step, bool) {
  store.show(step, static_cast<std::uint32_t>(world_.slots.size()), world_.part_of_world);
}

void ArticulationFeature::refuse(const std::string& call) const {
  for (const ArticulationSlot& slot : store.all()) {
    if (!slot.alive()) continue;
    throw InvalidArgument(call + ": not where there are articulations, and there is articulation \"" +
                          slot.of->description.name + "\"");
  }
}

void ArticulationFeature::refuse_link(const char* call, std::uint32_t body) const {
  if (!store.is_link(body)) return;
  throw InvalidArgument(std::string(call) + ": " + label(world_.slots[body].body) +
                        " is a link, which its articulation moves");
}

void ArticulationFeature::refuse_part(const char* call, std::uint32_t body) const {
  for (const ArticulationSlot& slot : store.all()) {
    if (!slot.alive() || slot.world != world_.slots[body].world || std::ranges::count(slot.bodies, body) == 0) continue;
    throw InvalidArgument(std::string(call) + ": " + label(world_.slots[body].body) + " is a link of articulation \"" +
                          slot.of->description.name + "\", and goes with it");
  }
}

const ArticulationSlot& ArticulationFeature::at(ArticulationHandle handle) const {
  return store.all()[slot_of(store.all(), handle, "articulation", "articulation")];
}

ArticulationHandle ArticulationFeature::add(LinkBodies links, std::uint32_t world) {
  const std::vector<std::uint32_t> bodies = world_.add_group(world, links.bodies, links.ignored);
  for (std::uint32_t& body : links.made.bodies) body = body == kNoLinkBody ? body : world_.slots[bodies[body]].id;
  std::vector<ArticulationMotion> motions = store.motions();
  motions.push_back({});
  std::vector<ArticulationSlot> slots(store.all().begin(), store.all().end());
  const std::size_t at = empty_slot(slots, world);
  const std::uint32_t generation = slots[at].generation + 1;
  const auto of = std::make_shared<const SceneArticulation>(std::move(links.made));
  slots[at] = articulation_slot(of, world, world_.worlds[world].body_slots);
  slots[at].generation = generation;
  ArticulationTables tables(std::move(slots));
  const CompiledArticulation& made = tables.words[tables.slots[at].kind].made;
  const std::vector<double> still(made.dofs.size(), 0);
  motions[at] = {of->start.q, of->start.v, still, of->start.q, still, made.joints, {}};
  become(std::move(tables));
  store.set_motions(motions);
  world_.scales.rescale(world, Rescale::kNew);
  return {static_cast<std::uint32_t>(at + 1), generation};
}

void ArticulationFeature::remove(ArticulationHandle handle) {
  world_.synchronise();
  std::vector<ArticulationMotion> motions = store.motions();
  std::vector<ArticulationSlot> slots(store.all().begin(), store.all().end());
  ArticulationSlot& slot = slots[handle.index - 1];
  const std::vector<std::uint32_t> bodies = std::exchange(slot.bodies, {});
  slot.of = nullptr;
  motions[handle.index - 1] = {};
  become(ArticulationTables(std::move(slots)));
  store.set_motions(motions);
  for (const std::uint32_t body : bodies) {
    if (body != kNoLinkBody) world_.remove_body(body);
  }
  world_.forget_orders();
}

void ArticulationFeature::wake(const ArticulationSlot& slot) {
  // one link is enough: all are in one island
  const auto link = std::ranges::find_if(slot.bodies, [&](std::uint32_t body) { return store.is_link(body); });
  world_.wake(*link);
}

void ArticulationFeature::wake_links_with(std::uint32_t body) {
  for (const ArticulationSlot& slot : store.all()) {
    if (!slot.alive() || slot.world != world_.slots[body].world || std::ranges::count(slot.bodies, body) == 0) continue;
    for (const std::uint32_t link : slot.bodies) {
      if (store.is_link(link)) world_.wake_touched(link, true);
    }
  }
}

void ArticulationFeature::capture(snapshot::Capture& to) {
  const std::vector<ArticulationMotion> motions = store.motions();
  std::unordered_map<const SceneArticulation*, std::uint32_t> number_of;
  for (std::uint32_t w = 0; w < to.image.worlds.size(); ++w) {
    for (const std::uint32_t slot : slots_of_world(store.all(), to.first + w)) {
      // bodies, kind and lane follow
      const auto& [world, generation, bodies, of, kind, lane] = store.all()[slot];
      std::uint32_t number = kernels::kNone;
      if (of != nullptr) {
        const auto next = static_cast<std::uint32_t>(to.image.articulations.size());
        number = number_of.emplace(of.get(), next).first->second;
        if (number == next) to.image.articulations.push_back(of);
      }
      to.image.worlds[w].articulations.push_back({slot, generation, number, motions[slot]});
    }
  }
}

void ArticulationFeature::plan(snapshot::Restore& from) {
  std::vector<ArticulationSlot> slots;
  planned_motions_.clear();
  if (!from.whole) {
    slots.assign(store.all().begin(), store.all().end());
    planned_motions_ = store.motions();
  }
  const auto place = [&](std::size_t at, const snapshot::Placement& p, const snapshot::ArticulationPart& part) {
    const std::uint32_t generation = slots[at].generation;
    slots[at] = articulation_slot(from.image.articulations[part.of], p.to, p.body_slots);
    slots[at].generation = generation;
    planned_motions_.resize(slots.size());
    planned_motions_[at] = part.motion;
  };
  from.plan_slots(slots, &snapshot::WorldPart::articulations, place);
  planned_motions_.resize(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].alive()) planned_motions_[i] = {};
  }
  planned_ = ArticulationTables(std::move(slots));
  store.reserve(planned_, from.bodies);
}

void ArticulationFeature::become(snapshot::Restore&) {
  become(std::move(planned_));
  store.set_motions(planned_motions_);
}

}  // namespace cairn
