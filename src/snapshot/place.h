#pragma once
// Worlds of an image on their way into a World.

#include <cstdint>
#include <vector>

#include "src/snapshot/image.h"
#include "src/world/impl.h"

namespace cairn {

namespace snapshot {

/// One of an image's worlds, the world that becomes it, and where that holds it. Bodies and shapes that the world has
/// and the image has not stay as free slots.
struct Placement {
  std::uint32_t from, to;
  snapshot::Image::Ranges ranges;
  std::vector<std::uint32_t> body_slots, shape_slots, material_slots, joint_slots, articulation_slots;  ///< [1] by id
  std::vector<std::uint32_t> surface_first;  ///< [1] number of the first triangle of each of the image's surfaces
};

}  // namespace snapshot

/// Puts worlds of an image into a World: first finds where everything goes and makes room for it, then changes it.
struct World::Impl::Restore {
  Impl& world;
  const snapshot::Image& image;
  std::vector<snapshot::Placement> placements;
  bool whole;  ///< the World becomes the image's batch, whatever it was

  void run();
  bool brings_scales() const;  ///< other than 1
  void become_batch();
  void number_surfaces();
  std::vector<SurfaceSlot> merged_surfaces() const;
  void place_on_host();
  void place_on_device();
  void place_bases();
  void place_joints();
  /// Articulations as they will be: of worlds that stay, and of the image; what each goes by to `motions`.
  ArticulationTables merged_articulations(std::vector<ArticulationMotion>& motions) const;
  std::vector<ParticlesSlot> merged_particles() const;  ///< the same, world by world
  /// The last step's pairs as they will be: those of worlds that stay, and those of the image.
  std::vector<std::uint64_t> merged_pairs(std::vector<kernels::Manifold>& manifolds) const;
  std::vector<EventRow> merged_events() const;  ///< the same, of what touches
};

}  // namespace cairn
