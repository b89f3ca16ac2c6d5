#pragma once
// Sequential impulses (Catto 2005, "Iterative Dynamics with Temporal Coherence"; 2009, "Modeling and Solving
// Constraints"): Gauss-Seidel on velocities with accumulated impulses. The sum is clamped, not the increments, and it
// starts from that of the step before. A bias on the velocity corrects overlap beyond a slop (Baumgarte 1972): dl = -m
// (vn + max(beta (s + slop) / dt, -max_depenetration_speed)). Except for this bias it is a row of soft step with mass
// scale 1 and impulse scale 0, and the same functor does it (kernels/solve/soft_step.h).

#include "kernels/common/step_state.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// [1] Share of an overlap that a step corrects: the error reduction of the classic engines (0.2 in ODE, Bullet and
/// Box2D).
inline constexpr float kBaumgarte = 0.2f;
/// [1] Overlap that isn't corrected, in bounding radii of the smaller body; 4 mm for unit boxes, where Box2D has 5.
/// Without it resting contacts open and lose their impulses, and towers of 5 dance at 0.2 m/s.
inline constexpr float kSlop = 0.005f;

template <class T>
CAIRN_HD T slop_of(const float* radius, const RowBlock& row, std::uint32_t lane) {
  return T(kSlop) * min_of<T>(radius, row, lane);
}

/// [m/s] The speed, negative, at which overlap s <= 0 is corrected.
template <class T>
CAIRN_HD T baumgarte(const StepConstants& k, T s, T slop) {
  return max(T(kBaumgarte * k.inv_h) * min(s + slop, T(0.0f)), T(-k.max_depenetration_speed));
}

}  // namespace cairn::kernels
