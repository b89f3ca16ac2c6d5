#pragma once

#include "kernels/collide/collide.h"
#include "kernels/collide/sense.h"
#include "src/step_context.h"

namespace cairn {

/// Pairs, poses and the last step's manifolds -> manifolds.
template <class Exec>
void collide(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kCollide);
  const std::uint32_t now = s.constants.parity;
  exec.for_each(&s.state->pair_count[now], s.constants.pair_capacity,
                kernels::Collide{s.constants, s.bodies, s.shapes, s.worlds, s.surfaces, s.solids, s.pairs[now],
                                 s.pairs[now ^ 1u].manifold, s.work.match});
  if ((s.constants.filters & kernels::kUseSensors) != 0) {
    exec.for_each(&s.state->pair_count[s.constants.parity], s.constants.pair_capacity,
                  kernels::Sense{s.shapes, s.pairs[s.constants.parity]});
  }
  exec.mark(Stage::kCollide);
}

}  // namespace cairn
