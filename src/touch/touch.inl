#pragma once

#include "kernels/touch/touch.h"
#include "src/step_context.h"

namespace cairn {

/// Manifolds with their impulses, and what touched in the last step -> what touches, and what no longer does.
template <class Exec>
void touch(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kTouch);
  const std::uint32_t now = s.constants.parity, before = now ^ 1u, capacity = s.constants.pair_capacity;
  const std::uint32_t *pairs = &s.state->pair_count[now], *last = &s.touch.counts->touches[before];
  const kernels::TouchSearch in_last{s.touch.tables[before], last};
  const kernels::TouchSearch in_now{s.touch.tables[now], &s.touch.counts->touches[now]};
  // what served the colouring is free
  std::uint32_t *mark = s.work.pending, *mark_ended = s.work.edge;
  exec.for_each(pairs, capacity, kernels::TouchMark{s.pairs[now], mark});
  exec.exclusive_scan(mark, pairs, capacity, &s.touch.counts->touches[now]);
  exec.for_each(pairs, capacity,
                kernels::TouchList{s.bodies, s.shapes, s.pairs[now], pairs, mark, &s.touch.counts->touches[now],
                                   s.touch.tables[now], in_last});
  exec.for_each(last, capacity, kernels::TouchEnd{s.touch.tables[before], in_now, mark_ended});
  exec.exclusive_scan(mark_ended, last, capacity, &s.touch.counts->ended);
  exec.for_each(
      last, capacity,
      kernels::TouchListEnded{s.touch.tables[before], last, mark_ended, &s.touch.counts->ended, s.touch.ended});
  exec.mark(Stage::kTouch);
}

/// This step's touches -> the last step's, where both kinds of step use the same tables.
template <class Exec>
void mirror_touches(Exec& exec, const StepContext& s) {
  const std::uint32_t now = s.constants.parity;
  exec.for_each(&s.touch.counts->touches[now], s.constants.pair_capacity,
                kernels::TouchMirror{s.touch.tables[now], s.touch.tables[now ^ 1u]});
  exec.single(kernels::TouchMirrorCount{s.touch.counts, now});
}

/// Chosen worlds have touched nothing.
template <class Exec>
void forget_touches(Exec& exec, const StepContext& s, const kernels::Selection& selection) {
  const std::uint32_t last = s.constants.parity ^ 1u;
  const kernels::Touches& table = s.touch.tables[last];
  exec.for_each(&s.touch.counts->touches[last], s.constants.pair_capacity,
                kernels::TouchForget{s.bodies, table.body_a, table.flags, selection});
  exec.for_each(&s.touch.counts->ended, s.constants.pair_capacity,
                kernels::TouchForget{s.bodies, s.touch.ended.body_a, s.touch.ended.flags, selection});
}

}  // namespace cairn
