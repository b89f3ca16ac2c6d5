#pragma once
// The arrays that a step works on, all in one Memory, and the StepContext that shows them to it.

#include <array>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "kernels/residual/residual.h"
#include "src/exec/journal.h"
#include "src/step_context.h"
#include "src/world/parts.h"
#include "src/world/solids.h"

namespace cairn {

/// How much of the arrays a step uses.
struct Counts {
  std::uint32_t worlds;  ///< [1]
  std::uint32_t bodies;  ///< [1] slots
  std::uint32_t shapes;  ///< [1] slots
  double mass_ratio;     ///< [1] at least the most in any world, of a dynamic body to another (MassRange)
};

/// What worlds need room for before their first step.
struct Room {
  std::size_t worlds, bodies, shapes, planes, surfaces, materials, pairs, ignored;  ///< [1]
  std::uint32_t points{kernels::kManifoldPoints};                                   ///< [1] contact_points of them all
};
/// Room for a world of each scene; where a capacity is larger, for that.
Room room_for(std::span<const Scene* const> scenes, const Capacity& capacity);

/// [1] Pairs that a World of so many shapes starts with room for, of contacts of so many points.
std::size_t first_pairs(std::size_t shapes, std::uint32_t points);

/// [1] Most slots of bodies or shapes, and most pairs: ends of rows, of which a pair has two, are counted in 32 bits.
inline constexpr std::size_t kMaxSlots = std::size_t{1} << 30;

/// Throws InvalidArgument unless a World may hold so many.
void check_world_count(std::size_t worlds);
/// Throws CapacityError, naming `what`, if there would be too many for their indices.
void check_slots(const char* what, std::size_t needed);
/// How many of a body's shapes are planes, and how many surfaces.
std::size_t planes_of(const Body& body);
std::size_t surfaces_of(const Body& body);

/// [1] Room for points that contacts of a body need: one where it is of balls, or stands still and is of planes, boxes
/// and capsules, which meet balls alone; else as many as a manifold may have.
std::uint32_t contact_points(const Body& body);

/// [1] Workers for pairs that may take EPA (kernels::Workers) where there are as many pairs.
std::uint32_t max_workers(const Device& device);

/// Of this step and the one before, which change places.
template <class T>
struct Twice : std::array<T, 2> {
  explicit Twice(exec::Memory& memory) : std::array<T, 2>{T(memory), T(memory)} {}
};

struct Arrays {
  explicit Arrays(exec::Journal& in);

  void reserve(const Room& room);

  /// Makes room for so many points in each contact.
  void reserve_points(std::uint32_t points);
  /// Makes room for as many pairs of shapes, and for the rows that they may give in one part.
  void reserve_pairs(std::size_t n);
  void reserve_rows(std::size_t slots);
  /// Makes room for so many bodies in islands that are solved directly, and for row slots of these.
  void reserve_direct(std::size_t places, std::size_t row_slots);
  void reserve_events(std::size_t n);
  /// Makes room for the frames of the bodies that there is room for, in so many worlds.
  void reserve_frames(std::size_t in_worlds);
  /// Takes the worlds' parts, and makes room for their colours.
  void set_parts(const PartLists& lists);

  /// The next step will be like those that were seen last, of which this is one.
  void expect(const kernels::StepState& taken);

  /// A first step with these parameters, of materials that neither bounce, resist rolling nor move: what depends on the
  /// steps before and on the materials is for the caller to say. Worlds, bodies, shapes, materials, planes, pairs and
  /// parts must have their room; the rest is made here.
  StepContext context(const StepParams& params, const Counts& counts);

  /// Takes in what is kept once of a shape, and notes which classes its pairs may be of. Throws CapacityError if
  /// memory runs out.
  void take(const Geometry& geometry);
  /// Lets pairs be of these classes in a step.
  void set_pair_classes(StepContext& context, std::uint32_t classes);

  /// Gives the grid of a step so many buckets, a power of two.
  void set_buckets(StepContext& context, std::uint32_t count);

  std::uint32_t pair_classes{0};          ///< bit by PairClass: some shape that ever was here may have pairs of it
  std::uint32_t workers{0};               ///< [1] max_workers of the device; to be set before the first step
  bool contact_events{false};             ///< who touches whom is kept; to be set before anything is reserved
  std::uint32_t points{0};                ///< [1] that each contact has room for; 0 before the first
  std::uint32_t part_count{1}, large{0};  ///< [1] parts, and bodies of part 0 where there are others

  exec::Journal& memory;
  exec::Table<kernels::Worlds> worlds{memory};
  exec::Table<kernels::Bodies> bodies{memory};
  exec::Table<kernels::Starts> starts{memory};         ///< where worlds are reset
  exec::Table<kernels::BodyBases> body_bases{memory};  ///< these three where worlds are scaled
  exec::Table<kernels::ShapeBases> shape_bases{memory};
  exec::Table<kernels::MaterialBases> material_bases{memory};
  exec::Table<kernels::Shapes> shapes{memory};
  SolidStore solids{memory};
  exec::Buffer<std::uint32_t> surface_first{memory}, surface_shape{memory};  ///< [1] (surfaces) of kernels::Surfaces
  Twice<exec::Table<kernels::Pairs>> pairs{memory};
  exec::Table<kernels::PairWork> work{memory};
  exec::Buffer<kernels::Epa> polytopes{memory};            ///< one a worker, where a class needs them
  Twice<exec::Table<kernels::EventTable>> events{memory};  ///< these three where it is kept
  exec::Table<kernels::EndedEvents> ended{memory};
  exec::Buffer<kernels::EventCounts> event_counts{memory};
  exec::TrimmedBuffer<kernels::RowBlock> rows{memory};
  exec::Buffer<kernels::HertzBlock> hertz{memory};  ///< as many as `rows`, for hertz_mindlin alone
  exec::Table<kernels::RowEnds> row_ends{memory};
  exec::Table<kernels::BodyEnds> body_ends{memory};
  exec::Table<kernels::Direct> direct{memory};  ///< these four where islands may be solved directly
  exec::Table<kernels::DirectPlaces> direct_places{memory};
  exec::Buffer<kernels::DirectRow> direct_rows{memory};
  exec::Buffer<std::uint32_t> direct_ends{memory};
  exec::Table<kernels::BodyColors> body_colors{memory};
  exec::Buffer<std::uint32_t> body_color_begin{memory};
  exec::Buffer<kernels::ContactMaterial> materials{memory};
  exec::Buffer<std::uint32_t> planes{memory}, bucket_begin{memory};
  exec::Buffer<std::uint64_t> ignored{memory};  ///< [1] (ignored pairs) of kernels::IgnoredPairs
  exec::Buffer<std::uint32_t> part_of_world{memory}, part_begin{memory}, part_body{memory};
  exec::Buffer<std::uint32_t> color_begin{memory}, color_row{memory};
  /// Of the next step, a matter of speed alone.
  struct Expected {
    std::uint32_t wide[2]{kernels::kMostWide[0], kernels::kMostWide[1]};  ///< [1] kernels::Parts::wide
    std::uint32_t seen[2]{kernels::kMostWide[0], kernels::kMostWide[1]};  ///< [1] of the step that was seen last
    bool few_edges{false};
    std::uint32_t cold_steps{0};  ///< [1] to come in which many contacts may be cold (kernels/collide/cold.h)
  } expected;
  exec::Buffer<std::uint8_t> masks{memory};           ///< [1] (masks x worlds) of the jobs in flight
  exec::Table<kernels::Residuals> residuals{memory};  ///< where they are asked for
  // where states are exchanged with arrays of the user's, those of the world are shown, or surfaces move
  exec::Table<kernels::Frames> frames{memory};
  exec::Buffer<std::uint32_t> row_begin{memory};  ///< [1] (worlds + 1) first of Frames::row_slot of each world
  exec::Buffer<std::uint32_t> refused{memory};
  exec::Buffer<kernels::StepState> state{memory};
};

}  // namespace cairn
