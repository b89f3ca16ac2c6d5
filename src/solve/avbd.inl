#pragma once

#include "kernels/solve/avbd.h"
#include "src/step_context.h"

namespace cairn {

CAIRN_UNCHECKED
template <bool kRolling, class Exec>
CAIRN_BOTH void avbd_sweep(Exec& exec, const StepContext& s) {
  for (int sweep = 0; sweep < kernels::kAvbdSweeps; ++sweep) {
    exec.each_color(s.body_color_begin, kernels::AvbdBody<kRolling>{s.constants, s.bodies, s.rows, s.row_ends,
                                                                    s.body_ends, s.body_colors.order, s.restitution});
  }
  const Vec3* v1 = s.restitution ? s.bodies.v1 : nullptr;
  exec.rows(s.parts, s.row_capacity,
            kernels::AvbdDual<kRolling>{s.constants, s.bodies.solve, s.rows, s.row_ends.push, s.body_ends.share, v1,
                                        s.bodies.w1});
  exec.each_body(s.parts, kernels::EndGather{s.bodies.solve, s.row_ends, s.body_ends, s.bodies.v1, s.bodies.w1});
}

/// Sweeps over the bodies, then the multipliers, and their effect on the bodies.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void avbd_pass(Exec& exec, const StepContext& s) {
  if (s.rolling) {
    avbd_sweep<true>(exec, s);
  } else {
    avbd_sweep<false>(exec, s);
  }
}

}  // namespace cairn
