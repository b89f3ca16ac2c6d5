#pragma once
// Physics parameters of a step, sizes and tuning: StepParams change results, Capacity and Tuning never do.

#include <cstdint>

#include "cairn/types.h"

namespace cairn {

enum class SolverKind : std::uint8_t {
  kSoftStep,  ///< substepped soft contacts with a relax pass; the default for rigid bodies
  kXpbd,      ///< extended position-based dynamics (Mueller et al. 2020)
  kSequentialImpulse,  ///< sequential impulses with a warm start and no substeps (Catto 2005), the classic baseline
  kAvbd,      ///< augmented vertex block descent (Giles, Diaz and Yuksel 2025), with substeps
  kHertzMindlin,  ///< elastic spheres, explicit (Hertz 1882; Mindlin 1949): the contacts of DEM (cairn/hertz.h)
};

enum class SweepKind : std::uint8_t {
  kGaussSeidel,  ///< colour by colour
  kJacobi,       ///< positions of all contacts at once, velocities colour by colour; `xpbd` only
};

/// How two materials' friction (or restitution) become the pair's.
enum class MixRule : std::uint8_t { kGeometricMean, kMin, kMax, kProduct };

struct StepParams {
  SolverKind solver{SolverKind::kSoftStep};
  SweepKind sweep{SweepKind::kGaussSeidel};
  int substeps{6};                       ///< [1]      1..1000; 4 fast, 12 for tall stacks.
                                         ///<          `sequential_impulse` takes no substeps, but so many passes a step
  int strain_sweeps{0};                  ///< [1]      1..1000 sweeps over the constraints of particles in a substep;
                                         ///<          `gauss_seidel` goes there and back in each. 0: for each set as
                                         ///<          many as its laws ask for, at most 32 (docs/particles.md)
  int fluid_sweeps{4};                   ///< [1]      1..1000 sweeps over the particles of fluids in a substep
  int direct_bodies{64};                 ///< [1]      0..256; `soft_step` solves islands of at most so many bodies
                                         ///<          directly (docs/direct.md), where one rests on one of a small
                                         ///<          part of its mass. 0: none
  float direct_mass_ratio{30.0f};        ///< [1]      at least 1; its mass over that of the body below, at least. 1:
                                         ///<          every island, whatever rests on what
  float residual_target{0.0f};           ///< [m/s]    at least 0: `soft_step`, `avbd` and `sequential_impulse` repeat a
                                         ///<          pass over a world's contacts while it changes a velocity by more,
                                         ///<          up to 32 passes. 0: one pass
  float dt{1.0f / 60.0f};                ///< [s]      step, over 0, at most 1, and at least 1e-7 a substep
  float contact_frequency{0.20f};        ///< [1/h]    natural frequency of soft contacts; over 0, at most 0.25
  float contact_damping_ratio{80.0f};    ///< [1]      of contacts that keep their points (soft_step), 20 at most while
                                         ///<          they are new and at rest; over 0, at most 100
  float push_out_speed{3.0f};            ///< [m/s]    bound on the speed at which overlap is pushed out, at least 0
  float restitution_threshold{1.0f};     ///< [m/s]    slower approaches don't bounce, at least 0;
                                         ///<          nor do those slower than two substeps of fall
  float recycle_tolerance{0.01f};        ///< [1]      pose change in radii of the smaller body that keeps a manifold
  MixRule friction_mix{MixRule::kGeometricMean};
  MixRule restitution_mix{MixRule::kMax};
  MixRule rolling_mix{MixRule::kMax};
  bool sleeping{false};                  ///< put resting islands to sleep
  float sleep_speed{0.01f};              ///< [m/s]    a body is quiet while all its bounding sphere is slower
  float sleep_time{0.5f};                ///< [s]      an island sleeps when all its bodies were quiet for so long
  friend bool operator==(const StepParams&, const StepParams&) = default;
};

/// What the bodies of a world may do. After each step all that move are looked at, and if one is past a limit, the
/// step isn't taken over: the world is frozen as it was before it, with a status bit (cairn/report.h). The defaults are
/// the widest that there are.
struct Limits {
  Vec3 lower{-1e7f, -1e7f, -1e7f};  ///< [m]     corner of the box that centres of mass stay in, at least -1e7
  Vec3 upper{1e7f, 1e7f, 1e7f};     ///< [m]     the opposite corner, over `lower`, at most 1e7
  float speed{1e5f};                ///< [m/s]   of a centre of mass, over 0, at most 1e5
  float angular_speed{1e11f};       ///< [rad/s] over 0, at most 1e11; at most 1e5 m/s of the surface whatever it is
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// What a World does when it needs more than a size that it was given.
enum class OnOverflow : std::uint8_t {
  kGrow,   ///< makes room
  kError,  ///< throws CapacityError, with the state as it was
};

/// How many of each a World has room for, in all its worlds together. Zero lets the world count and grow; a value is a
/// starting size. More than 2^30 of one are refused with CapacityError.
struct Capacity {
  std::uint32_t bodies{0};  ///< [1]
  std::uint32_t shapes{0};  ///< [1]
  std::uint32_t pairs{0};   ///< [1] pairs of shapes that may touch in a step
  OnOverflow on_overflow{OnOverflow::kGrow};  ///< of the sizes that are given
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

/// How the work is shared out. Changes times, never results.
struct Tuning {
  /// [1] Worlds of no more bodies than this are small: a block of threads takes some of them through all substeps, and
  /// large ones are solved together, colour by colour. 0: none is. The sweeps of soft_step and xpbd alone.
  std::uint32_t small_world{128};
  std::uint32_t part_bodies{0};  ///< [1] of the small worlds that a block takes, at most; 0 takes what suits the device
  friend bool operator==(const Tuning&, const Tuning&) = default;
};

}  // namespace cairn
