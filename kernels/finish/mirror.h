#pragma once
// Steps of a CUDA graph are the same every time, and so are the tables that they read and write. Where a step may be
// captured in one, it works on the table 0 and leaves a copy in the table 1, which the next step takes for the last
// one's.

#include "kernels/common/state.h"

namespace cairn::kernels {

/// Copies pair i of this step's. One thread per pair.
struct MirrorPair {
  Pairs from, to;
  CAIRN_HD void operator()(std::uint32_t i) const {
    to.key[i] = from.key[i];
    to.shape_b[i] = from.shape_b[i];
    to.triangle[i] = from.triangle[i];
    copy_manifold(to.manifold[i], from.manifold[i]);
  }
};

/// Copies how many there are. Once, after them.
struct MirrorCount {
  StepState* state;
  std::uint32_t parity;
  CAIRN_HD void operator()() const { state->pair_count[parity ^ 1u] = state->pair_count[parity]; }
};

}  // namespace cairn::kernels
