#pragma once
// Within a substep: the bodies' sums of their rows' pushes, for Jacobi sweeps and `avbd`.

#include "kernels/solve/xpbd_ends.h"

namespace cairn::kernels {

/// [1] Share of a slip that a substep takes back. All of it, from all rows at once, shakes heaps.
inline constexpr float kSlipShare = 0.25f;

/// Adds the pushes of its rows to body i, from its velocity on or from another. Writes v and w~ of body i. One thread
/// per body slot.
struct EndGather {
  BodySolve* solve;
  RowEnds ends;
  BodyEnds of_body;
  const Vec3* from_v{nullptr};  ///< [m/s] (bodies) null: solve.v
  const Vec3* from_w{nullptr};  ///< [kg^1/2 m/s] (bodies) of w~, the same

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t begin = of_body.begin[i], end = of_body.end[i];
    if (begin == end) return;
    Vec3 v = from_v != nullptr ? from_v[i] : solve[i].v, w = from_w != nullptr ? from_w[i] : solve[i].w;
    for (std::uint32_t e = begin; e < end; ++e) {
      const RowPush& push = ends.push[ends.sorted[e]];
      v = v + push.v;
      w = w + push.w;
    }
    solve[i].v = v;
    solve[i].w = w;
  }
};

/// Stores the push of row `slot` on its end `side`.
CAIRN_HD void put_push(RowPush* push, std::uint32_t slot, std::uint32_t side, Vec3 v, Vec3 w) {
  push[2 * slot + side] = {v, 0.0f, w, 0.0f};
}

#if !defined(__CUDA_ARCH__)

CAIRN_HD void put_push(RowPush* push, std::uint32_t slot, std::uint32_t side, Vec3T<Pack> v, Vec3T<Pack> w) {
  Pack r[8] = {v.x, v.y, v.z, Pack(0.0f), w.x, w.y, w.z, Pack(0.0f)};
  transpose(r);
  for (std::uint32_t i = 0; i < kPackLanes; ++i) store(&push[2 * (slot + i) + side].v.x, 0, r[i]);
}

#endif

}  // namespace cairn::kernels
