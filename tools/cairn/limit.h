#pragma once
// The largest scene of a kind that a solver holds.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/device.h"
#include "cairn/params.h"
#include "tools/cairn/source.h"

namespace cairn::cli {

/// Largest n of 1..cap for which `holds`, by doubling until it fails and then by bisection; 0 if 1 isn't held. The
/// answer and the next failed size differ by less than a 16th of the answer.
std::uint32_t largest(std::uint32_t cap, const std::function<bool(std::uint32_t)>& holds);

/// Result of a size after `seconds`; the worst of all seeds.
struct Trial {
  bool held{false};       ///< no body had fallen at any full second, and all values are finite
  double drop{0};         ///< [m]   below its nominal height, of the highest body
  double drift{0};        ///< [m]   max distance of a body from its start
  double jitter{0};       ///< [m/s] root of the mean squared speed over bodies and the last second
  double penetration{0};  ///< [m]   deepest overlap
  double residual{0};     ///< [m/s] Signorini's, of the last step
  double ms_per_step{0};  ///< [ms]  mean, of all seeds together
};

/// Runs a scene of each seed side by side; ends at the first full second at which a body has fallen.
Trial attempt(std::vector<Source> sources, const StepParams& params, const Device& device, double seconds);

}  // namespace cairn::cli
