#pragma once
// Softness: frequency and damping ratio of contacts, friction and joints as coefficients of a substep.

#include <algorithm>

#include "cairn/params.h"
#include "kernels/common/step_state.h"
#include "src/solve/traits.h"

namespace cairn {

/// [1] Damping ratio of joints, of avbd, and of contacts whose points changed: with more damping these ring.
inline constexpr float kFirmDampingRatio = 2.0f;
/// [1] Max damping ratio of cold contacts: with more they sink too slowly to learn their rest while they are cold.
inline constexpr float kColdDampingRatio = 17.0f;
/// [1] Frequency of friction over that of contacts, and its damping ratio. As stiff as contacts, or with as small a
/// leak, it makes walls ring at 100 to 280 mm/s; at 0.9 single boxes of piles ring, at 0.8 walls of 70 rows.
inline constexpr float kFrictionFrequency = 0.5f, kFrictionDampingRatio = 3.5f;
/// [1] Share of a joint's error that sequential impulses correct in a step.
inline constexpr float kJointBaumgarte = 0.2f;
/// [1] Share of its impulse that such a joint loses in a pass: contradictory joints must not wind up.
inline constexpr float kJointLeak = 0.02f;

/// With natural frequency f / h.
inline kernels::Softness softness(float f, float damping_ratio, float inv_h) {
  const float h_omega = 6.28318531f * f, a1 = 2.0f * damping_ratio + h_omega, a2 = h_omega * a1;
  const float leak = 1.0f / (1.0f + a2);
  return {(h_omega / a1) * inv_h, a2 * leak, leak};
}

/// Of contacts and friction; `k` has the substep.
inline void set_softness(kernels::StepConstants& k, const SolverTraits& solver, const StepParams& params) {
  const float f = params.contact_frequency_ratio, ratio = params.contact_damping_ratio;
  k.firm = k.contact = k.cold = softness(f, kFirmDampingRatio, k.inv_h);
  if (!solver.colors_bodies) {
    k.contact = softness(f, ratio, k.inv_h);
    k.cold = softness(f, std::min(ratio, kColdDampingRatio), k.inv_h);
  }
  k.friction = softness(kFrictionFrequency * f, kFrictionDampingRatio, k.inv_h);
}

/// Of joints, after those of contacts.
inline kernels::JointSoftness joint_softness(const SolverTraits& solver, const kernels::StepConstants& k) {
  if (solver.positional) return {1.0f, k.inv_h, 0.0f, false, true};
  if (solver.keeps_push) return {1.0f, kJointBaumgarte * k.inv_h, kJointLeak, false, false};
  return {k.firm.mass_scale, k.firm.mass_scale * k.firm.bias_rate, k.firm.impulse_scale, true, false};
}

}  // namespace cairn
