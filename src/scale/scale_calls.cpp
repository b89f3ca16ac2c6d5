// Calls of WorldScales.

#include <string>

#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {

Scales WorldScales::get(std::uint32_t world) const {
  return world_.call([&]() -> Scales {
    world_.world_at(world);
    return world_.scales.of_world(world);
  });
}

void WorldScales::set(const Scales& scales, std::uint32_t world) {
  world_.call([&] {
    world_.world_at(world);
    rules::refuse("scales", rules::find_fault(scales));
    if (scales.size != 1) world_.particles.refuse("scales of size", world);
    world_.scales.set(scales, world);
    world_.note<recording::kSetScales>(scales, world);
  });
}

BodyScales WorldScales::get(BodyHandle body) const {
  return world_.call([&]() -> BodyScales { return world_.scales.own(world_.slot_of(body)); });
}

void WorldScales::set(const BodyScales& scales, BodyHandle body) {
  world_.call([&] {
    const std::uint32_t at = world_.slot_of(body);
    const BodySlot& slot = world_.slots[at];
    if (slot.body.type != BodyType::kDynamic)
      throw InvalidArgument(label(slot.body) + ": scales are of dynamic bodies, and this one isn't");
    rules::refuse(label(slot.body), rules::find_fault(scales));
    if (scales.size != 1) world_.particles.refuse("scales of size", slot.world);
    world_.scales.set(scales, at);
    world_.note<recording::kSetBodyScales>(scales, body);
  });
}

void WorldScales::randomise(std::span<const std::uint8_t> chosen, const Randomisation& ranges) {
  world_.call([&] {
    world_.check_mask("randomise", chosen);
    rules::refuse("randomise", rules::find_fault(ranges));
    world_.articulations.check_draws(chosen, ranges);
    if (ranges.size != Range{} || ranges.body_size != Range{}) {
      for (std::uint32_t w = 0; w < chosen.size(); ++w) {
        if (chosen[w] != 0) world_.particles.refuse("randomise: size", w);
      }
    }
    world_.scales.check_draws(chosen, ranges);
    if (!world_.scales.begun()) world_.scales.begin();
    world_.masses.take_own({.size = ranges.body_size.low, .mass = ranges.body_mass.low},
                           {.size = ranges.body_size.high, .mass = ranges.body_mass.high});
    world_.note<&WorldScales::randomise>(chosen, ranges);
    world_.take(ScaleJob{world_.keep_mask(chosen), ranges});
  });
}

void World::Impl::enqueue(const ScaleJob& job) {
  scales.run({.chosen = arrays.masks.data() + job.mask * worlds.size(),
              .how = Rescale::kFresh,
              .from = ScaleContext::From::kDrawn,
              .ranges = job.ranges});
}

std::uint64_t WorldScales::seed(std::uint32_t world) const {
  return world_.call([&]() -> std::uint64_t {
    world_.world_at(world);
    return world_.memory.get(world_.arrays.worlds.view().seed + world);
  });
}

void WorldScales::set_seed(std::uint64_t seed, std::uint32_t world) {
  world_.call([&] {
    world_.world_at(world);
    world_.synchronise();
    world_.memory.put(world_.arrays.worlds.view().seed + world, seed);
    world_.note<&WorldScales::set_seed>(seed, world);
  });
}

}  // namespace cairn
