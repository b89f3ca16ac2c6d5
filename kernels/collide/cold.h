#pragma once
// Cold contacts: those of bodies that were just placed.

#include "kernels/common/contacts.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// [1] Steps for which contacts stay cold, and max passes over them instead of one. Sequential impulses have fewer:
/// with more passes their towers fall sooner, because they need the sinking into the slop meanwhile.
inline constexpr std::uint32_t kColdSteps = 10, kColdPasses = 32, kColdPassesOfSequential = 16;
/// [1] Max motion of slow bodies against each other in a step, over the radius of the smaller.
inline constexpr float kSlowWay = 0.1f;

/// Bodies that were just placed have no impulses yet. With one pass per substep a stack of 11 bricks falls by 8 mm
/// until they are found, and topples late. So contacts are cold in two cases. In the first steps of a world, since it
/// was made or reset, if the bodies are slow against each other. And in their own first steps, if they begin at rest:
/// one of the bodies has no velocity at all, and the other at most that of k.falls substeps of free fall. Returns
/// kManifoldCold of the contact's flags.
CAIRN_HD std::uint32_t cold_steps(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t a,
                                  std::uint32_t b, const Manifold* old) {
  const std::uint32_t world = bodies.world[a];
  const auto spin = [&](std::uint32_t i) { return bodies.radius[i] * length(bodies.w[i]); };
  const auto speed = [&](std::uint32_t i) { return spin(i) + length(bodies.v[i]); };
  std::uint32_t left = 0;
  if (old != nullptr && old->count != 0) {
    const std::uint32_t before = (old->flags & kManifoldCold) / kManifoldColdStep;
    if (before != 0) left = before - 1;
  } else {
    const float s_a = speed(a), s_b = speed(b), slow = k.falls * k.h * fall_of(bodies, a, b, worlds.gravity[world]);
    const bool placed = (s_a == 0.0f && is_dynamic(bodies.flags[a])) || (s_b == 0.0f && is_dynamic(bodies.flags[b]));
    if (placed && s_a <= slow && s_b <= slow) left = kColdSteps;
  }
  const std::uint64_t steps = worlds.steps[world];
  if (steps >= kColdSteps || left >= kColdSteps - steps) return left * kManifoldColdStep;
  const float way = k.dt * (length(bodies.v[b] - bodies.v[a]) + spin(a) + spin(b));
  if (way <= kSlowWay * smaller_radius(bodies, a, b)) left = kColdSteps - static_cast<std::uint32_t>(steps);
  return left * kManifoldColdStep;
}

}  // namespace cairn::kernels
