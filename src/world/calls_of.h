#pragma once
// The classes whose calls are recorded, and bound by Python: World, or a class that it returns.

#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"

namespace cairn {

/// The World itself, or its object of a class.
template <class Of>
Of& calls_of(World& world);
template <>
inline World& calls_of<World>(World& world) {
  return world;
}
template <>
inline WorldArticulations& calls_of<WorldArticulations>(World& world) {
  return world.articulations();
}
template <>
inline WorldParticles& calls_of<WorldParticles>(World& world) {
  return world.particles();
}
template <>
inline WorldScales& calls_of<WorldScales>(World& world) {
  return world.scales();
}

}  // namespace cairn
