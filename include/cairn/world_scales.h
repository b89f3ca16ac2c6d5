#pragma once
// Scales of a World, and what draws them.

#include <cstdint>
#include <span>

#include "cairn/random.h"
#include "cairn/world.h"

namespace cairn {

/// Sizes, masses and materials of worlds times so much, and sizes, masses and inertias of bodies: World::scales. Each
/// body's centre of mass stays where it is, and links go where their coordinates say; contacts of the world end and its bodies wake. Scales outlive resets.
/// World::description has bodies without them, `description` with. It goes with the World where that is moved, and ends
/// where another is moved into it.
class WorldScales {
 public:
  WorldScales(const WorldScales&) = delete;
  WorldScales& operator=(const WorldScales&) = delete;

  Scales get(std::uint32_t world = 0) const;
  /// Throw InvalidArgument out of the range of Scales and BodyScales, where a body can't bear them, for sizes where
  /// there are sets of particles, and for a body that isn't dynamic.
  void set(const Scales& scales, std::uint32_t world);
  BodyScales get(BodyHandle body) const;
  void set(const BodyScales& scales, BodyHandle body);
  Body description(BodyHandle body) const;

  /// What a world draws is a function of its seed, which is 0 until it is set, of how often it was reset, and of the
  /// body's slot in its world (cairn/random.h): worlds of one seed draw the same.
  std::uint64_t seed(std::uint32_t world = 0) const;
  void set_seed(std::uint64_t seed, std::uint32_t world);
  /// Draws new scales for the chosen worlds, and moves their dynamic bodies. Enqueued, like a step, but for the first
  /// call that scales, which waits; with a reset before it, it makes a new start.
  void randomise(std::span<const std::uint8_t> chosen, const Randomisation& ranges);

 private:
  friend class World;
  explicit WorldScales(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
