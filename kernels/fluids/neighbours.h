#pragma once
// The neighbours of fluid particles, once a step: all that may come within the kernel's reach in it. A uniform hash
// grid of cells of three spacings, like that of fields (include/cairn/particle_view.h). The order, by cell and then by
// number, depends on the particle's own world only.

#include "cairn/particle_view.h"
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
    const Vec3 x = bodies.x[body];
    const double inv = static_cast<double>(fluids.laws[fluids.at.law[i]].inv_spacing) / double{kFluidCell};
    const auto of = [&](float a) { return NearGrid<float>::coordinate(static_cast<double>(a) * inv); };
    const FluidCell cell{of(x.x), of(x.y), of(x.z), bodies.world[body]};
    fluids.at.cell[i] = cell;
    fluids.at.bucket[i] = bucket_of(cell, fluids.buckets);
  }

  CAIRN_HD static std::uint32_t bucket_of(const FluidCell& c, std::uint32_t buckets) {
    using Grid = NearGrid<float>;
    const std::uint32_t row =
        Grid::mix(Grid::mix(static_cast<std::uint32_t>(c.y) + 0x9e3779b9u * c.world) + static_cast<std::uint32_t>(c.z));
    return (row + static_cast<std::uint32_t>(c.x)) & (buckets - 1);
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
    const FluidCell home = fluids.at.cell[i];
    for (std::int32_t n = 0; n < 27; ++n) {
      const FluidCell cell{home.x + n % 3 - 1, home.y + n / 3 % 3 - 1, home.z + n / 9 - 1, home.world};
      const std::uint32_t bucket = NeighbourBucket::bucket_of(cell, fluids.buckets);
      for (std::uint32_t at = fluids.bucket_begin[bucket]; at < fluids.bucket_begin[bucket + 1]; ++at) {
        const std::uint32_t j = fluids.at.sorted[at];
        const FluidCell c = fluids.at.cell[j];
        if (j == i || c.x != cell.x || c.y != cell.y || c.z != cell.z || c.world != cell.world) continue;
        const std::uint32_t other = fluids.at.body[j];
        const Vec3 e = (bodies.x[other] - x) + (bodies.x_low[other] - low);
        const float margin = fma(length(bodies.v[other] - v), k.dt, kNearMargin * s);
        const float reach = min(fma(kFluidReach, s, margin), kMaxNear * s);
        if (dot(e, e) < reach * reach) found(j);
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

/// Detects that a sum exceeded 32 bits. Integer or. One thread per particle.
struct NeighbourWrap {
  Fluids fluids;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t next = i + 1 < fluids.count ? fluids.at.neighbour_begin[i + 1] : state->neighbour_needed;
    if (next < fluids.at.neighbour_begin[i]) atomic_or(&state->neighbour_wrapped, 1u);
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
