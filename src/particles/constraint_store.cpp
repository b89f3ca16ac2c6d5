// The constraints of a World's particles.

#include "src/particles/constraint_store.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "kernels/common/frame.h"
#include "kernels/particles/measure_constraint.h"
#include "src/scene/particle_rules.h"

namespace cairn {

using kernels::Constraint;
using kernels::DeviceConstraintKind;
using kernels::DeviceConstraintLaw;
using kernels::kConstraintEnds;
using kernels::kNone;

namespace {

DeviceConstraintKind kind_of(ConstraintKind kind) { return static_cast<DeviceConstraintKind>(kind); }
static_assert(static_cast<int>(ConstraintKind::kStretch) == static_cast<int>(DeviceConstraintKind::kStretch) &&
              static_cast<int>(ConstraintKind::kBend) == static_cast<int>(DeviceConstraintKind::kBend) &&
              static_cast<int>(ConstraintKind::kVolume) == static_cast<int>(DeviceConstraintKind::kVolume) &&
              static_cast<int>(ConstraintKind::kShape) == static_cast<int>(DeviceConstraintKind::kShape) &&
              static_cast<int>(ConstraintKind::kElastic) == static_cast<int>(DeviceConstraintKind::kElastic));

DeviceConstraintLaw law_of(DeviceConstraintKind kind, const ConstraintLaw& law) {
  return {kind, law.compliance, law.damping, law.stiffness, law.breaking_force, 0, 0};
}
DeviceConstraintLaw law_of(const ConstraintGroup& group) {
  DeviceConstraintLaw law = law_of(kind_of(group.kind), group.law);
  law.unilateral = group.unilateral ? 1 : 0;
  if (group.kind != ConstraintKind::kElastic) return law;
  law.compliance = 1.0f / group.young_modulus;
  law.poisson_ratio = group.poisson_ratio;
  return law;
}

/// The constraint holds nothing from now on.
void forget(Constraint& constraint) { std::ranges::fill(constraint.body, kNone); }

/// A constraint's rest value if none is given: its measure at the start of its set.
float rest_of(const ParticleSet& set, DeviceConstraintKind kind, const std::uint32_t* particle) {
  if (kind == DeviceConstraintKind::kElastic) return 0;
  Vec3d r[kConstraintEnds] = {};
  for (std::uint32_t k = 1; k < kernels::ends_of(kind); ++k) {
    r[k] = kernels::operator-(set.positions[particle[k]], set.positions[particle[0]]);
  }
  return static_cast<float>(kernels::measure(kind, r).value);
}

}  // namespace

kernels::ConstraintElement element_of(const ParticleSet& set, const std::uint32_t* particle) {
  Vec3d edge[3];
  for (int i = 0; i < 3; ++i) {
    edge[i] = kernels::operator-(set.positions[particle[i + 1]], set.positions[particle[0]]);
  }
  const Vec3d normal[3] = {kernels::cross(edge[1], edge[2]), kernels::cross(edge[2], edge[0]),
                           kernels::cross(edge[0], edge[1])};
  const double six_volumes = kernels::dot(edge[0], normal[0]);
  kernels::ConstraintElement made;
  for (int i = 0; i < 3; ++i) made.by[i] = kernels::operator*(1 / six_volumes, normal[i]);
  made.volume = std::abs(six_volumes) / 6;
  return made;
}

const std::shared_ptr<const ParticleSet>& no_particles() {
  static const auto none = std::make_shared<const ParticleSet>();
  return none;
}

void ConstraintStore::take(std::vector<ParticlesSlot> slots) {
  std::vector<std::uint32_t> broken, begin, with;  // of kernels::BreakableConstraints
  memory_.replace(slots_, std::move(slots));
  std::vector<bool> has;
  for (const ParticlesSlot& slot : slots_) {
    for (const std::vector<std::uint32_t>* const list : {&slot.bodies, &slot.held_by}) {
      for (const std::uint32_t body : *list) {
        if (body == kNone) continue;
        if (body >= has.size()) has.resize(std::size_t{body} + 1);
        has[body] = true;
      }
    }
  }
  memory_.replace(has_, std::move(has));
  for (std::uint32_t* const count : {&count_, &slot_count_, &break_count_}) memory_.replace(*count, 0u);
  memory_.replace(place_of_, {});
  memory_.replace(table_, {.cluster_begin = {0}});
  memory_.replace(anchors_, {});
  memory_.replace(laws_, {});
  for (ParticlesSlot& slot : slots_) {
    slot.first = static_cast<std::uint32_t>(table_.constraint.size());
    add(slot);
    list_breaks(slot, begin, with);
    for (std::size_t i = slot.first; i < table_.constraint.size(); ++i) {
      if (table_.constraint[i].breakable != kNone)
        broken.push_back(slot.broken.empty() ? 0 : slot.broken[i - slot.first]);
    }
  }
  break_count_ = static_cast<std::uint32_t>(broken.size());
  if (break_count_ == 0) return;
  begin.push_back(static_cast<std::uint32_t>(with.size()));
  broken_.assign(broken);
  break_begin_.assign(begin);
  break_with_.assign(with);
  break_total_.assign_zeros(break_count_);
}

/// Lists the breakable constraints of a set, in order. A constraint of four particles breaks with each stretch between
/// two of them.
void ConstraintStore::list_breaks(const ParticlesSlot& slot, std::vector<std::uint32_t>& begin,
                                  std::vector<std::uint32_t>& with) {
  std::multimap<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edges;  // ids of stretches, by their bodies
  const auto each = [&](const auto& f) {
    for (auto id = slot.first; id < table_.constraint.size(); ++id) {
      if (table_.constraint[id].body[0] != kNone) f(id, table_.constraint[id], laws_[table_.constraint[id].law]);
    }
  };
  each([&](std::uint32_t id, const Constraint& constraint, const DeviceConstraintLaw& law) {
    if (law.kind != DeviceConstraintKind::kStretch || std::isinf(law.breaking_force)) return;
    edges.emplace(std::minmax(constraint.body[0], constraint.body[1]), id);
  });
  std::vector<std::vector<std::uint32_t>> of;  // ids of stretches that each breaks with
  each([&](std::uint32_t, Constraint& constraint, const DeviceConstraintLaw& law) {
    std::vector<std::uint32_t> stretches;
    for (std::uint32_t b = 0; b < kConstraintEnds && kernels::ends_of(law.kind) > 2; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        const auto [first, last] = edges.equal_range(std::minmax(constraint.body[a], constraint.body[b]));
        for (auto edge = first; edge != last; ++edge) stretches.push_back(edge->second);
      }
    }
    if (stretches.empty() && std::isinf(law.breaking_force)) return;
    constraint.breakable = static_cast<std::uint32_t>(begin.size() + of.size());
    of.push_back(std::move(stretches));
  });
  for (const std::vector<std::uint32_t>& ids : of) {
    begin.push_back(static_cast<std::uint32_t>(with.size()));
    for (const std::uint32_t id : ids) with.push_back(table_.constraint[id].breakable);
  }
}

Constraint& ConstraintStore::add_constraint(const ParticlesSlot& slot, std::uint32_t law, float rest, Vec3d anchor) {
  anchors_.push_back(anchor);
  const auto set = static_cast<std::uint32_t>(&slot - slots_.data());
  return table_.constraint.emplace_back(
      Constraint{{kNone, kNone, kNone, kNone}, law, set, kNone, kNone, kNone, rest, {}, 0});
}

/// A shape: shares of the mass, and start positions from the centre; weighted by the shares these add up to 0.
void ConstraintStore::add_cluster(const ParticlesSlot& slot, std::span<const std::uint32_t> particles,
                                  std::uint32_t law) {
  const ParticleSet& set = *slot.of;
  const auto mass = [&](std::uint32_t i) { return static_cast<double>(set.masses.empty() ? set.mass : set.masses[i]); };
  double all = 0;
  for (const std::uint32_t i : particles) all += mass(i);
  Constraint& constraint = add_constraint(slot, law, 0, {});
  constraint.cluster = static_cast<std::uint32_t>(table_.cluster_begin.size() - 1);
  constraint.body[0] = slot.bodies[particles[0]];
  const Vec3d origin = set.positions[particles[0]];
  Vec3d centre{0, 0, 0};
  for (const std::uint32_t i : particles) {
    const Vec3d from = kernels::operator-(set.positions[i], origin);
    table_.member.push_back({from, mass(i) / all, slot.bodies[i]});
    centre = kernels::fma(mass(i) / all, from, centre);
    if (slot.bodies[i] == kNone) cairn::forget(constraint);
  }
  table_.cluster_begin.push_back(static_cast<std::uint32_t>(table_.member.size()));
  for (std::size_t i = table_.member.size() - particles.size(); i < table_.member.size(); ++i) {
    table_.member[i].rest = kernels::operator-(table_.member[i].rest, centre);
  }
}

void ConstraintStore::add(const ParticlesSlot& slot) {
  const ParticleSet& set = *slot.of;
  const auto index_of = [this](const DeviceConstraintLaw& law) {
    const auto index = static_cast<std::uint32_t>(std::ranges::find(laws_, law) - laws_.begin());
    if (index == laws_.size()) laws_.push_back(law);
    return index;
  };
  for (const ConstraintGroup& group : set.constraints) {
    const DeviceConstraintKind kind = kind_of(group.kind);
    const std::uint32_t law = index_of(law_of(group)), ends = particles_of(group);
    for (std::size_t i = 0; ends * i < group.particles.size(); ++i) {
      const std::uint32_t* const particle = &group.particles[ends * i];
      if (kind == DeviceConstraintKind::kShape) {
        add_cluster(slot, {particle, ends}, law);
        continue;
      }
      Constraint& constraint =
          add_constraint(slot, law, group.rest.empty() ? rest_of(set, kind, particle) : group.rest[i], {});
      for (std::uint32_t k = 0; k < ends; ++k) constraint.body[k] = slot.bodies[particle[k]];
      if (kind == DeviceConstraintKind::kElastic) {
        constraint.element = static_cast<std::uint32_t>(table_.element.size());
        table_.element.push_back(element_of(set, particle));
      }
      if (std::find(constraint.body, constraint.body + ends, kNone) != constraint.body + ends)
        cairn::forget(constraint);
    }
  }
  for (std::size_t i = 0; i < set.attachments.size(); ++i) {
    const std::uint32_t law = index_of(law_of(DeviceConstraintKind::kAttach, set.attachments[i].law));
    Constraint& constraint = add_constraint(slot, law, 0, slot.anchors[i]);
    constraint.body[0] = slot.bodies[set.attachments[i].particle];
    constraint.body[1] = slot.held_by[i];
    if (constraint.body[0] == kNone || constraint.body[1] == kNone) cairn::forget(constraint);
  }
}

void ConstraintStore::set_order(std::span<const BodySlot> bodies, std::span<const std::uint32_t> part_of_world,
                                std::uint32_t parts) {
  std::vector<std::uint32_t> world(bodies.size(), 0);
  std::vector<std::uint8_t> pushed(bodies.size(), 0);
  std::vector<double> inv_mass(bodies.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    world[i] = bodies[i].world;
    pushed[i] = bodies[i].alive && bodies[i].body.type == BodyType::kDynamic ? 1 : 0;
    if (pushed[i] != 0) inv_mass[i] = 1 / static_cast<double>(bodies[i].mass.mass);
  }
  const ConstraintOrder order = order_constraints(table_, world, pushed, part_of_world, parts);
  memory_.replace(count_, static_cast<std::uint32_t>(order.constraint.size()));
  memory_.replace(slot_count_, static_cast<std::uint32_t>(order.entry.size()));
  memory_.replace(colors_, order.colors);
  memory_.replace(inv_mass_, std::move(inv_mass));
  memory_.replace(place_of_, std::vector<std::uint32_t>(table_.constraint.size(), kNone));
  std::vector<Constraint> ordered;
  ordered.reserve(count_);
  for (const std::uint32_t id : order.constraint) {
    place_of_[id] = static_cast<std::uint32_t>(ordered.size());
    Constraint& of = table_.constraint[id];
    const bool attaches = laws_[of.law].kind == DeviceConstraintKind::kAttach;
    of.off = attaches && !bodies[of.body[1]].body.enabled ? 1 : 0;
    Constraint& constraint = ordered.emplace_back(of);
    if (!attaches) continue;
    const MassProperties& mass = bodies[constraint.body[1]].mass;
    const Vec3d from_centre = kernels::operator-(anchors_[id], mass.centre_of_mass);
    constraint.anchor = kernels::narrow(kernels::turn(kernels::conjugate(mass.axes), from_centre));
  }
  constraint_.assign(ordered);
  member_.assign(table_.member);
  cluster_begin_.assign(table_.cluster_begin);
  member_push_.reserve(table_.member.size());
  element_.assign(table_.element);
  element_impulse_.assign_zeros(table_.element.size() * kernels::kElementStrains);
  set_sweeps_.reserve(slots_.size());
  sweeps_h_ = 0;
  order_.assign(order.entry);
  law_.assign(laws_);
  color_begin_.assign(order.color_begin);
  color_row_.assign(order.color_row);
  impulse_.assign_zeros(count_);
  push_.reserve(std::size_t{count_} * (kConstraintEnds + 1));
  list_ends(order.constraint, bodies.size());
}

/// For each body: the constraints that push it, and which end it is; then the clusters' members that it is.
void ConstraintStore::list_ends(std::span<const std::uint32_t> id_of_place, std::size_t bodies) {
  std::vector<std::uint32_t> begin(bodies + 1, 0), end;
  const auto count = static_cast<std::uint32_t>(id_of_place.size());
  const auto each = [&](const auto& f) {
    for (std::uint32_t at = 0; at < count; ++at) {
      const Constraint& constraint = table_.constraint[id_of_place[at]];
      for (std::uint32_t k = 0; k < kConstraintEnds && constraint.cluster == kNone; ++k) {
        if (constraint.body[k] != kNone) f(constraint.body[k], kConstraintEnds * at + k);
      }
    }
    for (const Constraint& constraint : table_.constraint) {
      if (constraint.cluster == kNone || constraint.body[0] == kNone) continue;
      for (auto i = table_.cluster_begin[constraint.cluster]; i < table_.cluster_begin[constraint.cluster + 1]; ++i) {
        f(table_.member[i].body, kConstraintEnds * count + i);
      }
    }
  };
  each([&](std::uint32_t body, std::uint32_t) { begin[body + 1] += 1; });
  for (std::size_t i = 0; i < bodies; ++i) begin[i + 1] += begin[i];
  end.resize(begin.back());
  std::vector<std::uint32_t> next = begin;
  each([&](std::uint32_t body, std::uint32_t which) { end[next[body]++] = which; });
  begin_.assign(begin);
  end_.reserve(std::max<std::size_t>(end.size(), 1));
  memory_.put(end_.data(), end);
}

void ConstraintStore::forget(std::uint32_t body) {
  for (ParticlesSlot& slot : slots_) {
    for (std::vector<std::uint32_t>* const list : {&slot.bodies, &slot.held_by}) {
      for (std::uint32_t& at : *list) {
        if (at == body) memory_.replace(at, kNone);
      }
    }
  }
  for (std::uint32_t id = 0; id < table_.constraint.size(); ++id) {
    if (!table_.in_use(id) || std::ranges::count(table_.bodies_of(id), body) == 0) continue;
    memory_.keep(table_.constraint[id]);
    cairn::forget(table_.constraint[id]);
  }
}

std::vector<std::uint32_t> ConstraintStore::held_to(std::uint32_t body) const {
  std::vector<std::uint32_t> held;
  if (!has(body)) return held;
  for (std::uint32_t id = 0; id < table_.constraint.size(); ++id) {
    if (!table_.in_use(id)) continue;
    const std::vector<std::uint32_t> bodies = table_.bodies_of(id);
    if (std::ranges::count(bodies, body) != 0) held.insert(held.end(), bodies.begin(), bodies.end());
  }
  return held;
}

void ConstraintStore::show(StepContext& s, std::uint32_t sweeps, bool steps) {
  if (slot_count_ == 0) return;
  const bool own = sweeps == 0;
  // the tables of a captured graph stay as they are, for any later call
  if (own && steps) set_sweeps(s.constants.h, s.sweep);
  s.constraints = {
      .constraint = constraint_.data(),
      .law = law_.data(),
      .member = member_.data(),
      .cluster_begin = cluster_begin_.data(),
      .impulse = impulse_.data(),
      .order = order_.data(),
      .count = count_,
      .slots = slot_count_,
      .sweeps = own ? max_sweeps_ : sweeps,
      .set_sweeps = own ? set_sweeps_.data() : nullptr,
      .element = element_.data(),
      .element_impulse = element_impulse_.data(),
      .push = push_.data(),
      .begin = begin_.data(),
      .end = end_.data(),
      .member_push = member_push_.data(),
      .breakable = {broken_.data(), break_total_.data(), break_begin_.data(), break_with_.data(), break_count_}};
  s.constraint_parts = s.parts;
  s.constraint_parts.color_begin = color_begin_.data();
  s.constraint_parts.color_row = color_row_.data();
  s.constraint_parts.colors[0] = colors_;
  s.constraint_parts.colors[1] = colors_;
  std::copy(std::begin(kernels::kMaxWide), std::end(kernels::kMaxWide), s.constraint_parts.wide);
}

std::vector<float> ConstraintStore::forces(const ParticlesSlot& slot, float h) const {
  std::vector<float> forces(count_constraints(*slot.of), 0.0f);
  if (place_of_.empty() || !(h > 0.0f)) return forces;
  const std::vector<float> impulses = impulse_.read(count_);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const std::uint32_t at = place_of_[slot.first + i];
    if (at != kNone) forces[i] = -impulses[at] / h;
  }
  return forces;
}

std::vector<std::uint32_t> ConstraintStore::read_broken() const { return broken_.read(break_count_); }

std::vector<std::uint8_t> ConstraintStore::broken(const ParticlesSlot& slot,
                                                  std::span<const std::uint32_t> read) const {
  std::vector<std::uint8_t> broken(count_constraints(*slot.of), 0);
  for (std::size_t i = 0; i < broken.size() && may_break(); ++i) {
    const Constraint& constraint = table_.constraint[slot.first + i];
    if (constraint.body[0] != kNone && constraint.breakable != kNone && read[constraint.breakable] != 0) broken[i] = 1;
  }
  return broken;
}

std::uint32_t ConstraintStore::count_broken() const {
  std::ptrdiff_t count = 0;
  const std::vector<std::uint32_t> read = read_broken();
  for (const ParticlesSlot& slot : slots_) {
    if (may_break()) count += std::ranges::count(broken(slot, read), 1);
  }
  return static_cast<std::uint32_t>(count);
}

}  // namespace cairn
