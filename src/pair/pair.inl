#pragma once

#include <bit>

#include "kernels/pair/pair.h"
#include "src/fluids/fluids.inl"
#include "src/step_context.h"

namespace cairn {

inline kernels::PairQuery pair_query(const StepContext& s, kernels::PairUse use) {
  return {s.constants,           s.bodies, s.shapes,         s.worlds, s.bucket_begin, s.planes, s.ignored, s.solids,
          s.surfaces.count != 0, s.state,  s.fluids.of_body, use};
}

/// Boxes and cells -> pairs of shapes, sorted by key: count, scan, fill, sort. Sets the overflow flag if there are more
/// than there is room for, and then all later stages of the step do nothing.
template <class Exec>
void pair(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kPair);
  const std::uint32_t shapes = s.constants.shape_count;
  const std::uint32_t capacity = s.constants.pair_capacity;
  std::uint32_t* count = &s.state->pair_count[s.constants.parity];
  if (shapes != 0) {
    exec.single(kernels::PairLevels{s.state});
    exec.for_each(shapes, kernels::PairBucket{s.constants, s.shapes, s.state});
    exec.sort(s.shapes.bucket, s.shapes.sorted_bucket, s.shapes.sorted, shapes,
              std::bit_width(s.constants.bucket_count + 1));
    exec.for_each(shapes, kernels::PairGather{s.shapes});
    exec.find_begins(s.shapes.sorted_bucket, shapes, s.constants.bucket_count + 2, s.bucket_begin);
    const kernels::PairQuery query = pair_query(s, kernels::PairUse::kContacts);
    exec.for_each(shapes, kernels::PairCount{query});
    exec.exclusive_scan(s.shapes.pair_count, shapes, &s.state->pairs_needed);
    exec.for_each(shapes, kernels::PairWrap{s.constants, s.shapes, s.state});
    exec.single(kernels::PairCheck{s.constants, s.state});
    exec.for_each(shapes, kernels::PairFill{query, s.work.unsorted_key});
  } else {
    exec.single(kernels::PairCheck{s.constants, s.state});
  }
  // numbers of triangles fill the lower half of a key
  const int bits = s.surfaces.count != 0 ? 32 : std::bit_width(shapes);
  exec.sort(s.work.unsorted_key, s.pairs[s.constants.parity].key, count, capacity, bits);
  fluid_neighbours(exec, s);
  exec.mark(Stage::kPair);
}

}  // namespace cairn
