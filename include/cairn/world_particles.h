#pragma once
// Sets of particles of a World: calls that add, remove, find and read them. World has the calls that all handles share:
// alive, description, bodies.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cairn/residual.h"
#include "cairn/world.h"

namespace cairn {

/// The sets of particles of a World: World::particles. A World that is moved takes them along; assigning another World
/// to it ends them.
class WorldParticles {
 public:
  WorldParticles(const WorldParticles&) = delete;
  WorldParticles& operator=(const WorldParticles&) = delete;

  /// Those of the scene in its order, then added ones. One added after a removal takes the free slot.
  std::vector<ParticlesHandle> list(std::uint32_t world = 0) const;
  /// The one of the name in a world; empty if there is none.
  std::optional<ParticlesHandle> find(std::string_view name, std::uint32_t world = 0) const;
  /// Adds it with the bodies of its particles, as Scene::add_particles. Attachments name bodies by World::index_of, and
  /// hold at their present poses. All sets of the World are laid out again, which takes longer the larger they are.
  ParticlesHandle add(const ParticleSet& set, std::uint32_t world = 0);
  void remove(ParticlesHandle set);  ///< with its remaining bodies

  /// [N, N m, N/m^2] (constraints, group by group, then attachments) Force of each constraint in the last substep
  /// taken; under 0 where it pushes apart. 0 for constraints whose particles are gone. All 0 before the first step, and
  /// after bodies were added, or a body that sets are attached to was removed or switched.
  std::vector<float> constraint_forces(ParticlesHandle set) const;
  /// [1] (constraints) In the same order. 1: broken by ConstraintLaw::breaking_force, since the step after that; 0 for
  /// constraints whose particles are gone.
  std::vector<std::uint8_t> broken_constraints(ParticlesHandle set) const;
  /// Residuals of the constraints, computed on the host by the call: of all worlds, of one, and [1] (constraints, as of
  /// constraint_forces) of each constraint of a set. Zeros where constraint_forces has zeros.
  ConstraintResidual constraint_residual() const;
  ConstraintResidual constraint_residual(std::uint32_t world) const;
  std::vector<float> constraint_residuals(ParticlesHandle set) const;
  /// [Pa] (particles) Pressures of a fluid in the last substep taken, at least 0; [kg/m^3] densities there. 0 for
  /// particles that are gone. All 0 before the first step, and after bodies were added, or a body that sets are
  /// attached to was removed or switched. Empty for a set that is no fluid.
  std::vector<float> pressures(ParticlesHandle set) const;
  std::vector<float> densities(ParticlesHandle set) const;

 private:
  friend class World;
  explicit WorldParticles(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
