#pragma once
// The arrays of a step, all in one Memory, and the StepContext that refers to them.

#include <array>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "cairn/world.h"
#include "kernels/residual/residual.h"
#include "src/exec/journal.h"
#include "src/step_context.h"
#include "src/world/parts.h"
#include "src/world/solids.h"

namespace cairn {

/// Used part of the arrays.
struct Counts {
  std::uint32_t worlds;  ///< [1]
  std::uint32_t bodies;  ///< [1] slots
  std::uint32_t shapes;  ///< [1] slots
  double mass_ratio;     ///< [1] upper bound over all worlds, of a dynamic body to another (MassRange)
  std::uint32_t parity;  ///< [1] of the step
  bool of_step{true};    ///< a step follows: its rows get memory
};

/// Memory that worlds need before their first step.
struct Room {
  std::size_t worlds, bodies, shapes, planes, surfaces, materials, pairs, ignored;  ///< [1]
  std::uint32_t points{kernels::kManifoldPoints};                                   ///< [1] max of contact_points over
                                                                                    ///< all bodies
  std::uint32_t last_parity{0};                                                     ///< [1] of the last step
};
/// For a world of each scene; larger capacities take precedence.
Room room_for(std::span<const Scene* const> scenes, const Capacity& capacity);

/// [1] Initial capacity of pairs for a World of so many shapes, with contacts of so many points.
std::size_t first_pairs(std::size_t shapes, std::uint32_t points);

/// [1] Max slots of bodies or shapes, and max pairs: ends of rows, of which a pair has two, are counted in 32 bits.
inline constexpr std::size_t kMaxSlots = std::size_t{1} << 30;

/// Throws InvalidArgument unless a World may have so many.
void check_world_count(std::size_t worlds);
/// Throws CapacityError, naming `what`, if there are too many for their indices.
void check_slots(const char* what, std::size_t needed);
/// Number of a body's planes, and of its surfaces.
std::size_t planes_of(const Body& body);
std::size_t surfaces_of(const Body& body);

/// [1] Points that contacts of a body need: one if all its shapes are balls, or if it is static and they are balls,
/// planes, boxes and capsules, which then touch only balls; otherwise the max of a manifold.
std::uint32_t contact_points(const Body& body);

/// [1] Workers for pairs that may need EPA (kernels::Workers), if there are as many pairs.
std::uint32_t max_workers(const Device& device);

/// Of this step and the one before; they alternate.
template <class T>
struct Twice : std::array<T, 2> {
  explicit Twice(exec::Memory& memory) : std::array<T, 2>{T(memory), T(memory)} {}
};

struct Arrays {
  explicit Arrays(exec::Journal& in);

  /// Before anything is reserved.
  void choose(const WorldOptions& options);
  void reserve(const Room& room);

  /// Allocates so many points for each contact. The last step had this parity.
  void reserve_points(std::uint32_t points, std::uint32_t last);
  /// Allocates for so many pairs of shapes.
  void reserve_pairs(std::size_t n);
  void reserve_rows(std::size_t slots);

  /// Rows of a step of this parity.
  kernels::Rows rows(std::uint32_t parity) const;
  /// [1] Row slots that there is memory for.
  std::size_t row_slots() const;
  /// Allocates for so many bodies in directly solved islands, and for their row slots.
  void reserve_direct(std::size_t places, std::size_t row_slots);
  void reserve_events(std::size_t n);
  /// Allocates frames for the capacity of bodies, in so many worlds.
  void reserve_frames(std::size_t in_worlds);
  /// Takes the worlds' parts, and allocates their colours.
  void set_parts(const PartLists& lists);

  /// Expects the next step to be like the last steps, of which this is one.
  void expect(const kernels::StepState& taken);

  /// Context of a first step with these parameters, for materials that neither bounce, resist rolling nor move: the
  /// caller adds what depends on earlier steps and on materials. Worlds, bodies, shapes, materials, planes, pairs and
  /// parts must have their memory; the rest is allocated here.
  StepContext context(const StepParams& params, const Counts& counts);

  /// Adds the shared data of a shape, and the classes that its pairs may have. Throws CapacityError if memory runs out.
  void take(const Geometry& geometry);
  /// Allows pairs of these classes in a step.
  void set_pair_classes(StepContext& context, std::uint32_t classes);

  /// Sets the number of the grid's buckets in a step, a power of two.
  void set_buckets(StepContext& context, std::uint32_t count);

  std::uint32_t pair_classes{0};  ///< bit by PairClass: some present or former shape may have pairs of it
  std::uint32_t workers{0};       ///< [1] max_workers of the device
  bool contact_events{false};     ///< contact events are recorded
  bool own_rows{true};            ///< rows have memory of their own; else they lie where the last step's manifolds
                                  ///< were, which nothing reads once `collide` is over
  bool rows_of_all_pairs{true};   ///< there is memory for a row of each pair; else for as many as steps needed
  std::uint32_t points{0};        ///< [1] capacity of each contact; 0 before the first
  std::uint32_t part_count{1}, large{0};  ///< [1] parts, and bodies of part 0 if there are others

  exec::Journal& memory;
  exec::Table<kernels::Worlds> worlds{memory};
  exec::Table<kernels::Bodies> bodies{memory};
  exec::Table<kernels::Starts> starts{memory};         ///< if worlds are reset
  exec::Table<kernels::BodyBases> body_bases{memory};  ///< these three: if worlds are scaled
  exec::Table<kernels::ShapeBases> shape_bases{memory};
  exec::Table<kernels::MaterialBases> material_bases{memory};
  exec::Table<kernels::Shapes> shapes{memory};
  SolidStore solids{memory};
  exec::Buffer<std::uint32_t> surface_first{memory}, surface_shape{memory};  ///< [1] (surfaces) of kernels::Surfaces
  Twice<exec::Table<kernels::Pairs>> pairs{memory};
  exec::Table<kernels::PairWork> work{memory};
  exec::Buffer<kernels::Epa> polytopes{memory, kernels::Life::kScratch};  ///< one a worker, if a class needs them
  Twice<exec::Table<kernels::EventTable>> events{memory};  ///< these three: if contact events are recorded
  exec::Table<kernels::EndedEvents> ended{memory};
  exec::Buffer<kernels::EventCounts> event_counts{memory};
  exec::TrimmedBuffer<kernels::RowBlock> row_blocks{memory, kernels::Life::kScratch};  ///< only with `own_rows`
  exec::Buffer<kernels::HertzBlock> hertz{memory,
                                          kernels::Life::kScratch};  ///< a row slot each, only for hertz_mindlin
  exec::Table<kernels::RowEnds> row_ends{memory};
  exec::Table<kernels::BodyEnds> body_ends{memory};
  exec::Table<kernels::Direct> direct{memory};  ///< these four: if islands may be solved directly
  exec::Table<kernels::DirectPlaces> direct_places{memory};
  exec::Buffer<kernels::DirectRow> direct_rows{memory, kernels::Life::kScratch};
  exec::Buffer<std::uint32_t> direct_ends{memory, kernels::Life::kScratch};
  exec::Table<kernels::BodyColors> body_colors{memory};
  exec::Buffer<std::uint32_t> body_color_begin{memory, kernels::Life::kScratch};
  exec::Buffer<kernels::ContactMaterial> materials{memory};
  exec::Buffer<std::uint32_t> planes{memory}, bucket_begin{memory, kernels::Life::kScratch};
  exec::Buffer<std::uint64_t> ignored{memory};  ///< [1] (ignored pairs) of kernels::IgnoredPairs
  exec::Buffer<std::uint32_t> part_of_world{memory}, part_begin{memory}, part_body{memory};
  exec::Buffer<std::uint32_t> color_begin{memory, kernels::Life::kScratch}, color_row{memory, kernels::Life::kScratch};
  /// Expectations of the next step; they affect speed only.
  struct Expected {
    std::uint32_t wide[2]{kernels::kMaxWide[0], kernels::kMaxWide[1]};  ///< [1] kernels::Parts::wide
    std::uint32_t seen[2]{kernels::kMaxWide[0], kernels::kMaxWide[1]};  ///< [1] of the last step seen
    bool few_edges{false};
    std::uint32_t cold_steps{0};  ///< [1] remaining steps in which many contacts may be cold (kernels/collide/cold.h)
  } expected;
  exec::Buffer<std::uint8_t> masks{memory};           ///< [1] (masks x worlds) of the jobs in flight
  exec::Table<kernels::Residuals> residuals{memory};  ///< if residuals are used
  // if states are exchanged with the user's arrays, the world's arrays are listed, or surfaces move
  exec::Table<kernels::Frames> frames{memory};
  exec::Buffer<std::uint32_t> row_begin{memory};  ///< [1] (worlds + 1) first of Frames::row_slot of each world
  exec::Buffer<std::uint32_t> refused{memory};
  exec::Buffer<kernels::MaterialRow> material_rows{memory};  ///< if materials are exchanged
  exec::Buffer<kernels::StepState> state{memory};
};

}  // namespace cairn
