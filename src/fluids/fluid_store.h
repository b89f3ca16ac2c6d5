#pragma once
// The fluids of a World.

#include <span>
#include <vector>

#include "kernels/common/fluids.h"
#include "src/exec/journal.h"
#include "src/particles/constraint_store.h"
#include "src/step_context.h"

namespace cairn {

class FluidStore {
 public:
  explicit FluidStore(exec::Journal& in) : memory_(in) {}

  /// Takes the remaining particles of fluids, for so many body slots.
  void set(std::span<const ParticlesSlot> slots, std::size_t bodies, std::span<const std::uint32_t> part_of_world,
           std::uint32_t parts);
  /// Numbers of particles are out of date: readings are 0 until they are set again.
  void forget() { memory_.replace(number_, {}); }
  /// Enters them into a step, which has its parts and pairs.
  void show(StepContext& context, std::uint32_t sweeps);

  std::size_t neighbour_capacity() const { return neighbours_.capacity(); }
  void reserve_near(std::size_t n) { neighbours_.reserve(n); }

  std::vector<float> pressures(const ParticlesSlot& slot, float h) const;  ///< [Pa] (particles)
  std::vector<float> densities(const ParticlesSlot& slot) const;           ///< [kg/m^3] (particles)

 private:
  /// of(number) for each particle that exists, 0 for the others; empty for a set that is no fluid.
  template <class F>
  std::vector<float> each(const ParticlesSlot& slot, const float* data, const F& of) const;

  exec::Journal& memory_;
  std::uint32_t count_{0}, large_{0};  ///< [1] particles, and those of part 0
  bool viscous_{false};
  std::vector<std::uint32_t> number_;  ///< [1] (bodies) kernels::Fluids::of_body
  exec::Buffer<kernels::FluidLaw> laws_{memory_};
  exec::Buffer<std::uint32_t> of_body_{memory_}, part_begin_{memory_}, part_item_{memory_};
  exec::Buffer<std::uint32_t> bucket_begin_{memory_, kernels::Life::kScratch},
      neighbours_{memory_, kernels::Life::kScratch}, solid_begin_{memory_, kernels::Life::kScratch};
  exec::Table<kernels::FluidParticles> particles_{memory_};
  exec::Table<kernels::FluidWalls> walls_{memory_};
};

}  // namespace cairn
