#pragma once
// Sets of particles of a World: what comes, goes, is found and read. World has what all handles share: alive,
// description, bodies.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cairn/residual.h"
#include "cairn/world.h"

namespace cairn {

/// The sets of particles of a World: World::particles. It goes with the World where that is moved, and ends where
/// another is moved into it.
class WorldParticles {
 public:
  WorldParticles(const WorldParticles&) = delete;
  WorldParticles& operator=(const WorldParticles&) = delete;

  /// Those of the scene in its order, then those added; one that is added after one was removed takes its slot.
  std::vector<ParticlesHandle> list(std::uint32_t world = 0) const;
  /// The one of the name in a world; none where there is none.
  std::optional<ParticlesHandle> find(std::string_view name, std::uint32_t world = 0) const;
  /// With the bodies of its particles, as Scene::add_particles. Attachments name bodies by World::index_of, and hold at
  /// where those are now. All sets of the World are laid out again, which takes as long as they are large.
  ParticlesHandle add(const ParticleSet& set, std::uint32_t world = 0);
  void remove(ParticlesHandle set);  ///< with the bodies that are left of it

  /// [N, N m, N/m^2] (constraints, group by group, then attachments) With which each holds together what it holds, in
  /// the last substep taken; under 0 where it pushes apart. 0 of those whose particles are gone, and of all before the
  /// first step and after bodies came, or what sets hold to went or was switched.
  std::vector<float> constraint_forces(ParticlesHandle set) const;
  /// [1] (constraints) In the same order. 1: it is broken, by ConstraintLaw::breaking_force, since the step after that;
  /// 0 of those whose particles are gone.
  std::vector<std::uint8_t> broken_constraints(ParticlesHandle set) const;
  /// How far constraints are from their laws, found on the host when asked for: of all worlds, of one, and [1]
  /// (constraints, as of constraint_forces) of each of a set. Zeros where constraint_forces has zeros.
  ConstraintResidual constraint_residual() const;
  ConstraintResidual constraint_residual(std::uint32_t world) const;
  std::vector<float> constraint_residuals(ParticlesHandle set) const;
  /// [Pa] (particles) Pressures of a fluid in the last substep taken, at least 0; [kg/m^3] densities there. 0 of those
  /// that are gone, and of all before the first step and after bodies came, or what sets hold to went or was switched.
  /// Of what is no fluid: empty.
  std::vector<float> pressures(ParticlesHandle set) const;
  std::vector<float> densities(ParticlesHandle set) const;

 private:
  friend class World;
  explicit WorldParticles(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
