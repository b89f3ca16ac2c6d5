#pragma once

#include "kernels/events/find_events.h"
#include "kernels/finish/mirror.h"
#include "src/step_context.h"

namespace cairn {

/// Manifolds with their impulses, and events of the last step -> shapes that touch, and contacts that ended.
template <class Exec>
void events(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kEvents);
  const std::uint32_t now = s.constants.parity, before = now ^ 1u, capacity = s.constants.pair_capacity;
  const std::uint32_t *pairs = &s.state->pair_count[now], *last = &s.events.counts->events[before];
  const kernels::EventSearch in_last{s.events.tables[before], last};
  const kernels::EventSearch in_now{s.events.tables[now], &s.events.counts->events[now]};
  // the arrays of the colouring are free
  std::uint32_t *mark = s.work.pending, *mark_ended = s.work.edge;
  exec.for_each(pairs, capacity, kernels::EventMark{s.pairs[now], mark});
  exec.exclusive_scan(mark, pairs, capacity, &s.events.counts->events[now]);
  exec.for_each(pairs, capacity,
                kernels::EventList{s.bodies, s.shapes, s.pairs[now], pairs, mark, &s.events.counts->events[now],
                                   s.events.tables[now], in_last});
  exec.for_each(last, capacity, kernels::EventEnd{s.events.tables[before], in_now, mark_ended});
  exec.exclusive_scan(mark_ended, last, capacity, &s.events.counts->ended);
  exec.for_each(
      last, capacity,
      kernels::EventListEnded{s.events.tables[before], last, mark_ended, &s.events.counts->ended, s.events.ended});
  exec.mark(Stage::kEvents);
}

/// This step's events -> the last step's, if every step uses the same tables.
template <class Exec>
void mirror_events(Exec& exec, const StepContext& s) {
  const std::uint32_t now = s.constants.parity;
  exec.for_each(&s.events.counts->events[now], s.constants.pair_capacity,
                kernels::MirrorTable<kernels::EventTable>{s.events.tables[now], s.events.tables[now ^ 1u]});
  exec.single(kernels::MirrorCount{s.events.counts->events, now});
}

/// Clears the events of chosen worlds.
template <class Exec>
void forget_events(Exec& exec, const StepContext& s, const kernels::Selection& selection) {
  const std::uint32_t last = s.constants.parity ^ 1u;
  const kernels::EventTable& table = s.events.tables[last];
  exec.for_each(&s.events.counts->events[last], s.constants.pair_capacity,
                kernels::EventForget{s.bodies, table.body_a, table.flags, selection});
  exec.for_each(&s.events.counts->ended, s.constants.pair_capacity,
                kernels::EventForget{s.bodies, s.events.ended.body_a, s.events.ended.flags, selection});
}

}  // namespace cairn
