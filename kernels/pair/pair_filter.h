#pragma once

#include "kernels/common/bodies.h"
#include "kernels/common/filter.h"
#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// Whether a step needs the pair of two shapes of different bodies whose boxes overlap, in a World with filters. One
/// body must be dynamic. A sensor instead sees shapes of dynamic and kinematic bodies, but no other sensors.
struct PairFilter {
  Bodies bodies;
  Shapes shapes;
  IgnoredPairs ignored;
  std::uint32_t use;  ///< FilterUse

  CAIRN_HD bool operator()(std::uint32_t a, std::uint32_t body_a, std::uint32_t b, std::uint32_t body_b) const {
    const std::uint32_t flags_a = bodies.flags[body_a], flags_b = bodies.flags[body_b];
    const bool dynamic = is_dynamic(flags_a) || is_dynamic(flags_b);
    // both ends have the flag: testing one is enough
    if ((flags_a & kBodyIgnores) != 0 && ignored.contains(body_a, body_b)) return false;
    if ((use & (kUseFilters | kUseSensors)) == 0) return dynamic;
    const ShapeFilter f = shapes.filter[a], g = shapes.filter[b];
    if (is_sensor(f) || is_sensor(g)) {
      if (is_sensor(f) && is_sensor(g)) return false;
      const std::uint32_t seen = is_sensor(f) ? flags_b : flags_a;
      if (!is_dynamic(seen) && !is_kinematic(seen)) return false;
    } else if (!dynamic) {
      return false;
    }
    return may_touch(f.filter, g.filter);
  }
};

}  // namespace cairn::kernels
