#pragma once

#include "kernels/reset/reset.h"
#include "kernels/scale/scale.h"
#include "src/step_context.h"

namespace cairn {

/// Scales of chosen worlds, drawn or as they are -> bodies, shapes and materials. Like a step, it does nothing while a
/// step before it waits for more room.
template <class Exec>
void scale(Exec& exec, const StepContext& s, const ScaleContext& c) {
  exec.guard(&s.state->overflow);
  const kernels::StepConstants& k = s.constants;
  const std::uint32_t last = k.parity ^ 1u;
  if (c.fresh) {
    exec.for_each(&s.state->pair_count[last], k.pair_capacity,
                  kernels::ResetPair{s.bodies, s.shapes, s.pairs[last], {c.chosen}});
  }
  if (c.draws) {
    exec.for_each(k.world_count, kernels::ScaleDrawWorld{s.worlds, c.chosen, c.ranges});
    exec.for_each(k.body_count, kernels::ScaleDrawBody{s.bodies, s.worlds, c.bodies, c.chosen, c.ranges});
  }
  exec.for_each(k.body_count, kernels::ScaleBody{s.bodies, s.worlds, c.bodies, c.chosen, c.fresh});
  exec.for_each(k.shape_count, kernels::ScaleShape{s.bodies, s.shapes, s.worlds, c.bodies, c.shapes, c.chosen});
  exec.for_each(c.material_count, kernels::ScaleMaterial{s.worlds, c.material_bases, c.chosen, c.materials});
}

}  // namespace cairn
