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

/// f(array, words of one articulation) for all arrays in lanes of a kind, of a batch with its counts.
template <class F>
void each_in_lanes(Kind& kind, const F& f) {
  Batch& b = kind.batch;
  each_in_lanes(b, [&](double* Batch::*array, std::uint32_t words) { f(b.*array, words); });
  for (double** of : {&kind.next_q, &kind.was_q, &kind.home_q}) f(*of, b.coordinates);
  for (double** of : {&kind.was_v, &kind.home_v}) f(*of, b.dofs);
  f(kind.world, world_words(b));
}

/// [1] Words of one articulation in all of them.
std::size_t words_of(const CompiledArticulation& made) {
  Kind kind{.batch = shared_batch(made)};
  std::size_t all = 0;
  each_in_lanes(kind, [&](double*, std::uint32_t words) { all += words; });
  return all;
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
  std::uint32_t found = 0;
  each_in_lanes(batch, [&](double* Batch::*one, std::uint32_t words) { found = one == array ? words : found; });
  return found;
}

}  // namespace

void ArticulationStore::reserve(const ArticulationTables& tables, std::size_t bodies) {
  if (tables.articulated.empty()) return;
  std::size_t bytes = 0, words = 0;
  for (const ArticulationWords& w : tables.words) {
    bytes += table_bytes(w.made);
    words += w.slots.size() * words_of(w.made) + w.made.joints.size() + w.made.build.size();
  }
  // kinds have addresses in these buffers: if the call fails, the old arrays are restored
  const auto renew = [this]<class T>(exec::Buffer<T>& buffer, std::size_t n) {
    if (n <= buffer.capacity()) return;
    exec::Buffer<T> larger(memory_);
    larger.reserve(n);
    memory_.replace(buffer, std::move(larger));
  };
  renew(table_, bytes);
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
  memory_.replace(max_nodes_, most);
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
  double* word = word_.data();
  std::byte* table = table_.data();
  for (const ArticulationWords& w : tables_.words) {
    const auto share = [&](const std::vector<double>& made) {
      memory_.put(word, made);
      return std::exchange(word, word + made.size());
    };
    Kind kind{.batch = shared_batch(w.made)};
    Batch& b = kind.batch;
    b.count = static_cast<std::uint32_t>(w.slots.size());
    b.lanes = 1;
    b.apart = true;
    table = put_tables(memory_, w.made, table, b);
    each_in_lanes(kind, [&](double*& array, std::uint32_t words) {
      array = std::exchange(word, word + std::size_t{words} * b.count);
    });
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
  one->impl_->set_build(read(slot, &Batch::build));
  return *one;
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

std::vector<double> ArticulationStore::read(const ArticulationSlot& slot, double* Batch::*array) const {
  const Batch& batch = kinds_[slot.kind].batch;
  const std::size_t words = words_in(batch, array);
  return exec::read(memory_, batch.*array + slot.lane * words, words);
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
             joined_ ? 1u : 0u,     max_nodes_};
  s.articulation_parts = s.parts;
  s.articulation_parts.large = large_;
  s.articulation_parts.body_begin = part_begin_.data();
  s.articulation_parts.body = part_item_.data();
  // their rows use the solver with rolling friction; it has no twin without
  s.rolling = true;
}

}  // namespace cairn
