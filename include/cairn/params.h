#pragma once
// Physics parameters of a step, capacities and tuning: StepParams change results, Capacity and Tuning never do.

#include <cstdint>

#include "cairn/attributes.h"
#include "cairn/types.h"

namespace cairn {

enum class SolverKind : std::uint8_t {
  kSoftStep,           ///< substepped soft contacts with a relax pass; the default for rigid bodies
  kXpbd,               ///< extended position-based dynamics (Mueller et al. 2020)
  kSequentialImpulse,  ///< sequential impulses with a warm start and no substeps (Catto 2005), the classic baseline
  kAvbd,               ///< augmented vertex block descent (Giles, Diaz and Yuksel 2025), with substeps
  kHertzMindlin,       ///< elastic spheres, explicit (Hertz 1882; Mindlin 1949): the contacts of DEM (cairn/hertz.h)
};

enum class SweepKind : std::uint8_t {
  kGaussSeidel,  ///< colour by colour
  kJacobi,       ///< positions of all contacts at once, velocities colour by colour; `xpbd` only
};

/// How the friction (or restitution) of two materials is combined.
enum class MixRule : std::uint8_t { kGeometricMean, kMin, kMax, kProduct };

template <>
struct EnumWords<SolverKind> : WordsUpTo<SolverKind::kHertzMindlin> {};
template <>
struct EnumWords<SweepKind> : WordsUpTo<SweepKind::kJacobi> {};
template <>
struct EnumWords<MixRule> : WordsUpTo<MixRule::kProduct> {};

/// Parameters of a step. The list below has unit, range and meaning of each.
struct StepParams {
  SolverKind solver{SolverKind::kSoftStep};
  SweepKind sweep{SweepKind::kGaussSeidel};
  int substeps{6};
  int particle_iterations{0};
  int fluid_iterations{4};
  int direct_bodies{64};
  float direct_mass_ratio{30.0f};
  float residual_target{0.0f};
  float dt{1.0f / 60.0f};
  float contact_frequency_ratio{0.20f};
  float contact_damping_ratio{64.0f};
  float max_depenetration_speed{3.0f};
  float restitution_threshold{1.0f};
  float recycle_tolerance{0.01f};
  MixRule friction_mix{MixRule::kGeometricMean};
  MixRule restitution_mix{MixRule::kMax};
  MixRule rolling_mix{MixRule::kMax};
  bool ccd{true};
  bool sleeping{false};
  float sleep_speed{0.01f};
  float sleep_time{0.5f};
  friend bool operator==(const StepParams&, const StepParams&) = default;
};

template <Same<StepParams> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::solver>({.meaning = "docs/hertz.md has what hertz_mindlin is", .key = "kind"}),
    attribute<&S::sweep>({.meaning = "jacobi with xpbd only"}),
    attribute<&S::substeps>({.range = between(1, 1000),
                             .meaning = "4 are fast, 12 for tall stacks; of sequential_impulse the passes of a step"}),
    attribute<&S::particle_iterations>(
        {.range = between(0, 1000),
         .meaning = "sweeps over the constraints of particles in a substep, symmetric with gauss_seidel; 0: for each "
                    "set as many as its laws ask for, at most 32 (docs/particles.md#sweeps)"}),
    attribute<&S::fluid_iterations>(
        {.range = between(1, 1000), .meaning = "sweeps over the particles of fluids in a substep"}),
    attribute<&S::direct_bodies>({.range = between(0, 256),
                                  .meaning = "soft_step solves islands of at most so many bodies directly where one "
                                             "rests on one of a small part of its mass (docs/direct.md); 0: none"}),
    attribute<&S::direct_mass_ratio>(
        {.range = between(1, 1e30),
         .meaning = "its mass over that of the body below, at least; 1: every island, whatever rests on what"}),
    attribute<&S::residual_target>(
        {.unit = "m/s",
         .range = kAtLeastZero,
         .meaning = "soft_step, avbd and sequential_impulse repeat a pass over a world's contacts while it changes a "
                    "velocity by more, up to 32 passes (docs/direct.md#more-passes); 0: one pass"}),
    attribute<&S::dt>({.unit = "s", .range = over(0, 1), .meaning = "step, at least 1e-7 s a substep"}),
    attribute<&S::contact_frequency_ratio>(
        {.range = over(0, 0.25), .meaning = "natural frequency of soft contacts, over that of substeps, 1/h"}),
    attribute<&S::contact_damping_ratio>({.range = over(0, 100),
                                          .meaning = "of contacts that keep their points (soft_step), less while they "
                                                     "are new and at rest; joints, contacts of links and avbd have 2"}),
    attribute<&S::max_depenetration_speed>(
        {.unit = "m/s", .range = kAtLeastZero, .meaning = "max speed at which overlap is pushed out"}),
    attribute<&S::restitution_threshold>(
        {.unit = "m/s",
         .range = kAtLeastZero,
         .meaning = "slower approaches don't bounce, nor those slower than two substeps of fall",
         .own = true}),
    attribute<&S::recycle_tolerance>(
        {.range = between(0, 1),
         .meaning = "change of pose that keeps a manifold, in bounding radii of the smaller body",
         .own = true}),
    attribute<&S::friction_mix>({.meaning = "how the friction of two materials becomes the pair's", .own = true}),
    attribute<&S::restitution_mix>({.meaning = "the same of restitution", .own = true}),
    attribute<&S::rolling_mix>({.meaning = "the same of rolling friction", .own = true}),
    attribute<&S::ccd>(
        {.meaning =
             "stops what moves far where it would pass through something; without it what is fast and thin may pass"}),
    attribute<&S::sleeping>({.meaning = "puts resting islands to sleep"}),
    attribute<&S::sleep_speed>({.unit = "m/s",
                                .range = kAtLeastZero,
                                .meaning = "a body is quiet while all its bounding sphere is slower",
                                .own = true}),
    attribute<&S::sleep_time>({.unit = "s",
                               .range = kAtLeastZero,
                               .meaning = "an island sleeps when all its bodies were quiet for so long",
                               .own = true})};

/// Limits on the bodies of a world. After each step all moving bodies are checked. If one is past a limit the step is
/// discarded: the world is frozen in the state before it, with a status bit (cairn/report.h). The defaults are the
/// widest limits.
struct WorldLimits {
  Vec3 lower{-1e7f, -1e7f, -1e7f};
  Vec3 upper{1e7f, 1e7f, 1e7f};
  float speed{1e5f};
  float angular_speed{1e11f};
  friend bool operator==(const WorldLimits&, const WorldLimits&) = default;
};

template <Same<WorldLimits> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::lower>(
        {.unit = "m", .range = kWorldPosition, .meaning = "corner of the box that centres of mass stay in"}),
    attribute<&S::upper>(
        {.unit = "m", .range = kWorldPosition, .meaning = "the opposite corner, each coordinate over that of lower"}),
    attribute<&S::speed>({.unit = "m/s", .range = over(0, 1e5), .meaning = "of a centre of mass"}),
    attribute<&S::angular_speed>({.unit = "rad/s",
                                  .range = over(0, 1e11),
                                  .meaning = "no body's surface may turn at over 1e5 m/s, whatever this is"})};

/// Reaction of a World that needs more than a given capacity.
enum class OnOverflow : std::uint8_t {
  kGrow,   ///< raises the capacity
  kError,  ///< throws CapacityError, with the state as it was
};
template <>
struct EnumWords<OnOverflow> : WordsUpTo<OnOverflow::kError> {};

/// Capacities of a World, for all its worlds together. Zero: the World counts and grows. Another value is a starting
/// size. More than 2^30 of one are refused with CapacityError.
struct Capacity {
  std::uint32_t bodies{0};
  std::uint32_t shapes{0};
  std::uint32_t pairs{0};
  OnOverflow on_overflow{OnOverflow::kGrow};
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

template <Same<Capacity> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::bodies>({.meaning = "room for so many; 0: counted"}),
                                          attribute<&S::shapes>({.meaning = "the same"}),
                                          attribute<&S::pairs>({.meaning = "pairs of shapes that may touch in a step"}),
                                          attribute<&S::on_overflow>({.meaning = "of the sizes that are given"})};

/// How the work is divided among threads. Changes times, never results.
struct Tuning {
  std::uint32_t small_world{128};
  std::uint32_t part_bodies{0};
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

template <Same<Tuning> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::small_world>(
        {.meaning = "worlds of no more bodies than this are small: a block of threads takes some of them through all "
                    "substeps, and large ones are solved together, colour by colour; 0: none is"}),
    attribute<&S::part_bodies>({.meaning = "bodies of the small worlds that a block takes, at most, or one world where "
                                           "that has more; 0 takes what suits the device"})};

}  // namespace cairn
