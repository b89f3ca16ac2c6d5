#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/params.h"
#include "cairn/types.h"

namespace cairn {

/// The stages of a step, as reports list them; src/step.inl has the order in which they come in a step. One word each:
/// the functor, the host function, the profiler label and the docs carry it.
enum class Stage : std::uint8_t {
  kField,
  kBound,
  kPair,
  kMatch,
  kCollide,
  kColor,
  kPrepare,
  kPredict,
  kParticles,
  kFluids,
  kJoints,
  kSolve,
  kAdvance,
  kRelax,
  kRestitute,
  kMove,  ///< `predict` to `relax` of the small worlds of a batch, in one
  kCcd,
  kFinish,
  kSleep,
  kEvents,
};
inline constexpr int kStageCount = 20;
std::string_view stage_name(Stage stage);

/// Status bits of a step. Zero is good. A bit stays set until `World::clear_status`. Where a body breaks, its whole
/// world is frozen as it was before that step: what it would have done to its neighbours isn't known.
enum StatusBit : std::uint32_t {
  kStatusNonFinite = 1u << 0,    ///< a body's state became NaN or infinite; its world is frozen
  kStatusOutOfBounds = 1u << 1,  ///< a body left the box of WorldLimits; its world is frozen
  kStatusOverflow = 1u << 2,     ///< there was no room for a step's pairs (Capacity::pairs) or, while a graph holds the
                                 ///< World's addresses, for its pairs or rows; the step was not taken
  kStatusTooFast = 1u << 3,      ///< a body passed a speed of WorldLimits, or its turning surface 1e5 m/s; frozen
};
std::vector<std::string> status_names(std::uint32_t status);

/// The most of each that a World ever needed at once, in all its worlds together.
struct HighWater {
  std::uint32_t bodies{0};  ///< [1]
  std::uint32_t shapes{0};  ///< [1]
  std::uint32_t pairs{0};   ///< [1] of shapes that may touch; counts those of a step that was refused, too
  std::uint32_t rows{0};    ///< [1] of the solver, with those that fill up colours
  friend bool operator==(const HighWater&, const HighWater&) = default;
};

struct StepReport {
  std::uint32_t status{0};  ///< StatusBit
  std::uint64_t steps{0};   ///< steps taken since the world was made
  double time{0};           ///< [s] simulated
  std::uint32_t bodies{0};  ///< alive, those that are switched off too
  std::uint32_t shapes{0};
  std::uint32_t pairs{0};      ///< of shapes that may touch, last step
  std::uint32_t manifolds{0};  ///< of them with contact points
  std::uint32_t points{0};
  std::uint32_t colors{0};              ///< colours in use by contacts between two dynamic bodies
  std::uint32_t recycled{0};            ///< manifolds kept from the step before
  std::uint32_t asleep{0};              ///< bodies
  std::uint32_t broken_constraints{0};  ///< constraints of particles that hold nothing any more
  HighWater high_water;
  std::array<double, kStageCount> stage_ms{};           ///< [ms] last step; zeros unless WorldOptions::timings or trace
  std::array<std::uint64_t, kStageCount> stage_hash{};  ///< of what each stage wrote; zeros unless WorldOptions::trace
};

/// What is one world's own. A world with a status bit is frozen as it was before the step that would have broken it;
/// the other worlds go on. World::reset starts it again, World::clear_status lets it go on from where it is, once what
/// broke it is mended.
struct WorldReport {
  std::uint32_t status{0};          ///< StatusBit; 0 for a world that isn't frozen
  BodyHandle first_bad;             ///< of the bodies that broke it, the first; null if none did
  std::uint64_t first_bad_step{0};  ///< [1] number of the step that it didn't take over, from 1 on; 0 if none
  std::uint64_t steps{0};           ///< [1] taken since it was made or reset
  double time{0};                   ///< [s] simulated since then
  std::uint32_t bodies{0};          ///< [1] alive, those that are switched off too
};

/// A contact manifold, read back after a step.
struct Contact {
  BodyHandle a, b;
  Vec3 normal;  ///< [1] world, from a to b
  struct Point {
    Vec3d position;       ///< [m]   world, on the surface of a
    float separation{0};  ///< [m]   negative where the shapes overlap
    float impulse{0};     ///< [N s] normal impulse of the last step, summed over its substeps
  };
  int count{0};  ///< [1] points, 1..4
  std::array<Point, 4> points;
  Vec3 friction_impulse;  ///< [N s] world, on b, of the last step, summed over its substeps
};

}  // namespace cairn
