#pragma once
// The neighbours of fluid particles, once a step: all that may come within the kernel's reach in it. The grid is that
// of fields (include/cairn/particle_view.h), with cells of three spacings. The order, by cell and then by number,
// depends on the particle's own world only.

#include "kernels/common/atomic.h"
#include "kernels/common/fluids.h"
#include "kernels/common/state.h"
#include "kernels/fluids/kernel.h"

namespace cairn::kernels {

/// [1] In spacings: cell size, and max distance of neighbours.
inline constexpr float kFluidCell = 3.001f, kMaxNear = 3.0f;
/// [1] In spacings, added to the kernel's reach for changes of speed within the step.
inline constexpr float kNearMargin = 0.1f;

/// Writes cell and bucket of particle i. One thread per particle.
struct NeighbourBucket {
  Bodies bodies;
  Fluids fluids;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t body = fluids.at.body[i];
    const double inv = static_cast<double>(fluids.laws[fluids.at.law[i]].inv_spacing) / double{kFluidCell};
    const FluidGrid::Cell cell = FluidGrid::cell_of(bodies.x[body], inv);
    fluids.at.cell[i] = cell;
    fluids.at.bucket[i] = FluidGrid::bucket_of(cell, fluids.buckets - 1, bodies.world[body]);
  }
};

struct NeighbourQuery {
  StepConstants k;
  Bodies bodies;
  Fluids fluids;

  /// Calls found(j) for each neighbour of particle i. j finds i, too.
  template <class F>
  CAIRN_HD void visit(std::uint32_t i, F&& found) const {
    const std::uint32_t body = fluids.at.body[i];
    const Vec3 x = bodies.x[body], low = bodies.x_low[body], v = bodies.v[body];
    const float s = fluids.laws[fluids.at.law[i]].spacing;
    const FluidGrid::Cell home = fluids.at.cell[i];
    const std::uint32_t world = bodies.world[body];
    for (std::int32_t n = 0; n < 27; ++n) {
      const FluidGrid::Cell cell = home.neighbour(n);
      const std::uint32_t bucket = FluidGrid::bucket_of(cell, fluids.buckets - 1, world);
      for (std::uint32_t at = fluids.bucket_begin[bucket]; at < fluids.bucket_begin[bucket + 1]; ++at) {
        const std::uint32_t j = fluids.at.sorted[at];
        if (j == i || fluids.at.cell[j] != cell) continue;
        const std::uint32_t other = fluids.at.body[j];
        const Vec3 e = (bodies.x[other] - x) + (bodies.x_low[other] - low);
        const float margin = fma(length(bodies.v[other] - v), k.dt, kNearMargin * s);
        const float reach = min(fma(kFluidReach, s, margin), kMaxNear * s);
        if (dot(e, e) < reach * reach && bodies.world[other] == world) found(j);
      }
    }
  }
};

/// Writes neighbour_begin[i]: the neighbour count. One thread per particle.
struct NeighbourCount {
  NeighbourQuery query;

  CAIRN_HD void operator()(std::uint32_t i) const {
    std::uint32_t n = 0;
    query.visit(i, [&](std::uint32_t) { ++n; });
    query.fluids.at.neighbour_begin[i] = n;
  }
};

/// Compares the neighbour count with the capacity. Once.
struct NeighbourCheck {
  Fluids fluids;
  StepState* state;

  CAIRN_HD void operator()() const {
    if (state->neighbour_wrapped != 0) state->neighbour_needed = kNone;
    fluids.at.neighbour_begin[fluids.count] = state->neighbour_needed;
    if (state->neighbour_needed > fluids.neighbour_capacity) state->overflow = 1;
  }
};

/// Writes the neighbours of particle i. One thread per particle.
struct NeighbourFill {
  NeighbourQuery query;

  CAIRN_HD void operator()(std::uint32_t i) const {
    std::uint32_t at = query.fluids.at.neighbour_begin[i];
    query.visit(i, [&](std::uint32_t j) { query.fluids.neighbours[at++] = j; });
  }
};

}  // namespace cairn::kernels
