#pragma once

#include "kernels/solve/xpbd.h"
#include "src/step_context.h"

namespace cairn {

CAIRN_UNCHECKED
template <bool kRolling, class Links, class Exec>
CAIRN_BOTH void dissipation_rounds(Exec& exec, const StepContext& s, const kernels::Dissipation& dissipation,
                                   const kernels::RowRounds& rounds, const Links& links) {
  // usually only xpbd needs one
  const std::uint32_t usual = s.solver.positional ? 1 : 0;
  exec.sweep_rounds(s.parts, s.row_capacity, usual,
                    kernels::XpbdRow<kernels::XpbdPass::kDissipation, SweepKind::kGaussSeidel, kRolling, Links>{
                        s.constants, s.bodies.solve, s.rows, nullptr, nullptr, false, links, dissipation, rounds});
}

/// Velocities at a substep's end -> velocities by which no world gained kinetic energy (kernels/solve/gain.h defines
/// it).
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void dissipate(Exec& exec, const StepContext& s, int substep) {
  constexpr std::uint32_t kFirst = kernels::Dissipation::kFirstRound;
  const kernels::RowRounds rounds{s.parts.last_round + exec.part(), kFirst, kFirst + kernels::kDissipationRounds, true,
                                  kFirst};
  const int parity = substep & 1;
  const kernels::GainingBodies gaining{!solver_of<Exec>(s).positional,
                                       s.constants.dt,
                                       s.bodies.w1,
                                       s.bodies.inv_sqrt_inertia,
                                       s.bodies.flags,
                                       s.bodies.world,
                                       s.worlds.gravity,
                                       s.bodies.gravity_scale};
  const std::uint32_t* some = &s.state->gainers;
  exec.each_run(s.parts, kernels::SumGains{s.constants, s.bodies, s.worlds, gaining, rounds.last, parity, some});
  exec.each_run(s.parts, kernels::AskForRounds{s.bodies, s.worlds, rounds, parity, gaining.soft ? some : nullptr});
  const kernels::Dissipation d{s.bodies.v1, gaining, s.worlds.gain, parity, !solver_of<Exec>(s).keeps_push};
  if (may_have<Exec>(s.links.count != 0)) {
    dissipation_rounds<true>(exec, s, d, rounds, s.links);
  } else if (may_have<Exec>(s.rolling)) {
    dissipation_rounds<true>(exec, s, d, rounds, kernels::NoLinks{});
  } else {
    dissipation_rounds<false>(exec, s, d, rounds, kernels::NoLinks{});
  }
}

}  // namespace cairn
