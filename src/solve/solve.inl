#pragma once

#include "src/solve/soft_step.inl"
#include "src/solve/xpbd.inl"

namespace cairn {

/// Rows and velocities -> impulses and velocities that lead out of overlap: soft constraints with a bias, or position
/// corrections.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void solve(Exec& exec, const StepContext& s) {
  if (s.solver == SolverKind::kXpbd) {
    xpbd_pass<kernels::XpbdPass::kPosition>(exec, s);
  } else {
    soft_step_pass<true>(exec, s);
  }
  exec.mark(Stage::kSolve);
}

/// Takes back the velocity that the push gave: soft constraints without the bias, or the velocity pass.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void relax(Exec& exec, const StepContext& s) {
  if (s.solver == SolverKind::kXpbd) {
    xpbd_pass<kernels::XpbdPass::kVelocity>(exec, s);
  } else {
    soft_step_pass<false>(exec, s);
  }
  exec.mark(Stage::kRelax);
}

}  // namespace cairn
