#pragma once
// Sets of particles of a World, their constraints and their fluids.

#include <functional>
#include <optional>

#include "src/fluids/fluid_store.h"
#include "src/particles/constraint_store.h"
#include "src/world/feature.h"

namespace cairn {

class ParticleFeature final : public Feature {
 public:
  explicit ParticleFeature(Impl& of);

  void take(std::span<const Scene* const> scenes) override;
  void forget(std::uint32_t body) override;
  void add_neighbours(std::uint32_t body, std::vector<std::uint32_t>& to) const override;
  void order() override;
  void show(StepContext& step, bool of_step) override;
  void capture(snapshot::Capture& to) override;
  void plan(snapshot::Restore& from) override;
  void become(snapshot::Restore& from) override;

  bool alive(ParticlesHandle handle) const;
  /// Of a set without faults. Attachments hold where bodies are now, by their slots.
  ParticlesHandle add(const ParticleSet& set, std::uint32_t world,
                      const std::function<BodyState(std::uint32_t)>& state_of);
  void remove(ParticlesHandle handle);
  const ParticlesSlot& at(ParticlesHandle handle) const;            ///< throws if stale
  std::vector<float> residuals();                                   ///< ConstraintStore::residuals
  ConstraintResidual residual(std::optional<std::uint32_t> world);  ///< none: of all
  /// Throws InvalidArgument for a call that doesn't know of particles, where there are some.
  void refuse(const char* call, std::optional<std::uint32_t> world = {}) const;  ///< none: in all

  /// Throws InvalidArgument for a particle of a set, by its slot.
  void refuse_particle(const char* call, std::uint32_t body) const;

  ConstraintStore constraints;
  FluidStore fluids;

 private:
  std::vector<ParticlesSlot> now() const;  ///< with what is broken

  std::vector<ParticlesSlot> planned_;  ///< as of `plan`
};

}  // namespace cairn
