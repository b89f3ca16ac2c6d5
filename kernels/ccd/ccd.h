#pragma once
// Bodies that approach each other in a step by more than the margin of their contacts could pass through each other,
// and are stopped where they meet. The contact found there in the next step does the rest. The remaining motion of this
// step is lost, but no velocity is.

#include "kernels/ccd/motion.h"

namespace cairn::kernels {

/// [1] Covers rounding of a sum of lengths. So no pair of a world without CCD passes CcdPair's test where another world
/// of the batch makes the step run it.
inline constexpr float kFarSlack = 1.0f + 1e-5f;

/// Finds the longest motion of a body, and the shortest that could lead through something. Writes ccd of body i, and
/// two integer maxima, of the bits of floats above 0. One thread per body slot.
struct CcdStart {
  StepConstants k;
  Bodies bodies;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    bodies.ccd[i] = {};
    const std::uint32_t flags = bodies.flags[i];
    if (!moves(flags)) return;
    const float farthest = way_of_surface(k, bodies, i);
    // a motion that overflows doesn't count: see has_way
    if (finite(farthest)) raise_to(&state->farthest, bits_of(farthest));
    if (!is_dynamic(flags) || is_link(flags)) return;
    raise_to(&state->shortest, ~bits_of(far_move(bodies, i)));
  }

 private:
  /// Most values change nothing, and skip the atomic.
  CAIRN_HD static void raise_to(std::uint32_t* at, std::uint32_t value) {
    if (atomic_load(at) < value) atomic_max(at, value);
  }
};

/// Count of shapes that `ccd` examines: all, if two bodies could have approached by more than the margin of their
/// contacts. Once.
struct CcdCount {
  StepConstants k;
  StepState* state;
  CAIRN_HD void operator()() const {
    const bool far = kFarSlack * 2.0f * float_of(state->farthest) > float_of(~state->shortest);
    state->ccd_shapes = state->shortest != 0 && far ? k.shape_count : 0;
  }
};

/// Shortens the motion of bodies that were stopped. Writes solve.dx and q1 of body i. One thread per body slot.
struct CcdBody {
  Bodies bodies;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t stop = bodies.ccd[i].after(kCcdPasses);
    if (stop == 0) return;
    const float t = share_of(stop);
    bodies.solve[i].dx = t * bodies.solve[i].dx;
    bodies.q1[i] = widen(between(widen(bodies.q[i]), bodies.q1[i], t));
  }
};

}  // namespace cairn::kernels
