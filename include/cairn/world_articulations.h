#pragma once
// Articulations of a World: calls that add, remove, find and drive them. World has the calls that all handles share:
// alive, description, bodies, state.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/world.h"

namespace cairn {

/// The articulations of a World: World::articulations. A World that is moved takes them along; assigning another World
/// to it ends them.
class WorldArticulations {
 public:
  WorldArticulations(const WorldArticulations&) = delete;
  WorldArticulations& operator=(const WorldArticulations&) = delete;

  /// Those of the scene in its order, then added ones. One added after a removal takes the free slot.
  std::vector<ArticulationHandle> list(std::uint32_t world = 0) const;
  /// The one of the name in a world; empty if there is none.
  std::optional<ArticulationHandle> find(std::string_view name, std::uint32_t world = 0) const;
  /// Adds it with the bodies of its links, as Scene::add_articulation, in the scales of the world. All articulations of
  /// the World are laid out again, which takes longer the more there are.
  ArticulationHandle add(const Articulation& articulation, const ArticulationState& start = {},
                         std::uint32_t world = 0);
  void remove(ArticulationHandle articulation);  ///< with the bodies of its links, and joints on them
  /// Forces, inertia and limits along a link's joint, of this articulation alone: as described at first; a reset keeps
  /// later settings. For a ball joint whose rates differ (ArticulationJointArrays), those of the first rate.
  /// `set_joint` throws InvalidArgument for another kind, and for values that no joint may have; a link without mass
  /// keeps its described armature of any size.
  ArticulationJoint joint(ArticulationHandle articulation, std::uint32_t link) const;
  void set_joint(ArticulationHandle articulation, std::uint32_t link, const ArticulationJoint& joint);
  /// [N, N m] (dofs) Along the rates, until they are set again; 0 at first, and after a reset.
  void set_forces(ArticulationHandle articulation, std::span<const double> forces);
  /// Targets of the drives: coordinates and rates; at first the coordinates of the start, without rates.
  void set_targets(ArticulationHandle articulation, const ArticulationState& targets);

 private:
  friend class World;
  explicit WorldArticulations(World::Impl& of) : world_(of) {}
  World::Impl& world_;
};

}  // namespace cairn
