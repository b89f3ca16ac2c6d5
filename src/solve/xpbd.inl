#pragma once

#include <bit>

#include "kernels/solve/articulated_ends.h"
#include "kernels/solve/xpbd.h"
#include "src/step_context.h"

namespace cairn {

/// Rows -> their ends, by body. Valid for the step.
template <class Exec>
void list_ends(Exec& exec, const StepContext& s) {
  const kernels::StepConstants& k = s.constants;
  exec.single(kernels::EndCount{k, s.state});
  exec.for_each(&s.state->row_count, s.row_capacity, kernels::EndList{k, s.bodies.solve, s.rows, s.row_ends});
  exec.sort(s.row_ends.body, s.row_ends.sorted_body, s.row_ends.sorted, &s.state->end_count, 2 * s.row_capacity,
            std::bit_width(k.body_count));
  exec.for_each(k.body_count + 1, kernels::EndFind{k, s.row_ends, s.body_ends, s.state});
}

/// One sweep over the rows.
CAIRN_UNCHECKED
template <kernels::XpbdPass kPass, bool kRolling, class Exec>
CAIRN_BOTH void xpbd_sweep(Exec& exec, const StepContext& s) {
  const kernels::StepConstants& k = s.constants;
  if constexpr (kPass == kernels::XpbdPass::kPosition) {
    if (s.sweep == SweepKind::kJacobi) {
      exec.rows(s.parts, s.row_capacity,
                kernels::XpbdRow<kPass, SweepKind::kJacobi, kRolling>{k, s.bodies.solve, s.rows, s.row_ends.push,
                                                                      s.body_ends.share, s.restitution});
      exec.each_body(s.parts, kernels::EndGather{s.bodies.solve, s.row_ends, s.body_ends});
      return;
    }
  }
  exec.sweep(s.parts, s.row_capacity,
             kernels::XpbdRow<kPass, SweepKind::kGaussSeidel, kRolling>{k, s.bodies.solve, s.rows, nullptr,
                                                                        s.body_ends.share, s.restitution});
}

CAIRN_UNCHECKED
template <kernels::XpbdPass kPass, class Exec>
CAIRN_BOTH void xpbd_rows(Exec& exec, const StepContext& s) {
  if (s.links.count != 0) {
    exec.sweep(s.parts, s.row_capacity,
               kernels::XpbdRow<kPass, SweepKind::kGaussSeidel, true, kernels::Links>{
                   s.constants, s.bodies.solve, s.rows, nullptr, s.body_ends.share, s.restitution, s.links});
  } else if (s.rolling) {
    xpbd_sweep<kPass, true>(exec, s);
  } else {
    xpbd_sweep<kPass, false>(exec, s);
  }
}

CAIRN_UNCHECKED
template <kernels::XpbdPass kPass, class Exec>
CAIRN_BOTH void xpbd_pass(Exec& exec, const StepContext& s) {
  constexpr int kSweeps = kPass == kernels::XpbdPass::kVelocity ? kernels::kVelocitySweeps : 1;
  for (int i = 0; i < kSweeps; ++i) xpbd_rows<kPass>(exec, s);
}

}  // namespace cairn
