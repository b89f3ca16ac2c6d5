#pragma once

#include <bit>

#include "kernels/finish/finish.h"
#include "kernels/pair/candidates.h"
#include "kernels/pair/pair.h"
#include "src/fluids/fluids.inl"
#include "src/step_context.h"

namespace cairn {

inline kernels::PairQuery pair_query(const StepContext& s, kernels::PairUse use) {
  return {s.constants,           s.bodies, s.shapes,         s.worlds, s.bucket_begin, s.planes, s.ignored, s.solids,
          s.surfaces.count != 0, s.state,  s.fluids.of_body, use};
}

/// Cells -> shapes by bucket; `gather` copies the data of a search into this order.
template <class Exec, class Gather>
void grid(Exec& exec, const StepContext& s, const Gather& gather) {
  const std::uint32_t shapes = s.constants.shape_count;
  exec.single(kernels::PairLevels{s.state});
  exec.for_each(shapes, kernels::PairBucket{s.constants, s.shapes, s.state});
  exec.sort(s.shapes.bucket, s.shapes.sorted_bucket, s.shapes.sorted, shapes,
            std::bit_width(s.constants.bucket_count + 1));
  exec.for_each(shapes, gather);
  exec.find_begins(s.shapes.sorted_bucket, shapes, s.constants.bucket_count + 2, s.bucket_begin);
}

/// Results of a query -> number of pairs of each shape, and their places.
template <class Exec>
void count_pairs(Exec& exec, const StepContext& s, const kernels::PairQuery& query) {
  const std::uint32_t shapes = s.constants.shape_count;
  exec.for_each(shapes, kernels::PairCount{query});
  exec.exclusive_scan(s.shapes.pair_count, shapes, &s.state->pairs_needed);
  exec.for_each(shapes, kernels::SumWrap{s.shapes.pair_count, shapes, &s.state->pairs_needed, &s.state->pairs_wrapped});
}

/// Keys of pairs -> keys in ascending order.
template <class Exec>
void sort_pairs(Exec& exec, const StepContext& s, const std::uint64_t* unsorted, std::uint64_t* sorted,
                const std::uint32_t* count, std::uint32_t capacity) {
  // numbers of triangles fill the lower half of a key
  const int bits = s.surfaces.count != 0 ? 32 : std::bit_width(s.constants.shape_count);
  exec.sort(unsorted, sorted, count, capacity, bits);
}

/// Grid -> the pairs of the step. Sets the overflow flag if they exceed the capacity; then all later stages of the step
/// do nothing.
template <class Exec>
void find_pairs(Exec& exec, const StepContext& s) {
  if (s.constants.shape_count != 0) {
    grid(exec, s, kernels::PairGather{s.shapes});
    const kernels::PairQuery query = pair_query(s, kernels::PairUse::kContacts);
    count_pairs(exec, s, query);
    exec.single(kernels::PairCheck{s.constants, s.state});
    exec.for_each(s.constants.shape_count, kernels::PairFill{query, s.work.unsorted_key});
  } else {
    exec.single(kernels::PairCheck{s.constants, s.state});
  }
  sort_pairs(exec, s, s.work.unsorted_key, s.pairs[s.constants.parity].key, &s.state->pair_count[s.constants.parity],
             s.constants.pair_capacity);
}

/// Whether candidates may replace a search. Triangles and fluids have their own searches.
inline bool may_keep_pairs(const StepContext& s) {
  return s.constants.shape_count != 0 && s.surfaces.count == 0 && s.fluids.count == 0;
}

/// The cells of the candidates' boxes (`sought`), or of the present boxes.
template <class Exec>
void renew_cells(Exec& exec, const StepContext& s, const kernels::PairCandidates& of, bool sought) {
  exec.single(kernels::ClearLevels{s.state});
  exec.for_each(s.constants.shape_count, kernels::CandidateCell{s.shapes, of, s.state, sought});
}

/// Boxes of stale shapes and worlds -> their candidates, beside those that stay. False if they exceed the capacity.
template <class Exec>
bool seek_candidates(Exec& exec, const StepContext& s, const kernels::PairCandidates& of) {
  const std::uint32_t shapes = s.constants.shape_count, n = of.counts->candidates;
  exec.for_each(shapes, kernels::CandidateNote{s.shapes, of});
  exec.for_each(n, kernels::CandidateStays{of});
  exec.exclusive_scan(of.kept, n, &of.counts->stay);
  exec.for_each(n, kernels::CandidateTake{of, &of.counts->stay, of.unsorted});
  renew_cells(exec, s, of, true);
  grid(exec, s, kernels::CandidateGather{s.shapes, of});
  kernels::PairQuery query = pair_query(s, kernels::PairUse::kCandidates);
  query.seeks = {of.world_flags, of.stale};
  count_pairs(exec, s, query);
  exec.single(kernels::CandidateRoom{s.state, of});
  if (of.counts->candidates > of.capacity) {
    renew_cells(exec, s, of, false);
    return false;
  }
  exec.for_each(shapes, kernels::PairFill{query, of.unsorted + of.counts->stay});
  sort_pairs(exec, s, of.unsorted, of.key, &of.counts->candidates, of.capacity);
  return true;
}

/// The same where few shapes have left their boxes, and nothing changed: candidates with these are added, and none
/// goes. False if there is no room.
template <class Exec>
bool seek_few(Exec& exec, const StepContext& s, const kernels::PairCandidates& of) {
  const kernels::CandidateNear near{pair_query(s, kernels::PairUse::kCandidates), of};
  exec.single(kernels::CandidateNoteFew{s.shapes, of, s.constants.shape_count});
  exec.for_each(s.constants.shape_count, kernels::CandidateNearFew{near});
  exec.single(kernels::CandidateAddFew{near, s.constants.shape_count});
  return of.counts->whole == 0;
}

/// Candidates of earlier steps -> the step's pairs, as a search would find them. False without candidates.
template <class Exec>
bool keep_pairs(Exec& exec, const StepContext& s) {
  const std::uint32_t shapes = s.constants.shape_count;
  const kernels::PairCandidates of = exec.candidates();
  exec.for_each(s.constants.world_count, kernels::CandidateBegin{of});
  exec.for_each(shapes, kernels::CandidateCheck{s.constants, s.bodies, s.shapes, s.worlds.shape_count, of});
  exec.for_each(kernels::CandidateMotion::blocks(shapes),
                kernels::CandidateMotion{s.bodies, s.shapes, s.worlds, of, shapes});
  exec.for_each(s.constants.world_count, kernels::CandidateWorld{s.worlds.shape_count, of});
  const bool few = of.counts->whole == 0 && of.counts->left <= kernels::kFewStale;
  const auto seek = [&] { return (few && seek_few(exec, s, of)) || seek_candidates(exec, s, of); };
  if (of.counts->spared == 0 || (of.counts->stale != 0 && !seek())) {
    exec.single(kernels::CandidateDrop{s.state, of, s.constants.world_count});
    exec.for_each(shapes, kernels::CandidateNote{s.shapes, of});
    return false;
  }
  const std::uint32_t n = of.counts->candidates, parity = s.constants.parity;
  exec.for_each(kernels::CandidateMeets::blocks(n),
                kernels::CandidateMeets{pair_query(s, kernels::PairUse::kContacts), of});
  exec.exclusive_scan(of.kept, n, &s.state->pairs_needed);
  exec.single(kernels::PairCheck{s.constants, s.state});
  exec.for_each(n, kernels::CandidateTake{of, &s.state->pairs_needed, s.pairs[parity].key});
  return true;
}

/// The grid of the present boxes, if `pair` needed none.
template <class Exec>
void renew_grid(Exec& exec, const StepContext& s) {
  renew_cells(exec, s, exec.candidates(), false);
  grid(exec, s, kernels::PairGather{s.shapes});
}

/// Boxes and cells -> pairs of shapes, sorted by key. A processor whose host sees the state may keep candidates.
template <class Exec>
void pair(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kPair);
  bool kept = false;
  if constexpr (Exec::kKeepsCandidates) {
    if (may_keep_pairs(s) && exec.has_candidates(s.constants.shape_count, s.constants.world_count)) {
      kept = keep_pairs(exec, s);
    }
    exec.set_grid_stands(!kept);
  }
  if (!kept) find_pairs(exec, s);
  fluid_neighbours(exec, s);
  exec.mark(Stage::kPair);
}

}  // namespace cairn
