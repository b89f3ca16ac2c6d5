#pragma once
// The solids near fluid particles, once a step, from the manifolds: by particle, and by solid.

#include "kernels/common/fluids.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// Writes wall, particle and solid of pair i. One thread per pair.
struct WallOfPair {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Pairs pairs;
  Fluids fluids;

  CAIRN_HD void operator()(std::uint32_t i) const {
    fluids.walls.particle[i] = fluids.count;
    fluids.walls.solid[i] = k.body_count;
    const Manifold& m = pairs.manifold[i];
    if (!pushes(m)) return;
    const std::uint32_t shape_a = pairs.shape_a(i), shape_b = pairs.shape_b[i];
    const std::uint32_t a = shapes.body[shape_a], b = shapes.body[shape_b];
    const bool first = fluids.has(a);
    if (!first && !fluids.has(b)) return;
    std::uint32_t deepest = 0;
    for (std::uint32_t p = 1; p < m.count; ++p) {
      if (m.points[p].separation < m.points[deepest].separation) deepest = p;
    }
    const ManifoldPoint& at = m.points[deepest];
    const std::uint32_t solid = first ? b : a;
    const float radius = shapes.geometry[first ? shape_a : shape_b].size.x;
    fluids.walls.wall[i] = {first ? -m.normal : m.normal, at.separation + radius, first ? at.r_b : at.r_a, solid};
    fluids.walls.particle[i] = fluids.of_body[first ? a : b];
    // links get no push here
    if (is_awake_free(bodies.flags[solid])) fluids.walls.solid[i] = solid;
  }
};

}  // namespace cairn::kernels
