#pragma once

#include "kernels/match/match.h"
#include "src/step_context.h"

namespace cairn {

/// Pairs of this step and of the last -> the place of each in the last.
template <class Exec>
void match(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kMatch);
  const std::uint32_t now = s.constants.parity, before = now ^ 1u;
  exec.for_each(&s.state->pair_count[now], s.constants.pair_capacity,
                kernels::Match{s.pairs[now].key, s.pairs[before].key, &s.state->pair_count[before], s.work.match});
  exec.mark(Stage::kMatch);
}

}  // namespace cairn
