#pragma once

#include "kernels/finish/finish_hertz.h"
#include "kernels/prepare/prepare_hertz.h"
#include "kernels/solve/hertz_mindlin.h"
#include "src/step_context.h"

namespace cairn {

/// Manifolds and materials -> the additional data of elastic rows.
template <class Exec>
void hertz_prepare(Exec& exec, const StepContext& s) {
  exec.each_row(s.parts, s.constants.pair_capacity,
                kernels::PrepareHertz{s.constants, s.bodies, s.shapes, s.worlds, s.pairs[s.constants.parity], s.work,
                                      s.materials, s.rows, s.hertz, s.parts});
}

/// Positions and velocities of the last substep -> impulses of all rows.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void hertz_force(Exec& exec, const StepContext& s) {
  exec.rows(s.parts, s.row_capacity, kernels::HertzForce{s.constants, s.bodies.solve, s.rows, s.hertz});
}

/// These impulses -> velocities, with the other forces.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void hertz_push(Exec& exec, const StepContext& s) {
  exec.sweep(s.parts, s.row_capacity, kernels::HertzPush{s.bodies.solve, s.rows, s.hertz});
}

/// Springs of the rows -> the contact cache.
template <class Exec>
void hertz_finish(Exec& exec, const StepContext& s) {
  exec.each_row(
      s.parts, s.constants.pair_capacity,
      kernels::FinishHertz{s.bodies, s.worlds, s.rows, s.hertz, s.pairs[s.constants.parity], s.work, s.parts});
}

}  // namespace cairn
