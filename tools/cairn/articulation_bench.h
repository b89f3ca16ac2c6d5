#pragma once
// The articulation suite of `bench`; articulations aren't scenes.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cairn/device.h"

namespace cairn::cli {

inline constexpr const char* kArticulationSuite = "articulations";

/// Results of many articulations of one kind.
struct ArticulationFigures {
  std::string name;
  std::uint32_t dofs{0}, count{0};  ///< [1]
  double forward_per_ms{0};         ///< [1/ms] articulations whose accelerations are found and read
  double step_per_ms{0};            ///< [1/ms] articulations stepped
  double drift{0};                  ///< [1]    change of the first one's energy in a second, of the largest kinetic
  std::uint64_t hash{0};
};

/// Chains on the world and afloat, one and many; prints each result at once.
std::vector<ArticulationFigures> bench_articulations(const Device& device);
nlohmann::ordered_json articulations_json(const Device& device, const std::vector<ArticulationFigures>& all);

}  // namespace cairn::cli
