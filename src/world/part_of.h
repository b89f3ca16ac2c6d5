#pragma once
// The parts of a World that have calls of their own, by the class of the call.

#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"

namespace cairn {

/// The World itself, or its part of a class.
template <class Part>
Part& part_of(World& world);
template <>
inline World& part_of<World>(World& world) {
  return world;
}
template <>
inline WorldArticulations& part_of<WorldArticulations>(World& world) {
  return world.articulations();
}
template <>
inline WorldParticles& part_of<WorldParticles>(World& world) {
  return world.particles();
}
template <>
inline WorldScales& part_of<WorldScales>(World& world) {
  return world.scales();
}

}  // namespace cairn
