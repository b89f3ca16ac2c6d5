#pragma once

#include "kernels/color/row_order.h"
#include "kernels/common/hertz.h"
#include "kernels/common/pack.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// Copies the springs of `hertz_mindlin` to the contact cache, in place of FinishRow's friction and rolling. The
/// springs continue, without their dampers, and lie across the present normal, not that of the step's start. Writes
/// friction and rolling of the row's manifold. One thread per row, in row_order, after FinishRow.
struct FinishHertz {
  Bodies bodies;
  Worlds worlds;
  Rows rows;
  const HertzBlock* blocks;
  Pairs pairs;
  PairWork work;
  Parts parts;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t slot = row_slot(work, parts, i);
    const RowBlock& row = rows[slot / kRowLanes];
    const HertzBlock& block = blocks[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    // FinishRow cleared it
    if (worlds.status[bodies.world[row.body_a[lane]]] != 0) return;
    Manifold& m = pairs.manifold[work.row_order[i]];
    const Vec3 n = m.normal, t0 = load3<float>(row.tangent, lane), t1 = cross(n, t0);
    const Vec3 s = load3<float>(block.spring, lane), r = load3<float>(block.roll, lane), zero{0, 0, 0};
    const Vec3 spring = fma(s.x, n, fma(s.y, t0, s.z * t1)) + zero;
    const Vec3 roll = fma(r.x, n, fma(r.y, t0, r.z * t1)) + zero;
    m.friction = finite(spring) ? spring : zero;
    m.rolling = finite(roll) ? roll : zero;
  }
};

}  // namespace cairn::kernels
