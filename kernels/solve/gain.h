#pragma once
// Tests whether the contacts of a substep gave a world kinetic energy.

#include "kernels/common/atomic.h"
#include "kernels/common/items.h"
#include "kernels/common/rounds.h"
#include "kernels/common/state.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// Adds a float to digits[...], exactly except for bits below 2^-64: its 24 bits, shifted by its exponent relative to
/// the digit's. 2^20 of them don't overflow. Values above 2^64 count as 2^64.
CAIRN_HD void add_exactly(float x, std::int64_t (&digits)[kEnergyDigits]) {
  const auto bits = bits_of(x);
  const int exponent = static_cast<int>(bits >> 23 & 0xffu) - 127 + 64;
  if (exponent < 0) return;
  const int clamped = exponent < 16 * kEnergyDigits ? exponent : 16 * kEnergyDigits - 1;
  const auto magnitude = static_cast<std::int64_t>((bits & 0x7fffffu) | 0x800000u) << clamped % 16;
  digits[clamped / 16] += (bits >> 31) != 0 ? -magnitude : magnitude;
}

/// Whether the sum is above 0.
CAIRN_HD bool is_positive(const EnergySum& sum) {
  std::int64_t carry = 0, rest = 0;
  for (int i = 0; i < kEnergyDigits; ++i) {
    const std::int64_t digit = sum.digits[i] + carry;
    carry = digit >> 16;
    rest |= digit & 0xffff;
  }
  return carry > 0 || (carry == 0 && rest != 0);
}

/// Bodies whose kinetic energy impulses must not raise: all without gravity, and all if contacts are rigid. Soft
/// contacts exchange energy all the time with stacks that sway, and removing it felled towers of 100. So with soft
/// contacts and gravity they are only bodies that wobble in a fast rotation. Their contacts have moved by the step's
/// end from where they were found: discs that roll round climbed by it.
struct GainingBodies {
  /// [rad] in a step
  static constexpr float kFastTurn = 0.05f;

  bool soft{false};                       ///< contacts are soft
  float dt{0};                            ///< [s]
  const Vec3* w1{nullptr};                ///< [kg^1/2 m/s] (bodies) w~ before the impulses of the substep
  const Sym3* inv_sqrt_inertia{nullptr};  ///<              (bodies)
  const std::uint32_t* flags{nullptr};    ///< [1]          (bodies) BodyFlag
  const std::uint32_t* world{nullptr};    ///< [1]          (bodies)
  const Vec3* gravity{nullptr};           ///< [m/s^2]      (worlds)
  const float* gravity_scale{nullptr};    ///< [1]          (bodies)

  CAIRN_HD bool has(std::uint32_t body) const {
    if (!soft) return true;
    const Vec3 g = gravity_scale[body] * gravity[world[body]];
    if (!(dot(g, g) > 0.0f)) return true;
    if ((flags[body] & kBodyGyroscopic) == 0) return false;
    const Vec3 turn = dt * (inv_sqrt_inertia[body] * w1[body]);
    return dot(turn, turn) > kFastTurn * kFastTurn;
  }
};

/// Sums m (v^2 - v1^2) and the same for w~, twice the kinetic energy, by world, and clears the sums of the next
/// substep. Under gravity, bodies with contacts are allowed the energy of k.falls substeps of fall from rest. Writes
/// gain of the run's worlds and last. One thread per run of bodies.
struct SumGains {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  GainingBodies gaining;
  std::uint32_t* last;        ///< [1] of RowRounds
  int parity;                 ///< [1] of the substep
  const std::uint32_t* some;  ///< [1] StepState::gainers

  CAIRN_HD void operator()(const BodyRun& run) const {
    if (atomic_load(last) != 0) atomic_store(last, 0u);
    if (gaining.soft && *some == 0) return;
    std::int64_t digits[kEnergyDigits] = {};
    std::uint32_t world = kNoWorld;
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const std::uint32_t body = run.body(i);
      const BodySolve& s = bodies.solve[body];
      if (!(s.movable > 0.0f) || is_link(bodies.flags[body]) || !gaining.has(body)) continue;
      if (bodies.world[body] != world) give(world, digits);
      world = bodies.world[body];
      const Vec3 v1 = bodies.v1[body], w1 = bodies.w1[body];
      const float fall =
          s.rows != 0 ? k.falls * k.h * length(bodies.gravity_scale[body] * worlds.gravity[world]) : 0.0f;
      const float linear = fma(-fall, fall, dot(s.v - v1, s.v + v1));
      const float twice = fma(linear, inverse_or_zero(s.inv_mass), dot(s.w - w1, s.w + w1));
      if (finite(twice)) add_exactly(twice, digits);
    }
    give(world, digits);
  }

 private:
  static constexpr std::uint32_t kNoWorld = 0xffffffffu;
  CAIRN_HD void give(std::uint32_t world, std::int64_t (&digits)[kEnergyDigits]) const {
    if (world == kNoWorld) return;
    WorldGain& gain = worlds.gain[world];
    for (int i = 0; i < kEnergyDigits; ++i) {
      if (digits[i] != 0) atomic_add(&gain.of[parity].digits[i], digits[i]);
      digits[i] = 0;
      std::int64_t& next = gain.of[parity ^ 1].digits[i];
      if (atomic_load(&next) != 0) atomic_store(&next, std::int64_t{0});
    }
  }
};

/// Requests the first round if a world of the part gained energy. Writes last. One thread per run of bodies.
struct AskForRounds {
  Bodies bodies;
  Worlds worlds;
  RowRounds rounds;
  int parity;                 ///< [1] of the substep
  const std::uint32_t* some;  ///< [1] StepState::gainers; null if all bodies count

  CAIRN_HD void operator()(const BodyRun& run) const {
    if (some != nullptr && *some == 0) return;
    std::uint32_t asked = 0xffffffffu;
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const std::uint32_t world = bodies.world[run.body(i)];
      if (world == asked) continue;
      asked = world;
      if (is_positive(worlds.gain[world].of[parity])) atomic_store(rounds.last, rounds.begin - 1);
    }
  }
};

}  // namespace cairn::kernels
