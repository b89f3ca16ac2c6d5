#pragma once

#include "kernels/strain/strain.h"
#include "kernels/strain/tear.h"
#include "src/step_context.h"

namespace cairn {

/// Positions that velocities lead to -> velocities that lead to where strains want particles.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void strain(Exec& exec, const StepContext& s, int substep) {
  if (s.strains.slots == 0) return;
  exec.enter(Stage::kStrain);
  for (std::uint32_t sweep = 0; sweep < s.strains.sweeps; ++sweep) {
    const bool begins = substep == 0;
    if (s.sweep == SweepKind::kGaussSeidel) {
      exec.sweep(s.strain_parts, s.strains.slots,
                 kernels::StrainRow<SweepKind::kGaussSeidel>{s.constants, s.bodies, s.strains, sweep, begins});
    } else {
      exec.rows(s.strain_parts, s.strains.slots,
                kernels::StrainRow<SweepKind::kJacobi>{s.constants, s.bodies, s.strains, sweep, begins});
      exec.each_body(s.parts, kernels::StrainGather{s.bodies, s.strains});
    }
  }
  exec.mark(Stage::kStrain);
}

/// Impulses of the step that was taken over -> what is torn from now on.
template <class Exec>
void tear(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kStrain);
  for (const bool following : {false, true}) {
    exec.for_each(s.strains.count, kernels::StrainTear{s.constants, s.bodies, s.worlds, s.strains, following});
  }
  exec.mark(Stage::kStrain);
}

}  // namespace cairn
