#pragma once
// Content of a snapshot: world by world, bodies and shapes by id within each, independent of their slots in a batch.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/common/step_state.h"
#include "src/articulations/articulation_store.h"
#include "src/file/container.h"
#include "src/snapshot/tables.h"
#include "src/world/index_range.h"

namespace cairn::kernels {

CAIRN_MEMBERS(StepCounts, manifolds, points, recycled, asleep, colors, overflow_rows)

}  // namespace cairn::kernels

namespace cairn::snapshot {

/// The host's data of a body slot, besides world and id.
struct BodyPart {
  std::uint32_t generation{0};
  bool alive{false};
  Body body;
  std::vector<std::uint32_t> shapes;  ///< [1] ids
  MassProperties mass;
  BodyScales scales;  ///< its own
};
CAIRN_MEMBERS(BodyPart, generation, alive, body, shapes, mass, scales)

/// A mesh or height field of a world. Its triangles are numbered from kFirstTriangle on, after those of the surfaces
/// before it, independent of a World's numbers.
struct SurfacePart {
  std::uint32_t shape{0};      ///< [1] id
  std::uint32_t triangles{0};  ///< [1]
  friend auto operator<=>(const SurfacePart&, const SurfacePart&) = default;
};
CAIRN_MEMBERS(SurfacePart, shape, triangles)

/// Two shapes that touched in the last step: kernels::EventTable, by ids.
struct EventPart {
  std::uint64_t key{0};
  std::uint32_t body_a{0}, body_b{0};              ///< [1] ids
  std::uint32_t generation_a{0}, generation_b{0};  ///< [1] of bodies that may have been removed
  std::uint32_t shape_a{0}, shape_b{0};            ///< [1] indices among their shapes
  bool sensor{false};
};
CAIRN_MEMBERS(EventPart, key, body_a, body_b, generation_a, generation_b, shape_a, shape_b, sensor)

/// A joint slot of a world.
struct JointPart {
  std::uint32_t slot{0};  ///< [1] in the batch
  std::uint32_t generation{0};
  bool alive{false};
  Joint joint;
  kernels::JointMemory memory{};
  kernels::JointResult result{};
};
CAIRN_MEMBERS(JointPart, slot, generation, alive, joint, memory, result)

/// An articulation slot of a world.
struct ArticulationPart {
  std::uint32_t slot{0};  ///< [1] in the batch
  std::uint32_t generation{0};
  std::uint32_t of{0};  ///< [1] index of Image::articulations; kNone: empty
  ArticulationMotion motion;
};
void members(Is<ArticulationPart> auto& a, const auto& f) {
  auto& [slot, generation, of, motion] = a;
  // `build` is derived from scales
  auto& [q, v, force, target, target_rate, joint, build] = motion;
  static_cast<void>(build);
  f(slot, generation, of, q, v, force, target, target_rate, joint);
}

/// A slot for a set of particles of a world.
struct ParticlesPart {
  std::uint32_t slot{0};  ///< [1] in the batch
  std::uint32_t generation{0};
  std::uint32_t of{0};                         ///< [1] index of Image::particles; kNone: empty
  std::vector<std::uint32_t> bodies, held_by;  ///< [1] ids, of ParticlesSlot's slots
  std::vector<Vec3d> anchors;                  ///< [m] of ParticlesSlot
  std::vector<std::uint8_t> broken;            ///< [1] of ParticlesSlot
};
CAIRN_MEMBERS(ParticlesPart, slot, generation, of, bodies, held_by, anchors, broken)

/// The host's data of a world.
struct WorldPart {
  std::uint32_t bodies{0}, shapes{0}, pairs{0};  ///< [1] ids, and pairs of the last step
  Vec3d origin;                                  ///< [m]
  StepParams params;
  std::vector<Material> materials;
  std::vector<kernels::ContactMaterial> contact_materials;  ///< of each
  std::vector<std::uint32_t> free_bodies, free_shapes;      ///< [1] ids
  std::vector<std::uint32_t> planes;                        ///< [1] ids of shapes
  std::vector<SurfacePart> surfaces;                        ///< in the order of addition
  std::vector<std::uint64_t> ignored;                       ///< [1] lower body id << 32 | higher, ascending
  std::vector<EventPart> events;                            ///< by key
  std::vector<JointPart> joints;                            ///< by id
  std::vector<std::uint32_t> free_joints;                   ///< [1] ids
  std::vector<ArticulationPart> articulations;              ///< by id
  std::vector<ParticlesPart> particles;                     ///< by id
  std::vector<SceneField> fields;                           ///< bodies are ids
};
CAIRN_MEMBERS(WorldPart, bodies, shapes, pairs, origin, params, materials, contact_materials, free_bodies, free_shapes,
              planes, surfaces, ignored, events, joints, free_joints, articulations, particles, fields)

/// Data shared by all worlds, and data of their last step.
struct BatchPart {
  StepParams params;
  std::uint64_t steps{0};
  double time{0};           ///< [s]
  float last_h{0};          ///< [s]
  std::uint32_t status{0};  ///< StatusBit
  HighWater high_water;
  kernels::StepCounts counts{};
};
CAIRN_MEMBERS(BatchPart, params, steps, time, last_h, status, high_water, counts)

struct Image {
  BatchPart batch;
  std::vector<WorldPart> worlds;
  std::vector<BodyPart> bodies;                        ///< world by world, by id, like all members below
  std::vector<std::uint32_t> body_slots, shape_slots;  ///< [1] in the batch
  /// Descriptions of articulations, in the order of their first use in the worlds; bodies are ids.
  std::vector<std::shared_ptr<const SceneArticulation>> articulations;
  std::vector<std::shared_ptr<const ParticleSet>> particles;  ///< the same
  Columns<kernels::Worlds> world_columns;                     ///< first_bad: complement of an id
  Columns<kernels::Bodies> body_columns;                      ///< island: an id
  Columns<kernels::Shapes> shape_columns;
  Columns<kernels::Pairs> pair_columns;  ///< key: ids, or the numbers of SurfacePart

  /// Places of each world's bodies, shapes and pairs.
  struct Ranges {
    IndexRange bodies, shapes, pairs;
  };
  std::vector<Ranges> ranges() const;
};

inline constexpr file::Kind kKind{"CAIRNSNP", "snapshot", 19};

/// The image's sections of a file, and back. `image_of` throws SnapshotError, naming `where`, for an image that no
/// World could have: one that it returns can be restored and stepped, and a World of it has the same sections.
std::vector<std::string> sections_of(const Image& image);
inline constexpr std::size_t kSections = 3;
Image image_of(std::span<const std::string> sections, const std::string& where);
/// The same for any sections with the fields of an image, without checks of their values.
Image read_image(std::span<const std::string> sections, const std::string& where);

/// Throws SnapshotError through the reader, unless all parts of the image fit together.
void check(const Image& image, const file::Reader& reader);

/// The surfaces of a world by the image's numbers: ids of shapes by first number.
struct ImageSurfaces : SurfaceNumbers {
  explicit ImageSurfaces(const WorldPart& world);
  std::uint64_t end{kernels::kFirstTriangle};  ///< [1] the number after the last
};

/// Keys of pairs, with other numbers for shapes and for the first triangles of surfaces.
struct KeyMap {
  SurfaceNumbers surfaces;                  ///< of the given keys
  std::vector<std::uint32_t> shape, first;  ///< [1] (shapes) the other numbers
  std::uint64_t operator()(std::uint64_t key) const;
};

/// A batch of `copies` of one of the image's worlds.
Image copies_of(const Image& image, std::uint32_t world, std::uint32_t copies);

}  // namespace cairn::snapshot
