#pragma once

#include "kernels/predict/predict.h"
#include "kernels/prepare/prepare.h"
#include "kernels/solve/gain.h"
#include "src/color/color.inl"
#include "src/fluids/fluids.inl"
#include "src/solve/hertz_mindlin.inl"
#include "src/solve/xpbd.inl"
#include "src/step_context.h"

namespace cairn {

/// State and manifolds -> bodies as the solver sees them, and rows; for xpbd and avbd also the rows of each body, for
/// avbd the colours of bodies, and for hertz_mindlin its laws.
template <class Exec>
void prepare(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kPrepare);
  exec.for_each(s.constants.body_count + 1, kernels::PredictStart{s.constants, s.bodies, s.worlds, s.state});
  exec.for_each(s.constants.world_count, kernels::Fill<kernels::WorldGain>{s.worlds.gain, {}});
  if (s.joint_layout.count != 0) exec.for_each(s.joint_layout.count, kernels::MarkJointed{s.joints, s.bodies});
  exec.for_each(s.parts.count, kernels::ClearRounds{s.parts});
  exec.each_row(s.parts, s.constants.pair_capacity,
                kernels::Prepare{s.constants, s.bodies, s.shapes, s.worlds, s.pairs[s.constants.parity], s.work,
                                 s.materials, s.rows, s.parts, s.rolling, s.belts.axes});
  if (s.solver.elastic) hertz_prepare(exec, s);
  if (s.solver.gathers_ends) list_ends(exec, s);
  if (s.solver.colors_bodies) color_bodies(exec, s);
  fluid_walls(exec, s);
  exec.mark(Stage::kPrepare);
}

}  // namespace cairn
