#pragma once

#include "src/quality/convex.h"
#include "src/quality/placed.h"

namespace cairn::quality {

inline constexpr double kTolerance = 1e-7;  ///< [1] of the smaller shape's size: tolerance of convex.h

/// Support of a placed shape, without its swept ball. The shape must outlive it.
inline Support support_in_world(const PlacedShape& s) {
  return [&s](Vec3 d) { return s.x + to_world(s, support_of(s, to_local(s, d))); };
}

}  // namespace cairn::quality
