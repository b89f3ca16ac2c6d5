#pragma once
// Articulations of a World: what comes, goes, is found and driven. World has what all handles share: alive,
// description, bodies, state.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/world.h"

namespace cairn {

/// The articulations of a World: World::articulations. It goes with the World where that is moved, and ends where
/// another is moved into it.
class WorldArticulations {
 public:
  WorldArticulations(const WorldArticulations&) = delete;
  WorldArticulations& operator=(const WorldArticulations&) = delete;

  /// Those of the scene in its order, then those added; one that is added after one was removed takes its slot.
  std::vector<ArticulationHandle> list(std::uint32_t world = 0) const;
  /// The one of the name in a world; none where there is none.
  std::optional<ArticulationHandle> find(std::string_view name, std::uint32_t world = 0) const;
  /// With the bodies of its links, as Scene::add_articulation, in the scales of the world. All articulations of the
  /// World are laid out again, which takes as long as there are many.
  ArticulationHandle add(const Articulation& articulation, const ArticulationState& start = {},
                         std::uint32_t world = 0);
  void remove(ArticulationHandle articulation);  ///< with the bodies of its links, and joints on them
  /// What acts along a link's joint, of this articulation alone; as it was described at first, and after a reset what
  /// it was set to. Of a ball whose rates differ (ArticulationJointArrays), the first one's. `set_joint` throws
  /// InvalidArgument for another kind, and for what no joint may have; a link without mass keeps an armature that it was
  /// described with, of whatever size.
  ArticulationJoint joint(ArticulationHandle articulation, std::uint32_t link) const;
  void set_joint(ArticulationHandle articulation, std::uint32_t link, const ArticulationJoint& joint);
  /// [N, N m] (dofs) Along the rates, until they are set again; 0 at first, and after a reset.
  void set_forces(ArticulationHandle articulation, std::span<const double> forces);
  /// Of the drives: coordinates to go to, and rates there; those of the start at first, without rates.
  void set_targets(ArticulationHandle articulation, const ArticulationState& targets);

 private:
  friend class World;
  explicit WorldArticulations(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
