// The fluids of a World: their particles, in the order in which the solver numbers them.

#include "src/fluids/fluid_store.h"

#include <algorithm>
#include <bit>

#include "kernels/fluids/viscosity.h"

namespace cairn {

using kernels::FluidLaw;
using kernels::kNone;

namespace {

/// [1] Neighbours a particle allocated at first. Within 2.1 spacings of a particle of a lattice lie 32.
constexpr std::size_t kFirstNear = 48;

FluidLaw law_of(const Fluid& fluid) {
  const double s = fluid.spacing;
  return {.spacing = fluid.spacing,
          .inv_spacing = static_cast<float>(1 / s),
          .volume = static_cast<float>(s * s * s),
          .density = fluid.density,
          .viscosity = fluid.viscosity,
          .cohesion = static_cast<float>(fluid.surface_tension * s / (4 * kernels::kPi * kernels::kCohesionMoment))};
}

}  // namespace

void FluidStore::set(std::span<const ParticlesSlot> slots, std::size_t bodies,
                     std::span<const std::uint32_t> part_of_world, std::uint32_t parts) {
  std::vector<FluidLaw> laws;
  std::vector<std::uint32_t> body, law;
  std::vector<std::vector<std::uint32_t>> items(parts);
  memory_.replace(number_, {});
  memory_.replace(viscous_, false);
  memory_.keep(count_);
  memory_.keep(large_);
  for (const ParticlesSlot& slot : slots) {
    if (!slot.of->fluid) continue;
    number_.resize(bodies, kNone);
    const FluidLaw own = law_of(*slot.of->fluid);
    const auto index = static_cast<std::uint32_t>(std::ranges::find(laws, own) - laws.begin());
    if (index == laws.size()) laws.push_back(own);
    viscous_ = viscous_ || own.viscosity > 0 || own.cohesion > 0;
    for (const std::uint32_t at : slot.bodies) {
      if (at == kNone) continue;
      number_[at] = static_cast<std::uint32_t>(body.size());
      items[part_of_world[slot.world]].push_back(number_[at]);
      body.push_back(at);
      law.push_back(index);
    }
  }
  count_ = static_cast<std::uint32_t>(body.size());
  if (count_ == 0) return;
  std::vector<std::uint32_t> begin{0}, item;
  for (const auto& of : items) {
    item.insert(item.end(), of.begin(), of.end());
    begin.push_back(static_cast<std::uint32_t>(item.size()));
  }
  large_ = begin[1];
  laws_.assign(laws);
  of_body_.assign(number_);
  part_begin_.assign(begin);
  part_item_.assign(item);
  solid_begin_.reserve(bodies + 1);
  particles_.reserve(std::size_t{count_} + 1);
  bucket_begin_.reserve(std::bit_ceil(2 * std::size_t{count_}) + 1);
  neighbours_.reserve(kFirstNear * count_);
  const kernels::FluidParticles& at = particles_.view();
  memory_.put(at.body, body);
  memory_.put(at.law, law);
  memory_.clear(at.multiplier, count_);
  memory_.clear(at.density_ratio, count_);
}

void FluidStore::show(StepContext& s, std::uint32_t sweeps) {
  if (count_ == 0) return;
  walls_.reserve(s.constants.pair_capacity);
  s.fluids = {
      .laws = laws_.data(),
      .of_body = of_body_.data(),
      .at = particles_.view(),
      .walls = walls_.view(),
      .bucket_begin = bucket_begin_.data(),
      .neighbours = neighbours_.data(),
      .solid_begin = solid_begin_.data(),
      .count = count_,
      .buckets = static_cast<std::uint32_t>(std::bit_ceil(2 * std::size_t{count_})),
      .neighbour_capacity = static_cast<std::uint32_t>(std::min<std::size_t>(neighbours_.capacity(), kNone - 1)),
      .sweeps = sweeps,
      .viscous = viscous_ ? 1u : 0u};
  s.fluid_parts = s.parts;
  s.fluid_parts.large = large_;
  s.fluid_parts.body_begin = part_begin_.data();
  s.fluid_parts.body = part_item_.data();
}

template <class F>
std::vector<float> FluidStore::each(const ParticlesSlot& slot, const float* data, const F& of) const {
  std::vector<float> made;
  if (!slot.of->fluid) return made;
  made.resize(slot.bodies.size(), 0.0f);
  if (count_ == 0) return made;
  const std::vector<float> values = exec::read(memory_, data, count_);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::uint32_t body = slot.bodies[i];
    if (body != kNone && body < number_.size() && number_[body] != kNone) made[i] = of(values[number_[body]]);
  }
  return made;
}

std::vector<float> FluidStore::pressures(const ParticlesSlot& slot, float h) const {
  return each(slot, particles_.view().multiplier,
              [&](float multiplier) { return h > 0 ? multiplier / (h * law_of(*slot.of->fluid).volume) : 0.0f; });
}

std::vector<float> FluidStore::densities(const ParticlesSlot& slot) const {
  return each(slot, particles_.view().density_ratio,
              [&](float density_ratio) { return density_ratio * slot.of->fluid->density; });
}

}  // namespace cairn
