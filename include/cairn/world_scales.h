#pragma once
// Scales of a World, and random draws of them.

#include <cstdint>
#include <span>

#include "cairn/random.h"
#include "cairn/world.h"

namespace cairn {

/// Factors on sizes, masses and materials of worlds, and on sizes, masses and inertias of bodies: World::scales. Each
/// body's centre of mass stays, and links move to the places of their coordinates; contacts of a scaled world, or
/// of one scaled body, end, and the bodies wake. Scales outlive resets. World::description returns bodies without them,
/// `description` with them. A World that is moved takes them along; assigning another World to it ends them.
class WorldScales {
 public:
  WorldScales(const WorldScales&) = delete;
  WorldScales& operator=(const WorldScales&) = delete;

  Scales get(std::uint32_t world = 0) const;
  /// Throw InvalidArgument for values out of the range of Scales and BodyScales, for bodies that can't have them, for
  /// sizes where there are sets of particles, and for a body that isn't dynamic.
  void set(const Scales& scales, std::uint32_t world);
  BodyScales get(BodyHandle body) const;
  void set(const BodyScales& scales, BodyHandle body);
  Body description(BodyHandle body) const;

  /// A world's draws are a function of its seed, which is 0 until it is set, of its number of resets, and of the body's
  /// slot in its world (cairn/random.h): worlds with one seed draw the same.
  std::uint64_t seed(std::uint32_t world = 0) const;
  void set_seed(std::uint64_t seed, std::uint32_t world);
  /// Draws new scales for the chosen worlds, and moves their dynamic bodies. Enqueued, like a step, except the first
  /// call that scales, which waits. With a reset before it, it makes a new start.
  void randomise(std::span<const std::uint8_t> chosen, const Randomisation& ranges);

 private:
  friend class World;
  explicit WorldScales(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
