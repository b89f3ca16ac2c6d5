#pragma once

#include "kernels/articulations/scale_links.h"
#include "kernels/reset/reset.h"
#include "kernels/scale/scale.h"
#include "kernels/scale/scale_arrays.h"
#include "src/step_context.h"

namespace cairn {

/// The user's scales, for worlds where all of them are valid.
template <class Exec>
void take_given(Exec& exec, const StepContext& s, const ScaleContext& c) {
  const kernels::StepConstants& k = s.constants;
  const kernels::Selection chosen{c.chosen}, taken{c.chosen, c.refused};
  const kernels::WorldScaleExchange of_worlds{s.worlds, c.given};
  const kernels::BodyScaleExchange of_bodies{s.bodies, s.worlds, c.bodies, c.given, c.row_slot};
  exec.for_each(k.world_count, kernels::Fill<std::uint32_t>{c.refused, 0});
  exec.for_each(k.world_count,
                kernels::CheckRow<kernels::WorldScaleExchange>{of_worlds, chosen, s.worlds, s.state, c.refused});
  exec.for_each(c.rows, kernels::CheckRow<kernels::BodyScaleExchange>{of_bodies, chosen, s.worlds, s.state, c.refused});
  exec.for_each(c.rows, kernels::WriteRow<kernels::BodyScaleExchange>{of_bodies, taken});
  exec.for_each(k.world_count, kernels::WriteRow<kernels::WorldScaleExchange>{of_worlds, taken});
}

/// New or present scales of chosen worlds -> bodies, shapes and materials. Like a step, it does nothing while an
/// earlier step waits for more capacity.
template <class Exec>
void scale(Exec& exec, const StepContext& s, const ScaleContext& c) {
  exec.guard(&s.state->overflow);
  const kernels::StepConstants& k = s.constants;
  const std::uint32_t last = k.parity ^ 1u;
  const bool given = c.from == ScaleContext::From::kGiven;
  const kernels::Selection taken{c.chosen, given ? c.refused : nullptr};
  const auto articulations = [&](bool moves) {
    exec.for_each(s.links.count, kernels::ScaleArticulation{s.bodies, s.worlds, s.links, c.bodies, taken, moves});
  };
  if (c.how == Rescale::kLinks) {
    articulations(false);
    return;
  }
  if (given) take_given(exec, s, c);
  const bool fresh = c.how == Rescale::kFresh;
  if (fresh) {
    exec.for_each(&s.state->pair_count[last], k.pair_capacity,
                  kernels::ResetPair{s.bodies, s.shapes, s.pairs[last], taken});
    exec.for_each(s.joint_layout.count, kernels::ResetJoint{s.joints, taken, true});
  }
  if (c.from == ScaleContext::From::kDrawn) {
    exec.for_each(k.world_count, kernels::ScaleDrawWorld{s.worlds, taken, c.ranges});
    exec.for_each(k.body_count, kernels::ScaleDrawBody{s.bodies, s.worlds, c.bodies, taken, c.ranges});
    const kernels::articulate::JointDraws draws(c.ranges);
    if (draws.any()) exec.for_each(s.links.count, kernels::DrawJoints{s.worlds, s.links, c.bodies, taken, draws});
  }
  exec.for_each(k.body_count, kernels::ScaleBody{s.bodies, s.worlds, c.bodies, c.frames, taken, fresh});
  articulations(c.how != Rescale::kThere);
  exec.for_each(k.shape_count, kernels::ScaleShape{s.bodies, s.shapes, s.worlds, c.bodies, c.shapes, taken});
  exec.for_each(c.material_count, kernels::ScaleMaterial{s.worlds, c.material_bases, taken, c.materials});
}

}  // namespace cairn
