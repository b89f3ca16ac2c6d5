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
  static std::uint64_t bytes(const Estimate& of);
  static void check_image(snapshot::ImageCheck& of);

  /// Adds a valid set. Attachments hold at the present poses of bodies, by their slots.
  ParticlesHandle add(const ParticleSet& set, std::uint32_t world,
                      const std::function<BodyState(std::uint32_t)>& state_of);
  void remove(ParticlesHandle handle);
  const ParticlesSlot& at(ParticlesHandle handle) const;            ///< throws if stale
  std::vector<float> residuals();                                   ///< ConstraintStore::residuals
  ConstraintResidual residual(std::optional<std::uint32_t> world);  ///< empty: of all
  /// Throws InvalidArgument for a call that doesn't support particles, if there are some.
  void refuse(const char* call, std::optional<std::uint32_t> world = {}) const;  ///< empty: in all

  /// Throws InvalidArgument for a particle of a set, by its slot.
  void refuse_particle(const char* call, std::uint32_t body) const;

  ConstraintStore constraints;
  FluidStore fluids;

 private:
  std::vector<ParticlesSlot> now() const;  ///< with their broken constraints

  std::vector<ParticlesSlot> planned_;  ///< as of `plan`
};

}  // namespace cairn
