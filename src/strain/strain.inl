#pragma once

#include "kernels/strain/strain.h"
#include "src/step_context.h"

namespace cairn {

/// Positions that velocities lead to -> velocities that lead to where strains want particles.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void strain(Exec& exec, const StepContext& s) {
  if (s.strains.slots == 0) return;
  exec.enter(Stage::kStrain);
  for (std::uint32_t sweep = 0; sweep < s.strains.sweeps; ++sweep) {
    const bool fresh = sweep == 0;
    if (s.sweep == SweepKind::kGaussSeidel) {
      exec.sweep(s.strain_parts, s.strains.slots,
                 kernels::StrainRow<SweepKind::kGaussSeidel>{s.constants, s.bodies, s.strains, fresh});
    } else {
      exec.rows(s.strain_parts, s.strains.slots,
                kernels::StrainRow<SweepKind::kJacobi>{s.constants, s.bodies, s.strains, fresh});
      exec.each_body(s.parts, kernels::StrainGather{s.bodies, s.strains});
    }
  }
  exec.mark(Stage::kStrain);
}

}  // namespace cairn
