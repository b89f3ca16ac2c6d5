#pragma once
// Steps of a CUDA graph are the same every time, and use the same tables. A step that may be captured in one works on
// table 0 and copies the result to table 1, which the next step reads as the last one's.

#include "kernels/common/state.h"

namespace cairn::kernels {

/// Copies pair i of this step. One thread per pair.
struct MirrorPair {
  Pairs from, to;
  CAIRN_HD void operator()(std::uint32_t i) const {
    to.key[i] = from.key[i];
    to.shape_b[i] = from.shape_b[i];
    to.triangle[i] = from.triangle[i];
    copy_manifold(to.manifold[i], from.manifold[i]);
  }
};

/// Copies their count. Once, after them.
struct MirrorCount {
  StepState* state;
  std::uint32_t parity;
  CAIRN_HD void operator()() const { state->pair_count[parity ^ 1u] = state->pair_count[parity]; }
};

}  // namespace cairn::kernels
