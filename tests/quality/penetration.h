#pragma once

#include "src/quality/penetration.h"

namespace cairn::quality_test {

/// [m] Of two shapes where their bodies are.
inline double penetration(const Geometry& a, const BodyState& state_a, const Geometry& b, const BodyState& state_b) {
  return quality::penetration(quality::place({.geometry = a}, state_a), quality::place({.geometry = b}, state_b));
}

}  // namespace cairn::quality_test
