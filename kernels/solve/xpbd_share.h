#pragma once
// Jacobi sweeps within a substep: how much of what a row wants is done, and the bodies' sums of what was.

#include "kernels/solve/xpbd_ends.h"

namespace cairn::kernels {

/// [1] Over-relaxation of Jacobi sweeps. With shares of 1 / n no sweep can overshoot, below 2 / n none can gain energy;
/// towers and piles rest three times nearer to their places with 1.5 than with 1, and at 1.9 piles begin to hop.
inline constexpr float kJacobiRelaxation = 1.5f;
/// [|g| h^2] Rows that come as near as this in a substep share too. What rests overlaps by a few |g| h^2 and trembles
/// by less; were only overlap counted, shares would change with every tremble, each change moves the places of rest,
/// and heaps would never be still (40 boxes in a shaft, 6 substeps, 40 s: support 0.4 to 7 % off; with 16, 0.001 %).
inline constexpr float kJacobiNear = 16.0f;
/// [1] Share of a slip that Jacobi sweeps take back in a substep. All of it, from all rows at once, shakes heaps too.
inline constexpr float kJacobiSlipShare = 0.25f;

/// Counts the rows that may push body i in this substep. Writes share of body i. One thread per body slot, and one for
/// the immovable body.
struct EndShare {
  RowEnds ends;
  BodyEnds of_body;

  CAIRN_HD void operator()(std::uint32_t i) const {
    float active = 0.0f;
    for (std::uint32_t e = of_body.begin[i]; e < of_body.end[i]; ++e) active += ends.push[ends.sorted[e]].active;
    of_body.share[i] = min(kJacobiRelaxation / max(active, 1.0f), 1.0f);
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
/// Notes what row `slot` does to its end `side`.
CAIRN_HD void put_push(RowPush* push, std::uint32_t slot, std::uint32_t side, Vec3 v, Vec3 w) {
  push[2 * slot + side] = {v, 0.0f, w, 0.0f};
}
/// Notes whether row `slot` may push.
CAIRN_HD void put_active(RowPush* push, std::uint32_t slot, bool active) {
  push[2 * slot].active = push[2 * slot + 1].active = active ? 1.0f : 0.0f;
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
CAIRN_HD void put_active(RowPush* push, std::uint32_t slot, Pack::Mask active) {
  const std::uint32_t lanes = lanes_of(active);
  for (std::uint32_t i = 0; i < kPackLanes; ++i) put_active(push, slot + i, (lanes >> i & 1u) != 0);
}

#endif

/// Notes which rows may push in this substep: those with a point that would be nearer than `near` at its end. Writes
/// `active` of the row's ends. One thread per row slot.
struct EndActive {
  StepConstants k;
  const BodySolve* solve;
  const RowBlock* rows;
  RowPush* push;
  float near;  ///< [m]

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    RowBody<T> a, b;
    RowDelta<T> delta_a, delta_b;
    gather(solve, &row.body_a[lane], a);
    gather(solve, &row.body_b[lane], b);
    gather(solve, &row.body_a[lane], delta_a);
    gather(solve, &row.body_b[lane], delta_b);
    // displacements at the end of the substep, relative to a
    const Vec3T<T> apart = fma(T(k.h), b.v - a.v, delta_b.dx - delta_a.dx);
    const Vec3T<T> turn_a = fma(T(k.h), a.w, delta_a.dtheta), turn_b = fma(T(k.h), b.w, delta_b.dtheta);
    const Vec3T<T> n = load3<T>(row.normal, lane);
    const std::uint32_t points = most_points(&row.count[lane], T{});
    T least(1e30f);
    for (std::uint32_t j = 0; j < points; ++j) {
      const RowBlock::Point& p = row.point[j];
      const T gap = dot(n, apart, dot(load3<T>(p.angular_b, lane), turn_b, load<T>(p.separation, lane))) -
                    dot(load3<T>(p.angular_a, lane), turn_a);
      // lanes at once visit as many points as the longest of them has; those past a lane's own have no mass
      least = select(load<T>(p.mass, lane) > T(0.0f), min(least, gap), least);
    }
    put_active(push, slot, least < T(near));
  }
};

}  // namespace cairn::kernels
