#pragma once
// The worlds of a batch. They share a step's constants and don't interact. Every stage processes all of them at once,
// and its decisions for a world depend on that world's own numbers only.

#include <cstdint>

#include "cairn/random.h"
#include "cairn/report.h"
#include "kernels/common/arrays.h"
#include "kernels/common/atomic.h"
#include "kernels/common/step_state.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// [1] Max worlds of a batch: a grid key has 16 bits for their index (kernels/pair/grid.h), and the last means none.
inline constexpr std::uint32_t kMaxWorlds = 65535;

/// The StepParams that each world has of its own.
struct WorldParams {
  float restitution_threshold;                         ///< [m/s]
  float recycle_tolerance;                             ///< [1]
  float sleep_speed;                                   ///< [m/s]
  float sleep_time;                                    ///< [s]
  MixRule friction_mix, restitution_mix, rolling_mix;  ///< of two materials
};
inline WorldParams world_params(const StepParams& p) {
  return {p.restitution_threshold, p.recycle_tolerance, p.sleep_speed, p.sleep_time,
          p.friction_mix,          p.restitution_mix,   p.rolling_mix};
}

/// [1] Of an EnergySum: one for each 16 powers of 2, from 2^-64 on.
inline constexpr int kEnergyDigits = 8;
/// [J] A sum of floats in integers, which is the same in any order (kernels/solve/gain.h).
struct EnergySum {
  std::int64_t digits[kEnergyDigits];  ///< [1] times 2^(16 i - 64 - 23)
};
/// Twice the kinetic energy that contacts gave a world in a substep, for even and odd substeps.
struct WorldGain {
  EnergySum of[2];
};

/// Worlds by index.
struct Worlds {
  Vec3* gravity;                ///< [m/s^2] (worlds)
  std::uint32_t* plane_begin;   ///< [1]     (worlds + 1) first plane of each in the list of planes
  std::uint32_t* shape_count;   ///< [1]     (worlds) slots, in use or used before
  WorldParams* params;          ///<         (worlds)
  WorldLimits* limits;          ///<         (worlds)
  std::uint64_t* steps;         ///< [1]     (worlds) taken since the world was made or reset
  double* time;                 ///< [s]     (worlds) simulated since then
  std::uint32_t* status;        ///< [1]     (worlds) StatusBit; a world with one is frozen
  std::uint32_t* first_bad;     ///< [1]     (worlds) complement of the lowest body that raised one; 0 for none
  std::uint64_t* seed;          ///< [1]     (worlds) of its random numbers
  std::uint32_t* episode;       ///< [1]     (worlds) count of its resets
  Scales* scales;               ///<         (worlds)
  WorldGain* gain;              ///<         (worlds) of the step's substeps
  std::uint32_t* repeat_round;  ///< [1]     (worlds) last round over repeated rows (kernels/solve/repeated_rows.h)
  friend bool operator==(const Worlds&, const Worlds&) = default;
};
template <Same<Worlds> V>
inline constexpr TypedList kArrays<V>{
    kept<&V::gravity>({.name = "gravity", .unit = "m/s^2", .writable = true}),
    derived<&V::plane_begin>(),
    derived<&V::shape_count>(),
    derived<&V::params>(),
    kept<&V::limits>(
        {.name = "limits", .unit = "m, m/s, rad/s", .meaning = "lower x, y, z, upper x, y, z, speed, angular speed"}),
    kept<&V::steps, Start::kZero>({.name = "world_steps", .meaning = "taken since the world was made or reset"}),
    kept<&V::time, Start::kZero>({.name = "world_time", .unit = "s", .meaning = "simulated since then"}),
    kept<&V::status, Start::kZero>({.name = "world_status", .meaning = "StatusBit; a world that has one is frozen"}),
    kept<&V::first_bad, Start::kZero>(
        {.name = "world_first_bad", .meaning = "complement of the lowest body slot that raised one; 0 for none"}),
    kept<&V::seed>({.name = "world_seed", .meaning = "of what it draws"}),
    kept<&V::episode>({.name = "world_resets", .meaning = "since the world was made"}),
    kept<&V::scales>({.name = "world_scales", .meaning = "size, mass, friction, restitution"}),
    scratch<&V::gain>(),
    scratch<&V::repeat_round>()};

/// Worlds of a call: all, or the chosen ones, without the refused ones.
struct Selection {
  const std::uint8_t* chosen{nullptr};    ///< [1] (worlds) not 0 for those chosen; null for all
  const std::uint32_t* refused{nullptr};  ///< [1] (worlds) not 0 for those refused; null for none
  CAIRN_HD bool operator()(std::uint32_t world) const {
    return (chosen == nullptr || chosen[world] != 0) && (refused == nullptr || refused[world] == 0);
  }
};

/// [1] Lifetime of colours in steps. Then all contacts of a world are coloured again, so that colours don't accumulate.
inline constexpr std::uint64_t kRecolorPeriod = 256;
CAIRN_HD bool recolors(const Worlds& worlds, std::uint32_t world) {
  const std::uint64_t steps = worlds.steps[world];
  return steps != 0 && steps % kRecolorPeriod == 0;
}

/// Sets a status bit of a body's world and of the step. The step's results for that world are then discarded
/// (kernels/finish/finish.h). Integer or; an integer max of its complement finds the lowest body.
CAIRN_HD void raise(const Worlds& worlds, StepState* state, std::uint32_t world, std::uint32_t body, StatusBit bit) {
  atomic_or(&worlds.status[world], std::uint32_t{bit});
  atomic_or(&state->status, std::uint32_t{bit});
  atomic_max(&worlds.first_bad[world], ~body);
}

}  // namespace cairn::kernels
