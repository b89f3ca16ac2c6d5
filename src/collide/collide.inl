#pragma once

#include <bit>

#include "kernels/collide/collide.h"
#include "kernels/collide/narrow_phase.h"
#include "kernels/collide/sensor.h"
#include "src/step_context.h"

namespace cairn {

/// Classes of the pairs -> the pairs of each class, in their order. The arrays of the later row order hold both.
template <class Exec>
void list_classes(Exec& exec, const StepContext& s) {
  const std::uint32_t* count = &s.state->pair_count[s.constants.parity];
  exec.sort(s.work.row_key, s.work.sorted_row_key, s.work.row_order, count, s.constants.pair_capacity,
            std::bit_width(kernels::kListedClasses));
  exec.for_each(kernels::kListedClasses, kernels::ClassRange{s.work.sorted_row_key, count, s.state});
}

/// Pairs listed by class -> their manifolds, one launch a class.
template <class Exec>
void collide_listed(Exec& exec, const StepContext& s, const kernels::ManifoldUpdate& renewal) {
  using kernels::PairClass;
  const auto listed = [&](PairClass of) { return kernels::ClassPairs{s.work.row_order, s.state, of}; };
  const auto some = [&](PairClass of) { return (s.pair_classes & kernels::bit_of(of)) != 0; };
  if (some(PairClass::kBoxes)) {
    exec.for_each(&s.state->class_count[static_cast<std::uint32_t>(PairClass::kBoxes)], s.constants.pair_capacity,
                  kernels::NarrowBoxes{renewal, listed(PairClass::kBoxes)});
  }
  if (some(PairClass::kConvex)) {
    exec.each_worker(s.workers.count,
                     kernels::NarrowConvex{{renewal, listed(PairClass::kConvex), s.workers}, s.solids});
  }
  if (some(PairClass::kTriangle)) {
    exec.each_worker(s.workers.count,
                     kernels::NarrowTriangles{{renewal, listed(PairClass::kTriangle), s.workers}, s.solids});
  }
}

/// Pairs, poses and the last step's manifolds -> manifolds.
template <class Exec>
void collide(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kCollide);
  const std::uint32_t now = s.constants.parity, capacity = s.constants.pair_capacity;
  const std::uint32_t* count = &s.state->pair_count[now];
  const kernels::ManifoldUpdate renewal{
      s.constants, s.bodies, s.shapes, s.worlds, s.pairs[now], s.pairs[now ^ 1u].manifold, s.work.match, s.fluids};
  // boxes alone need no list
  const bool listed = (s.pair_classes & ~kernels::bit_of(kernels::PairClass::kBoxes)) != 0;
  exec.for_each(count, capacity, kernels::Collide{renewal, s.surfaces, s.work.row_key, listed});
  if (listed) {
    list_classes(exec, s);
    collide_listed(exec, s, renewal);
  }
  if ((s.constants.filters & kernels::kUseSensors) != 0)
    exec.for_each(count, capacity, kernels::Sense{s.shapes, s.pairs[now]});
  exec.mark(Stage::kCollide);
}

}  // namespace cairn
