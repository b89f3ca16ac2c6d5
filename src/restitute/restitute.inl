#pragma once

#include "kernels/restitute/restitute.h"
#include "kernels/solve/articulated_ends.h"
#include "src/step_context.h"

namespace cairn {

CAIRN_UNCHECKED
template <bool kRolling, class Links, class Exec>
CAIRN_BOTH void impacts(Exec& exec, const StepContext& s, int substep, const Links& links) {
  const std::uint32_t begin = static_cast<std::uint32_t>(substep) * kernels::kImpactRounds + 1;
  const kernels::RowRounds rounds{s.parts.last_round + exec.part(), begin, begin + kernels::kImpactRounds, false,
                                  begin};
  // most substeps have no impact: then the first round is the last
  constexpr std::uint32_t kUsualRounds = 2;
  exec.sweep_rounds(
      s.parts, s.row_capacity, kUsualRounds,
      kernels::ImpactRow<kRolling, Links>{s.constants, s.bodies, s.worlds.gravity, s.rows, rounds, links});
  exec.sweep(s.parts, s.row_capacity,
             kernels::ClearRow{s.constants, s.bodies, s.rows, rounds.last, static_cast<std::uint32_t>(substep)});
}

/// Predicted velocities, with the solver's carried ones -> velocities and displacements after the substep's impacts;
/// the solver then finds these contacts separating. For all solvers: it needs `v`, `w~`, `v1` and `w1` from before the
/// first contact impulse, and `dx` and `dtheta` from the substep's start.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void restitute(Exec& exec, const StepContext& s, int substep) {
  exec.enter(Stage::kRestitute);
  if (s.links.count != 0) {
    impacts<true>(exec, s, substep, s.links);
  } else if (s.rolling) {
    impacts<true>(exec, s, substep, kernels::NoLinks{});
  } else {
    impacts<false>(exec, s, substep, kernels::NoLinks{});
  }
  exec.mark(Stage::kRestitute);
}

}  // namespace cairn
