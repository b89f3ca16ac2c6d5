// Articulations of a World, taken to its device.

#include "src/world/articulations.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/articulate/turn.h"

namespace cairn {
namespace {

using kernels::articulate::Kind;

/// Names and shapes are of no use in a step, which goes by LinkBody.
bool same_build(const Articulation& a, const Articulation& b) {
  const auto alike = [](const ArticulationLink& p, const ArticulationLink& q) {
    return p.parent == q.parent && p.frame_in_parent == q.frame_in_parent && p.frame_in_link == q.frame_in_link &&
           p.joint == q.joint && p.mass == q.mass && p.centre_of_mass == q.centre_of_mass && p.inertia == q.inertia;
  };
  return std::ranges::equal(a.links, b.links, alike);
}

constexpr std::size_t kPushWords = 6;  // of a node, in Batch::push

/// [1] Words of one in all arrays of its kind.
std::size_t words_of(const LoweredArticulation& made) {
  using namespace kernels::articulate;
  const std::size_t nodes = made.nodes.size(), dofs = made.dofs.size();
  // those of coordinates and rates: ArticulationStore::lay_out
  return 5 * std::size_t{made.coordinates} + (kPushWords + kNodeWords + std::size_t{kWorldNodeWords}) * nodes +
         (6 + kDofWords + std::size_t{kWorldDofWords}) * dofs;
}

}  // namespace

ArticulationStore::ArticulationStore(exec::Memory& in)
    : memory_(in),
      node_(in),
      dof_(in),
      word_(in),
      kind_(in),
      articulated_there_(in),
      link_(in),
      state_(in),
      of_body_there_(in),
      part_begin_(in),
      part_item_(in) {}

void ArticulationStore::take(std::span<const Scene* const> scenes,
                             std::span<const std::vector<std::uint32_t>* const> body_slots,
                             const std::vector<BodySlot>& slots) {
  if (std::ranges::all_of(scenes, [](const Scene* scene) { return scene->articulations().empty(); })) return;
  of_body_.assign(slots.size() + 1, kernels::kNone);
  // copies of one scene share what they are made of; others are compared, name by name
  std::unordered_map<const SceneArticulation*, std::uint32_t> seen;
  std::unordered_map<std::string, std::vector<std::uint32_t>> named;
  std::vector<std::shared_ptr<const SceneArticulation>> of_kind;
  std::unordered_map<const SceneArticulation*, std::shared_ptr<const SceneArticulation>> kept;
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    for (const SceneArticulation& of : scenes[w]->articulations()) {
      auto& own = kept[&of];
      if (own == nullptr) own = std::make_shared<const SceneArticulation>(of);
      auto found = seen.find(&of);
      if (found == seen.end()) {
        std::vector<std::uint32_t>& alike = named[of.description.name];
        const auto same = std::ranges::find_if(
            alike, [&](std::uint32_t k) { return same_build(of_kind[k]->description, of.description); });
        std::uint32_t kind = static_cast<std::uint32_t>(of_kind.size());
        if (same != alike.end()) {
          kind = *same;
        } else {
          alike.push_back(kind);
          of_kind.push_back(own);
          words_.push_back({lower(of.description), 0});
        }
        found = seen.emplace(&of, kind).first;
      }
      const std::uint32_t kind = found->second;
      slots_.push_back({w, kind, words_[kind].count++, {}, own});
      list(static_cast<std::uint32_t>(slots_.size() - 1), of, *body_slots[w], slots);
    }
  }
  reserve();
}

void ArticulationStore::list(std::uint32_t index, const SceneArticulation& of,
                             const std::vector<std::uint32_t>& body_slots, const std::vector<BodySlot>& slots) {
  using namespace kernels::articulate;
  ArticulationSlot& slot = slots_[index];
  const LoweredArticulation& made = words_[slot.kind].made;
  const auto begin = static_cast<std::uint32_t>(links_.size());
  for (std::size_t i = 0; i < of.bodies.size(); ++i) {
    slot.bodies.push_back(of.bodies[i] == kNoLinkBody ? kNoLinkBody : body_slots[of.bodies[i]]);
    const LinkPlace& place = made.links[i];
    if (slot.bodies[i] == kNoLinkBody || place.node == kernels::kNone) continue;
    const MassProperties& mass = slots[slot.bodies[i]].mass;
    of_body_[slot.bodies[i]] = static_cast<std::uint32_t>(links_.size());
    links_.push_back({slot.bodies[i], index, place.node, place.place * mass.centre_of_mass,
                     quaternion_of(place.place.r) * mass.axes});
  }
  articulated_.push_back({slot.kind, slot.lane, slot.world, begin, static_cast<std::uint32_t>(links_.size()), 0});
}

void ArticulationStore::reserve() {
  std::size_t nodes = 0, dofs = 0, words = 0;
  for (const ArticulationWords& w : words_) {
    nodes += w.made.nodes.size();
    dofs += w.made.dofs.size();
    words += w.count * words_of(w.made);
    bounded_ = bounded_ || w.made.bounded;
  }
  node_.reserve(nodes);
  dof_.reserve(dofs);
  word_.reserve(words);
  kind_.reserve(words_.size());
  articulated_there_.reserve(articulated_.size());
  link_.reserve(links_.size());
  state_.reserve(links_.size());
  of_body_there_.reserve(of_body_.size());
}

/// All words of all kinds stand in one piece: of a kind, array by array.
void ArticulationStore::lay_out() {
  using namespace kernels::articulate;
  double* word = word_.data();
  std::size_t node = 0, dof = 0;
  for (const ArticulationWords& w : words_) {
    const auto take = [&](std::size_t words) { return std::exchange(word, word + words * w.count); };
    Kind kind{};
    Batch& b = kind.batch;
    b.nodes = static_cast<std::uint32_t>(w.made.nodes.size());
    b.dofs = static_cast<std::uint32_t>(w.made.dofs.size());
    b.links = static_cast<std::uint32_t>(w.made.links.size());
    b.coordinates = w.made.coordinates;
    b.count = w.count;
    b.lanes = 1;
    b.bounded = w.made.bounded;
    b.node = node_.data() + node;
    b.dof = dof_.data() + dof;
    put(node_, w.made.nodes, node);
    put(dof_, w.made.dofs, dof);
    node += b.nodes;
    dof += b.dofs;
    for (double** of : {&b.q, &b.target, &kind.next_q, &kind.was_q, &kind.home_q}) *of = take(b.coordinates);
    for (double** of : {&b.v, &b.force, &b.target_rate, &b.given, &kind.was_v, &kind.home_v}) *of = take(b.dofs);
    b.push = take(kPushWords * b.nodes);
    b.work = take(std::size_t{kNodeWords} * b.nodes + std::size_t{kDofWords} * b.dofs);
    kind.world = take(std::size_t{kWorldNodeWords} * b.nodes + std::size_t{kWorldDofWords} * b.dofs);
    kinds_.push_back(kind);
  }
  memory_.zero(word_.data(), word_.bytes());
  put(kind_, kinds_);
  put(articulated_there_, articulated_);
  put(link_, links_);
  put(of_body_there_, of_body_);
  memory_.zero(state_.data(), state_.bytes());
  for (const ArticulationSlot& slot : slots_) {
    const ArticulationState& start = slot.of->start;
    const Kind& kind = kinds_[slot.kind];
    for (double* const to : {kind.batch.q, kind.batch.target, kind.home_q}) write_to(to, slot.lane, start.q);
    for (double* const to : {kind.batch.v, kind.home_v}) write_to(to, slot.lane, start.v);
  }
}

void ArticulationStore::write_to(double* array, std::uint32_t lane, std::span<const double> values) const {
  if (values.empty()) return;
  memory_.upload(array + std::size_t{lane} * values.size(), values.data(), values.size() * sizeof(double));
}

std::vector<double> ArticulationStore::read(const ArticulationSlot& slot, double* kernels::articulate::Batch::* array,
                                            std::uint32_t words) const {
  std::vector<double> values(words);
  if (words != 0) {
    memory_.download(values.data(), kinds_[slot.kind].batch.*array + std::size_t{slot.lane} * words,
                     words * sizeof(double));
  }
  return values;
}

void ArticulationStore::write(const ArticulationSlot& slot, double* kernels::articulate::Batch::* array,
                              std::span<const double> values) const {
  write_to(kinds_[slot.kind].batch.*array, slot.lane, values);
}

void ArticulationStore::set_joined(std::span<const JointEdge> joints) {
  for (kernels::Articulated& of : articulated_) of.joined = 0;
  joined_ = false;
  for (const JointEdge& joint : joints) {
    for (const std::uint32_t body : {joint.body_a, joint.body_b}) {
      if (body == kernels::kNone || !is_link(body)) continue;
      articulated_[links_[of_body_[body]].articulation].joined = 1;
      joined_ = true;
    }
  }
  put(articulated_there_, articulated_);
}

void ArticulationStore::set_parts(std::uint32_t parts, std::span<const std::uint32_t> part_of_world) {
  if (!part_of_world_.empty() && std::ranges::equal(part_of_world_, part_of_world)) return;
  std::vector<std::vector<std::uint32_t>> items(parts);
  for (std::uint32_t i = 0; i < articulated_.size(); ++i) {
    items[part_of_world[articulated_[i].world]].push_back(i);
  }
  std::vector<std::uint32_t> begin{0}, item;
  for (const auto& of : items) {
    item.insert(item.end(), of.begin(), of.end());
    begin.push_back(static_cast<std::uint32_t>(item.size()));
  }
  part_begin_.reserve(begin.size());
  part_item_.reserve(std::max<std::size_t>(item.size(), 1));
  memory_.upload(part_begin_.data(), begin.data(), begin.size() * sizeof(begin[0]));
  if (!item.empty()) memory_.upload(part_item_.data(), item.data(), item.size() * sizeof(item[0]));
  large_ = begin[1];
  part_of_world_.assign(part_of_world.begin(), part_of_world.end());
}

void ArticulationStore::show(StepContext& s, std::uint32_t bodies, std::span<const std::uint32_t> part_of_world) {
  if (slots_.empty()) return;
  set_parts(s.parts.count, part_of_world);
  if (of_body_.size() < std::size_t{bodies} + 1) {
    of_body_.resize(std::size_t{bodies} + 1, kernels::kNone);
    of_body_there_.reserve(of_body_.size());
    memory_.upload(of_body_there_.data(), of_body_.data(), of_body_.size() * sizeof(of_body_[0]));
  }
  s.links = {of_body_there_.data(), link_.data(),       state_.data(),
             articulated_there_.data(), kind_.data(),   s.bodies.solve,
             s.bodies.sqrt_inertia, static_cast<std::uint32_t>(articulated_.size()), bounded_ ? 1u : 0u,
             joined_ ? 1u : 0u};
  s.articulation_parts = s.parts;
  s.articulation_parts.large = large_;
  s.articulation_parts.body_begin = part_begin_.data();
  s.articulation_parts.body = part_item_.data();
  // what they are solved by goes for rows with rolling friction, which needs no twin without
  s.rolling = true;
}

std::uint64_t ArticulationStore::bytes() const {
  return node_.bytes() + dof_.bytes() + word_.bytes() + kind_.bytes() + articulated_there_.bytes() + link_.bytes() +
         state_.bytes() + of_body_there_.bytes() + part_begin_.bytes() + part_item_.bytes();
}

}  // namespace cairn
