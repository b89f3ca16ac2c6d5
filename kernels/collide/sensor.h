#pragma once

#include "kernels/common/contacts.h"
#include "kernels/common/filter.h"
#include "kernels/common/index.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// Turns the manifold of a sensor into its overlap: no points unless the shapes overlap, and never an impulse. Writes
/// manifold i of this step. One thread per pair.
struct Sense {
  Shapes shapes;
  Pairs pairs;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_sensor(shapes.filter[pairs.shape_a(i)]) && !is_sensor(shapes.filter[pairs.shape_b[i]])) return;
    Manifold& m = pairs.manifold[i];
    bool overlaps = false;
    for (std::uint32_t j = 0; j < m.count; ++j) {
      overlaps = overlaps || m.points[j].separation <= 0.0f;
      m.points[j].impulse = m.points[j].total = 0.0f;
    }
    if (!overlaps) m.count = 0;
    m.flags = kManifoldSensor | (m.flags & kManifoldFar);
    m.color = kNone;
    clear_friction(m);
  }
};

}  // namespace cairn::kernels
