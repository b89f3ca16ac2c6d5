// The constraints of a World's particles, and their order in the solver.

#include "src/world/strains.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/common/frame.h"
#include "kernels/common/parts.h"
#include "kernels/strain/measure.h"

namespace cairn {

using kernels::kNone;
using kernels::kStrainEnds;
using kernels::Strain;
using kernels::StrainKind;
using kernels::StrainLaw;

namespace {

StrainKind kind_of(ConstraintKind kind) { return static_cast<StrainKind>(kind); }
static_assert(static_cast<int>(ConstraintKind::kStretch) == static_cast<int>(StrainKind::kStretch) &&
              static_cast<int>(ConstraintKind::kBend) == static_cast<int>(StrainKind::kBend) &&
              static_cast<int>(ConstraintKind::kVolume) == static_cast<int>(StrainKind::kVolume));

StrainLaw law_of(StrainKind kind, const ConstraintLaw& law) {
  return {kind, law.compliance, law.damping, law.stiffness};
}

/// It holds nothing any more.
void forget(Strain& strain) { std::ranges::fill(strain.body, kNone); }

/// What a constraint measures where the particles of its set start.
float rest_of(const ParticleSet& set, StrainKind kind, const std::uint32_t* particle) {
  Vec3d r[kStrainEnds] = {};
  for (std::uint32_t k = 1; k < kernels::ends_of(kind); ++k) {
    r[k] = kernels::operator-(set.positions[particle[k]], set.positions[particle[0]]);
  }
  return static_cast<float>(kernels::measure(kind, r).value);
}

}  // namespace

StrainOrder order_strains(std::span<const Strain> strains, std::span<const std::uint32_t> part,
                          std::span<const std::uint8_t> pushed, std::uint32_t parts) {
  constexpr std::uint32_t kAlign = kernels::kRowAlign, kMost = kernels::kMaskColors;
  std::vector<std::uint64_t> taken(part.size(), 0);
  std::vector<std::vector<std::uint32_t>> of_band(std::size_t{parts} * kernels::kColorCount);  // ids
  StrainOrder order;
  for (std::uint32_t i = 0; i < strains.size(); ++i) {
    const Strain& strain = strains[i];
    if (strain.body[0] == kNone) continue;
    std::uint64_t mask = 0;
    for (const std::uint32_t body : strain.body) {
      if (body != kNone && pushed[body] != 0) mask |= taken[body];
    }
    const auto color = static_cast<std::uint32_t>(std::countr_one(mask));
    for (const std::uint32_t body : strain.body) {
      if (body != kNone && pushed[body] != 0 && color < kMost) taken[body] |= std::uint64_t{1} << color;
    }
    of_band[kernels::Parts::band_of(part[strain.body[0]], color)].push_back(i);
    order.colors = std::max(order.colors, color + 1);
  }
  // places of the way there; then the way back, of a part's colours but the last
  std::vector<std::vector<std::uint32_t>> entries(of_band.size());
  for (std::uint32_t p = 0; p < parts; ++p) {
    std::uint32_t last = 0;
    for (std::uint32_t color = 0; color <= kMost; ++color) {
      const std::uint32_t band = kernels::Parts::band_of(p, color);
      if (!of_band[band].empty()) last = color;
      for (const std::uint32_t id : of_band[band]) {
        entries[band].push_back(static_cast<std::uint32_t>(order.strain.size()));
        order.strain.push_back(id);
      }
    }
    // those that go one at a time come back in the same band
    std::vector<std::uint32_t>& alone = entries[kernels::Parts::band_of(p, kMost)];
    for (std::size_t i = alone.size(); i-- > 1;) alone.push_back(alone[i - 1] | kernels::kStrainBack);
    for (std::uint32_t color = 0; color < last; ++color) {
      const std::uint32_t down = kernels::kColorsPerClass + last - 1 - color;
      std::vector<std::uint32_t>& back = entries[kernels::Parts::band_of(p, down)];
      for (const std::uint32_t at : entries[kernels::Parts::band_of(p, color)]) {
        back.push_back(at | kernels::kStrainBack);
      }
    }
  }
  std::uint32_t next = 0;
  for (const std::vector<std::uint32_t>& band : entries) {
    order.color_begin.push_back(next);
    order.color_row.push_back(static_cast<std::uint32_t>(order.entry.size()));
    order.entry.insert(order.entry.end(), band.begin(), band.end());
    order.entry.resize((order.entry.size() + kAlign - 1) / kAlign * kAlign, kNone);
    next += static_cast<std::uint32_t>(band.size());
  }
  order.color_begin.push_back(next);
  order.color_row.push_back(static_cast<std::uint32_t>(order.entry.size()));
  return order;
}

StrainStore::StrainStore(exec::Memory& in)
    : memory_(in), strain_(in), order_(in), law_(in), impulse_(in), push_(in), begin_(in), end_(in), color_begin_(in),
      color_row_(in) {}

void StrainStore::take(std::vector<ParticlesSlot> slots) {
  slots_ = std::move(slots);
  count_ = slot_count_ = 0;
  place_of_.clear();
  strains_.clear();
  anchors_.clear();
  laws_.clear();
  for (ParticlesSlot& slot : slots_) {
    slot.first = static_cast<std::uint32_t>(strains_.size());
    add(slot);
  }
}

void StrainStore::add(const ParticlesSlot& slot) {
  const ParticleSet& set = *slot.of;
  const auto index_of = [this](const StrainLaw& law) {
    const auto index = static_cast<std::uint32_t>(std::ranges::find(laws_, law) - laws_.begin());
    if (index == laws_.size()) laws_.push_back(law);
    return index;
  };
  const auto put = [this](std::uint32_t law, float rest, Vec3d anchor) -> Strain& {
    strains_.push_back({{kNone, kNone, kNone, kNone}, law, rest, {}});
    anchors_.push_back(anchor);
    return strains_.back();
  };
  for (const ConstraintGroup& group : set.constraints) {
    const StrainKind kind = kind_of(group.kind);
    const std::uint32_t law = index_of(law_of(kind, group.law)), ends = particles_of(group.kind);
    for (std::size_t i = 0; ends * i < group.particles.size(); ++i) {
      const std::uint32_t* const particle = &group.particles[ends * i];
      Strain& strain = put(law, group.rest.empty() ? rest_of(set, kind, particle) : group.rest[i], {});
      for (std::uint32_t k = 0; k < ends; ++k) strain.body[k] = slot.bodies[particle[k]];
      if (std::find(strain.body, strain.body + ends, kNone) != strain.body + ends) cairn::forget(strain);
    }
  }
  for (std::size_t i = 0; i < set.attachments.size(); ++i) {
    Strain& strain = put(index_of(law_of(StrainKind::kAttach, set.attachments[i].law)), 0, slot.anchors[i]);
    strain.body[0] = slot.bodies[set.attachments[i].particle];
    strain.body[1] = slot.held_by[i];
    if (strain.body[0] == kNone || strain.body[1] == kNone) cairn::forget(strain);
  }
}

void StrainStore::set_order(std::span<const BodySlot> bodies, std::span<const std::uint32_t> part_of_world,
                            std::uint32_t parts) {
  std::vector<std::uint32_t> part(bodies.size(), 0);
  std::vector<std::uint8_t> pushed(bodies.size(), 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    part[i] = part_of_world[bodies[i].world];
    pushed[i] = bodies[i].alive && bodies[i].body.type == BodyType::kDynamic ? 1 : 0;
  }
  const StrainOrder order = order_strains(strains_, part, pushed, parts);
  count_ = static_cast<std::uint32_t>(order.strain.size());
  slot_count_ = static_cast<std::uint32_t>(order.entry.size());
  colors_ = order.colors;
  place_of_.assign(strains_.size(), kNone);
  std::vector<Strain> ordered;
  ordered.reserve(count_);
  for (const std::uint32_t id : order.strain) {
    place_of_[id] = static_cast<std::uint32_t>(ordered.size());
    Strain& strain = ordered.emplace_back(strains_[id]);
    if (laws_[strain.law].kind != StrainKind::kAttach) continue;
    const MassProperties& mass = bodies[strain.body[1]].mass;
    const Vec3d from_centre = kernels::operator-(anchors_[id], mass.centre_of_mass);
    strain.anchor = kernels::narrow(kernels::turn(kernels::conjugate(mass.axes), from_centre));
  }
  const auto upload = [this](auto& buffer, const auto& list) {
    buffer.reserve(list.size());
    if (!list.empty()) memory_.upload(buffer.data(), list.data(), list.size() * sizeof(list[0]));
  };
  upload(strain_, ordered);
  upload(order_, order.entry);
  upload(law_, laws_);
  upload(color_begin_, order.color_begin);
  upload(color_row_, order.color_row);
  impulse_.reserve(count_);
  if (count_ != 0) memory_.zero(impulse_.data(), count_ * sizeof(float));
  push_.reserve(std::size_t{count_} * (kStrainEnds + 1));
  list_ends(ordered, bodies.size());
}

/// Which strains push each body, and as which of their ends.
void StrainStore::list_ends(std::span<const Strain> ordered, std::size_t bodies) {
  std::vector<std::uint32_t> begin(bodies + 1, 0), end;
  const auto each = [&](const auto& f) {
    for (std::uint32_t at = 0; at < ordered.size(); ++at) {
      for (std::uint32_t k = 0; k < kStrainEnds; ++k) {
        if (ordered[at].body[k] != kNone) f(ordered[at].body[k], kStrainEnds * at + k);
      }
    }
  };
  each([&](std::uint32_t body, std::uint32_t) { begin[body + 1] += 1; });
  for (std::size_t i = 0; i < bodies; ++i) begin[i + 1] += begin[i];
  end.resize(begin.back());
  std::vector<std::uint32_t> next = begin;
  each([&](std::uint32_t body, std::uint32_t which) { end[next[body]++] = which; });
  begin_.reserve(begin.size());
  memory_.upload(begin_.data(), begin.data(), begin.size() * sizeof(begin[0]));
  end_.reserve(std::max<std::size_t>(end.size(), 1));
  if (!end.empty()) memory_.upload(end_.data(), end.data(), end.size() * sizeof(end[0]));
}

void StrainStore::forget(std::uint32_t body) {
  for (ParticlesSlot& slot : slots_) {
    std::ranges::replace(slot.bodies, body, kNone);
    std::ranges::replace(slot.held_by, body, kNone);
  }
  for (Strain& strain : strains_) {
    if (std::ranges::find(strain.body, body) != std::end(strain.body)) cairn::forget(strain);
  }
}

std::vector<std::uint32_t> StrainStore::held_to(std::uint32_t body) const {
  std::vector<std::uint32_t> held;
  for (const Strain& strain : strains_) {
    if (std::ranges::find(strain.body, body) == std::end(strain.body)) continue;
    for (const std::uint32_t end : strain.body) {
      if (end != kNone) held.push_back(end);
    }
  }
  return held;
}

void StrainStore::show(StepContext& s, std::uint32_t sweeps) {
  if (slot_count_ == 0) return;
  s.strains = {strain_.data(), law_.data(),  impulse_.data(), order_.data(), count_, slot_count_,
               sweeps,         push_.data(), begin_.data(),   end_.data()};
  s.strain_parts = s.parts;
  s.strain_parts.color_begin = color_begin_.data();
  s.strain_parts.color_row = color_row_.data();
  s.strain_parts.colors[0] = colors_;
  s.strain_parts.colors[1] = colors_;
}

std::vector<float> StrainStore::forces(const ParticlesSlot& slot, float h) const {
  std::size_t count = slot.of->attachments.size();
  for (const ConstraintGroup& group : slot.of->constraints) count += group.particles.size() / particles_of(group.kind);
  std::vector<float> forces(count, 0.0f);
  if (place_of_.empty() || !(h > 0.0f)) return forces;
  const std::vector<float> impulses = impulse_.read(count_);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t at = place_of_[slot.first + i];
    if (at != kNone) forces[i] = -impulses[at] / h;
  }
  return forces;
}

std::uint64_t StrainStore::bytes() const {
  const auto total = [](const auto&... buffers) { return (std::uint64_t{0} + ... + buffers.bytes()); };
  return total(strain_, order_, law_, impulse_, push_, begin_, end_, color_begin_, color_row_);
}

}  // namespace cairn
