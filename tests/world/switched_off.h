#pragma once
// Bodies that start switched off, and where those fall that nothing holds.

#include <cmath>

#include "src/solve/traits.h"
#include "tests/support/builders.h"

namespace cairn::world_test {

inline constexpr double kG = 9.81;  ///< [m/s^2]

inline Body off(Body body) {
  body.enabled = false;
  return body;
}

/// The same solver, but what is pushed out of an overlap doesn't fall asleep on its way, as slow as it may be.
inline void stay_awake(World& world) {
  StepParams params = world.params();
  params.sleeping = false;
  world.set_params(params);
}

/// [m] Where free fall leads from there in so many steps: in n substeps of h, semi-implicit Euler gives
/// z + n h v - g h^2 n (n + 1) / 2.
inline double fallen(const World& world, const BodyState& from, int steps) {
  const int substeps = substeps_of(world.params());
  const double n = steps * substeps, h = static_cast<double>(world.params().dt) / substeps;
  return from.position.z + n * h * static_cast<double>(from.linear_velocity.z) - 0.5 * kG * h * h * n * (n + 1);
}

/// [m/s, m] What rounding may make of that in speed and place: half an ulp of the last speed in each substep, and as
/// much of the way since the step's start.
struct FallRounding {
  double speed, place;
};
inline FallRounding fall_rounding(const World& world, const BodyState& from, int steps) {
  const double t = steps * static_cast<double>(world.params().dt), n = steps * substeps_of(world.params());
  const double fastest = std::abs(static_cast<double>(from.linear_velocity.z)) + kG * t;
  const double speed = n * fastest * 0x1p-24;
  return {speed, speed * t + n * fastest * static_cast<double>(world.params().dt) * 0x1p-24 + 1e-9};
}

}  // namespace cairn::world_test
