#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/params.h"
#include "cairn/types.h"

namespace cairn {

/// The stages of a step, in the order of reports; src/step.inl has their order in a step. Each has one word: the name
/// of its functor, host function, profiler label and docs.
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
  kMove,  ///< `predict` to `relax` of the small worlds of a batch, as one stage
  kCcd,
  kFinish,
  kSleep,
  kEvents,
};
template <>
struct EnumWords<Stage> : WordsUpTo<Stage::kEvents> {};
inline constexpr int kStageCount = EnumWords<Stage>::all.size();
std::string_view stage_name(Stage stage);

/// Status bits of a step. Zero is good. A bit stays set until `World::clear_status`. When a body fails, its whole world
/// is frozen in the state before that step, since the body's effect on its neighbours isn't known.
enum StatusBit : std::uint32_t {
  kStatusNonFinite = 1u << 0,    ///< a body's state became NaN or infinite; its world is frozen
  kStatusOutOfBounds = 1u << 1,  ///< a body left the box of WorldLimits; its world is frozen
  kStatusOverflow = 1u << 2,     ///< a step exceeded the capacity of pairs (Capacity::pairs) or, while a graph holds
                                 ///< the World's addresses, of pairs or rows; it was not taken
  kStatusTooFast = 1u << 3,      ///< a body passed a speed of WorldLimits, or its turning surface 1e5 m/s; frozen
};
/// The name of each bit.
inline constexpr std::array<Word<StatusBit>, 4> kStatusNames{{{"non_finite", kStatusNonFinite},
                                                              {"out_of_bounds", kStatusOutOfBounds},
                                                              {"overflow", kStatusOverflow},
                                                              {"too_fast", kStatusTooFast}}};
std::vector<std::string> status_names(std::uint32_t status);

/// The max of each count that a World ever needed at once, in all its worlds together.
struct HighWater {
  std::uint32_t bodies{0};
  std::uint32_t shapes{0};
  std::uint32_t pairs{0};
  std::uint32_t rows{0};
  friend bool operator==(const HighWater&, const HighWater&) = default;
};

template <Same<HighWater> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::bodies>({}), attribute<&S::shapes>({}),
    attribute<&S::pairs>({.meaning = "of shapes that may touch; counts those of a step that was refused, too"}),
    attribute<&S::rows>({.meaning = "of the solver, with those that fill up colours"})};

struct StepReport {
  std::uint32_t status{0};
  std::uint64_t steps{0};
  double time{0};
  std::uint32_t bodies{0};
  std::uint32_t shapes{0};
  std::uint32_t pairs{0};
  std::uint32_t manifolds{0};
  std::uint32_t points{0};
  std::uint32_t colors{0};
  std::uint32_t recycled{0};
  std::uint32_t asleep{0};
  std::uint32_t broken_constraints{0};
  HighWater high_water;
  std::array<double, kStageCount> stage_ms{};
  std::array<std::uint64_t, kStageCount> stage_hash{};
};

template <Same<StepReport> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::status>({.meaning = "StatusBit"}),
    attribute<&S::steps>({.meaning = "taken since the world was made"}),
    attribute<&S::time>({.unit = "s", .meaning = "simulated"}),
    attribute<&S::bodies>({.meaning = "alive, those that are switched off too"}),
    attribute<&S::shapes>({}),
    attribute<&S::pairs>({.meaning = "of shapes that may touch, last step"}),
    attribute<&S::manifolds>({.meaning = "of them with contact points"}),
    attribute<&S::points>({.meaning = "contact points"}),
    attribute<&S::colors>({.meaning = "colours in use by contacts between two dynamic bodies"}),
    attribute<&S::recycled>({.meaning = "manifolds kept from the step before"}),
    attribute<&S::asleep>({.meaning = "bodies"}),
    attribute<&S::broken_constraints>({.meaning = "constraints of particles that hold nothing any more"}),
    attribute<&S::high_water>({.meaning = "the most ever needed at once"}),
    attribute<&S::stage_ms>(
        {.unit = "ms", .meaning = "by Stage, of the last step; zeros unless WorldOptions::timings or trace"}),
    attribute<&S::stage_hash>({.meaning = "by Stage, of what each wrote; zeros unless WorldOptions::trace"})};

/// Report of one world. A world with a status bit is frozen in the state before the step that failed; the other worlds
/// go on. World::reset starts it again. World::clear_status lets it continue from its present state, once the cause is
/// removed.
struct WorldReport {
  std::uint32_t status{0};
  BodyHandle first_bad;
  std::uint64_t first_bad_step{0};
  std::uint64_t steps{0};
  double time{0};
  std::uint32_t bodies{0};
};

template <Same<WorldReport> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::status>({.meaning = "StatusBit; 0 for a world that isn't frozen"}),
    attribute<&S::first_bad>({.meaning = "of the bodies that broke it, the first; null if none did"}),
    attribute<&S::first_bad_step>({.meaning = "number of the step that it didn't take over, from 1 on; 0 if none"}),
    attribute<&S::steps>({.meaning = "taken since it was made or reset"}),
    attribute<&S::time>({.unit = "s", .meaning = "simulated since then"}),
    attribute<&S::bodies>({.meaning = "alive, those that are switched off too"})};

/// A contact manifold, read back after a step.
struct Contact {
  BodyHandle a, b;
  Vec3 normal;
  struct Point {
    Vec3d position;
    float separation{0};
    float impulse{0};
  };
  int count{0};
  std::array<Point, 4> points;
  Vec3 friction_impulse;
};

template <Same<Contact::Point> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::position>({.unit = "m", .meaning = "world, on the surface of a"}),
    attribute<&S::separation>({.unit = "m", .meaning = "negative where the shapes overlap"}),
    attribute<&S::impulse>({.unit = "N s", .meaning = "normal impulse of the last step, summed over its substeps"})};

template <Same<Contact> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::a>({}),
    attribute<&S::b>({}),
    attribute<&S::normal>({.meaning = "world, from a to b"}),
    attribute<&S::count>({.meaning = "points in use, 1 to 4"}),
    attribute<&S::points>({.meaning = "of which `count` mean something"}),
    attribute<&S::friction_impulse>(
        {.unit = "N s", .meaning = "world, on b, of the last step, summed over its substeps"})};

}  // namespace cairn
