#pragma once
// What Jacobi sweeps need: the ends of rows by body, so that each body gathers what its rows did, in an order that is always the same.

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Counts the ends. Once.
struct EndCount {
  StepState* state;
  CAIRN_HD void operator()() const { state->end_count = 2 * state->row_count; }
};

/// Names the bodies that row `slot` pushes; those that can't be pushed, and padding lanes, go last. Writes two entries of body.
/// One thread per row slot.
struct EndList {
  StepConstants k;
  const BodySolve* solve;
  const RowBlock* rows;
  RowEnds ends;

  CAIRN_HD void operator()(std::uint32_t slot) const {
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    ends.body[2 * slot] = pushed(row.body_a[lane]);
    ends.body[2 * slot + 1] = pushed(row.body_b[lane]);
  }

 private:
  CAIRN_HD std::uint32_t pushed(std::uint32_t body) const { return solve[body].turnable > 0.0f ? body : k.body_count; }
};

/// Finds the ends of body i among the sorted. Writes begin, end and share of body i. One thread per body slot, and one for the immovable body.
struct EndFind {
  StepConstants k;
  RowEnds ends;
  BodyEnds of_body;
  const StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = first_from(i);
    const std::uint32_t end = i == k.body_count ? begin : first_from(i + 1);
    of_body.begin[i] = begin;
    of_body.end[i] = end;
    of_body.share[i] = end > begin ? 1.0f / static_cast<float>(end - begin) : 1.0f;
  }

 private:
  /// First entry whose body isn't below `body`.
  CAIRN_HD std::uint32_t first_from(std::uint32_t body) const {
    std::uint32_t low = 0, high = state->end_count;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (ends.sorted_body[middle] < body) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// Adds up what its rows did to body i. Writes v and w~ of body i. One thread per body slot.
struct EndGather {
  BodySolve* solve;
  RowEnds ends;
  BodyEnds of_body;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = of_body.begin[i], end = of_body.end[i];
    if (begin == end) return;
    Vec3 v = solve[i].v, w = solve[i].w;
    for (std::uint32_t e = begin; e < end; ++e) {
      const RowPush& push = ends.push[ends.sorted[e]];
      v = v + push.v;
      w = w + push.w;
    }
    solve[i].v = v;
    solve[i].w = w;
  }
};

/// The share of what row `lane` wants that is done: the smaller of its bodies'.
CAIRN_HD float share_of(const float* share, const RowBlock& row, std::uint32_t lane, float) {
  return min(share[row.body_a[lane]], share[row.body_b[lane]]);
}
/// Notes what a row does to end `side` of slot `slot`.
CAIRN_HD void put_push(RowPush* push, std::uint32_t slot, std::uint32_t side, Vec3 v, Vec3 w) {
  push[2 * slot + side] = {v, 0.0f, w, 0.0f};
}

#if !defined(__CUDA_ARCH__)

CAIRN_HD Pack share_of(const float* share, const RowBlock& row, std::uint32_t lane, Pack) {
  float least[kPackLanes];
  for (std::uint32_t i = 0; i < kPackLanes; ++i) least[i] = share_of(share, row, lane + i, 0.0f);
  return load<Pack>(least, 0);
}
CAIRN_HD void put_push(RowPush* push, std::uint32_t slot, std::uint32_t side, Vec3T<Pack> v, Vec3T<Pack> w) {
  Pack r[8] = {v.x, v.y, v.z, Pack(0.0f), w.x, w.y, w.z, Pack(0.0f)};
  transpose(r);
  for (std::uint32_t i = 0; i < kPackLanes; ++i) store(&push[2 * (slot + i) + side].v.x, 0, r[i]);
}

#endif

}  // namespace cairn::kernels
