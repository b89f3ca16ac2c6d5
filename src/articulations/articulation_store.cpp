// Articulations of a World, copied to its device.

#include "src/articulations/articulation_store.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/articulations/articulations_impl.h"

namespace cairn {
namespace {

using kernels::articulate::Batch;
using kernels::articulate::Kind;

constexpr std::size_t kPushWords = 6;  // of a node, in Batch::push

/// [1] Words of one articulation in all arrays of its kind.
std::size_t words_of(const CompiledArticulation& made) {
  using namespace kernels::articulate;
  const auto nodes = static_cast<std::uint32_t>(made.nodes.size()), dofs = static_cast<std::uint32_t>(made.dofs.size());
  const auto couplings = static_cast<std::uint32_t>(made.couplings.size());
  // those of coordinates and rates, see ArticulationStore::place_kinds
  return 5 * std::size_t{made.coordinates} + kPushWords * nodes + std::size_t{6} * dofs + made.joints.size() +
         made.build.size() + std::size_t{work_words(nodes, dofs, couplings)} + world_words(nodes, dofs, couplings);
}

/// Calls f(array, motion) for each member of ArticulationMotion.
template <class F>
void each_array(F f) {
  f(&Batch::q, &ArticulationMotion::q);
  f(&Batch::v, &ArticulationMotion::v);
  f(&Batch::force, &ArticulationMotion::force);
  f(&Batch::target, &ArticulationMotion::target);
  f(&Batch::target_rate, &ArticulationMotion::target_rate);
  f(&Batch::joint, &ArticulationMotion::joint);
  f(&Batch::build, &ArticulationMotion::build);
}

/// [1] Words of one articulation in one of these arrays.
std::uint32_t words_in(const Batch& batch, double* Batch::*array) {
  if (array == &Batch::joint) return kernels::articulate::joint_words(batch.dofs);
  if (array == &Batch::build) return kernels::articulate::build_words(batch.nodes, batch.links);
  return array == &Batch::q || array == &Batch::target ? batch.coordinates : batch.dofs;
}

}  // namespace

void ArticulationStore::reserve(const ArticulationTables& tables, std::size_t bodies) {
  if (tables.articulated.empty()) return;
  std::size_t nodes = 0, dofs = 0, places = 0, couplings = 0, terms = 0, levels = 0, words = 0;
  for (const ArticulationWords& w : tables.words) {
    nodes += w.made.nodes.size();
    dofs += w.made.dofs.size();
    places += w.made.links.size();
    couplings += w.made.couplings.size();
    terms += w.made.terms.size();
    levels += w.made.levels.size();
    words += w.slots.size() * words_of(w.made) + w.made.joints.size() + w.made.build.size();
  }
  // kinds have addresses in these buffers: if the call fails, the old arrays are restored
  const auto renew = [this]<class T>(exec::Buffer<T>& buffer, std::size_t n) {
    if (n <= buffer.capacity()) return;
    exec::Buffer<T> larger(memory_);
    larger.reserve(n);
    memory_.replace(buffer, std::move(larger));
  };
  renew(node_, nodes);
  renew(dof_, dofs);
  renew(place_, places);
  renew(coupling_, couplings);
  renew(term_, terms);
  renew(level_, levels);
  renew(word_, words);
  kind_.reserve(tables.words.size());
  articulated_there_.reserve(tables.articulated.size());
  link_.reserve(tables.links.size());
  state_.reserve(tables.links.size());
  of_body_there_.reserve(bodies + 1);
  row_.reserve(tables.articulated.size());
}

void ArticulationStore::become(ArticulationTables tables, const std::vector<BodySlot>& bodies) {
  memory_.replace(tables_, std::move(tables));
  tables_.compute_masses(bodies);
  memory_.replace(kinds_, {});
  memory_.replace(of_body_, {});
  memory_.replace(part_of_world_, {});
  if (empty()) return;
  std::uint32_t most = 0;
  for (const ArticulationWords& w : tables_.words) {
    most = std::max(most, static_cast<std::uint32_t>(w.made.nodes.size()));
  }
  memory_.replace(most_nodes_, most);
  reserve(tables_, bodies.size());
  of_body_.assign(bodies.size() + 1, kernels::kNone);
  for (std::uint32_t i = 0; i < tables_.links.size(); ++i) of_body_[tables_.links[i].body] = i;
  memory_.zero(word_.data(), word_.bytes());
  place_kinds();
  put(kind_, kinds_);
  put(articulated_there_, tables_.articulated);
  put(link_, tables_.links);
  put(of_body_there_, of_body_);
  std::vector<std::uint32_t> row(tables_.articulated.size());
  std::iota(row.begin(), row.end(), 0u);
  std::ranges::stable_sort(row, {}, [&](std::uint32_t i) { return tables_.articulated[i].world; });
  put(row_, row);
  memory_.zero(state_.data(), state_.bytes());
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    const Kind& kind = kinds_[k];
    const auto start = [&](std::uint32_t slot) -> const ArticulationState& { return tables_.slots[slot].of->start; };
    for (double* const to : {kind.batch.q, kind.batch.target, kind.home_q}) {
      fill(to, k, kind.batch.coordinates, [&](std::uint32_t slot) { return std::span(start(slot).q); });
    }
    const CompiledArticulation& made = tables_.words[k].made;
    const auto fill_all = [&](double* to, const std::vector<double>& words) {
      fill(to, k, static_cast<std::uint32_t>(words.size()), [&](std::uint32_t) { return std::span(words); });
    };
    fill_all(kind.batch.joint, made.joints);
    fill_all(kind.batch.build, made.build);
    for (double* const to : {kind.batch.v, kind.home_v}) {
      fill(to, k, kind.batch.dofs, [&](std::uint32_t slot) { return std::span(start(slot).v); });
    }
  }
}

/// All words of all kinds are in one block: kind by kind, array by array.
void ArticulationStore::place_kinds() {
  using namespace kernels::articulate;
  double* word = word_.data();
  std::size_t node = 0, dof = 0, place = 0, coupling = 0, term = 0, level = 0;
  for (const ArticulationWords& w : tables_.words) {
    const auto share = [&](const std::vector<double>& made) {
      memory_.put(word, made);
      return std::exchange(word, word + made.size());
    };
    const auto take = [&](std::size_t words) { return std::exchange(word, word + words * w.slots.size()); };
    Kind kind{.batch = shared_batch(w.made)};
    Batch& b = kind.batch;
    b.count = static_cast<std::uint32_t>(w.slots.size());
    b.lanes = 1;
    b.apart = true;
    b.node = node_.data() + node;
    b.dof = dof_.data() + dof;
    b.link = place_.data() + place;
    b.coupling = coupling_.data() + coupling;
    b.term = term_.data() + term;
    b.level = level_.data() + level;
    put(node_, w.made.nodes, node);
    put(dof_, w.made.dofs, dof);
    put(place_, w.made.links, place);
    put(coupling_, w.made.couplings, coupling);
    put(term_, w.made.terms, term);
    put(level_, w.made.levels, level);
    node += b.nodes;
    dof += b.dofs;
    place += b.links;
    coupling += b.couplings;
    term += w.made.terms.size();
    level += w.made.levels.size();
    for (double** of : {&b.q, &b.target, &kind.next_q, &kind.was_q, &kind.home_q}) *of = take(b.coordinates);
    for (double** of : {&b.v, &b.force, &b.target_rate, &b.given, &kind.was_v, &kind.home_v}) *of = take(b.dofs);
    b.joint = take(joint_words(b.dofs));
    b.build = take(build_words(b.nodes, b.links));
    b.push = take(kPushWords * b.nodes);
    b.work = take(work_words(b.nodes, b.dofs, b.couplings));
    kind.world = take(world_words(b.nodes, b.dofs, b.couplings));
    kind.made_joint = share(w.made.joints);
    kind.made_build = share(w.made.build);
    kinds_.push_back(kind);
  }
}

/// Fills an array of a kind, for all its articulations: `of` gives the values of each slot.
template <class F>
void ArticulationStore::fill(double* array, std::uint32_t kind, std::uint32_t words, F of) const {
  std::vector<double> all;
  all.reserve(std::size_t{words} * kinds_[kind].batch.count);
  for (const std::uint32_t slot : tables_.words[kind].slots) {
    const std::span<const double> values = of(slot);
    all.insert(all.end(), values.begin(), values.end());
  }
  memory_.put(array, all);
}

ArticulationRows ArticulationStore::rows() const {
  ArticulationRows rows{.rows = static_cast<std::uint32_t>(tables_.articulated.size())};
  for (const ArticulationWords& w : tables_.words) {
    rows.coordinates = std::max(rows.coordinates, w.made.coordinates);
    rows.rates = std::max(rows.rates, static_cast<std::uint32_t>(w.made.dofs.size()));
  }
  return rows;
}

Articulations& ArticulationStore::alone(const ArticulationSlot& slot) {
  std::unique_ptr<Articulations>& one = tables_.words[slot.kind].alone;
  if (one == nullptr) one = std::make_unique<Articulations>(slot.of->description, 1, Device::cpu(1));
  one->impl_->set_build(read(slot, &Batch::build, words_in(kinds_[slot.kind].batch, &Batch::build)));
  return *one;
}

std::vector<std::uint32_t> ArticulationStore::slots_of(std::uint32_t world) const {
  std::vector<std::uint32_t> of;
  for (std::uint32_t i = 0; i < tables_.slots.size(); ++i) {
    if (tables_.slots[i].world == world) of.push_back(i);
  }
  return of;
}

std::vector<ArticulationMotion> ArticulationStore::motions() const {
  std::vector<ArticulationMotion> all(tables_.slots.size());
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    const Batch& batch = kinds_[k].batch;
    each_array([&](auto array, auto member) {
      const std::size_t words = words_in(batch, array);
      const std::vector<double> values = exec::read(memory_, batch.*array, words * batch.count);
      auto value = values.begin();
      for (const std::uint32_t slot : tables_.words[k].slots) {
        (all[slot].*member).assign(value, value + static_cast<std::ptrdiff_t>(words));
        value += static_cast<std::ptrdiff_t>(words);
      }
    });
  }
  return all;
}

void ArticulationStore::set_motions(std::span<const ArticulationMotion> motions) const {
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    each_array([&](auto array, auto member) {
      fill(kinds_[k].batch.*array, k, words_in(kinds_[k].batch, array), [&](std::uint32_t slot) {
        const std::vector<double>& of = motions[slot].*member;
        return std::span<const double>(of.empty() && array == &Batch::build ? tables_.words[k].made.build : of);
      });
    });
    // no step was taken yet
    fill(kinds_[k].was_v, k, kinds_[k].batch.dofs,
         [&](std::uint32_t slot) { return std::span<const double>(motions[slot].v); });
  }
}

std::vector<double> ArticulationStore::read(const ArticulationSlot& slot, double* Batch::*array,
                                            std::uint32_t words) const {
  return exec::read(memory_, kinds_[slot.kind].batch.*array + std::size_t{slot.lane} * words, words);
}

void ArticulationStore::write(const ArticulationSlot& slot, double* Batch::*array,
                              std::span<const double> values) const {
  memory_.put(kinds_[slot.kind].batch.*array + std::size_t{slot.lane} * values.size(), values);
}

void ArticulationStore::set_joined(std::span<const JointEdge> joints) {
  std::vector<kernels::Articulated> articulated = tables_.articulated;
  for (kernels::Articulated& of : articulated) of.joined = 0;
  bool joined = false;
  for (const JointEdge& joint : joints) {
    for (const std::uint32_t body : {joint.body_a, joint.body_b}) {
      if (body == kernels::kNone || !is_link(body)) continue;
      articulated[tables_.links[of_body_[body]].articulation].joined = 1;
      joined = true;
    }
  }
  put(articulated_there_, articulated);
  memory_.replace(tables_.articulated, std::move(articulated));
  memory_.replace(joined_, joined);
}

void ArticulationStore::set_parts(std::uint32_t parts, std::span<const std::uint32_t> part_of_world) {
  if (!part_of_world_.empty() && std::ranges::equal(part_of_world_, part_of_world)) return;
  std::vector<std::vector<std::uint32_t>> items(parts);
  for (std::uint32_t i = 0; i < tables_.articulated.size(); ++i) {
    items[part_of_world[tables_.articulated[i].world]].push_back(i);
  }
  std::vector<std::uint32_t> begin{0}, item;
  for (auto& of : items) {
    // articulations of a kind are solved four at a time where the processor can
    std::ranges::stable_sort(of, {}, [&](std::uint32_t i) { return tables_.articulated[i].kind; });
    item.insert(item.end(), of.begin(), of.end());
    begin.push_back(static_cast<std::uint32_t>(item.size()));
  }
  part_begin_.assign(begin);
  part_item_.reserve(std::max<std::size_t>(item.size(), 1));
  memory_.put(part_item_.data(), item);
  memory_.replace(large_, begin[1]);
  memory_.replace(part_of_world_, {part_of_world.begin(), part_of_world.end()});
}

void ArticulationStore::show(StepContext& s, std::uint32_t bodies, std::span<const std::uint32_t> part_of_world) {
  if (empty()) return;
  set_parts(s.parts.swept, part_of_world);
  if (of_body_.size() < std::size_t{bodies} + 1) {
    memory_.resizes(of_body_);
    of_body_.resize(std::size_t{bodies} + 1, kernels::kNone);
    of_body_there_.assign(of_body_);
  }
  s.links = {of_body_there_.data(), link_.data(),
             state_.data(),         articulated_there_.data(),
             kind_.data(),          s.bodies.solve,
             s.bodies.sqrt_inertia, static_cast<std::uint32_t>(tables_.articulated.size()),
             joined_ ? 1u : 0u,     most_nodes_};
  s.articulation_parts = s.parts;
  s.articulation_parts.large = large_;
  s.articulation_parts.body_begin = part_begin_.data();
  s.articulation_parts.body = part_item_.data();
  // their rows use the solver with rolling friction; it has no twin without
  s.rolling = true;
}

}  // namespace cairn
