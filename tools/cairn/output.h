#pragma once
// Outputs of a run: one JSON object, a summary for people, a file of states.

#include <nlohmann/json.hpp>
#include <string>

#include "tools/cairn/simulate.h"

namespace cairn::cli {

std::string hex(std::uint64_t hash);  ///< 16 digits

nlohmann::ordered_json timing_json(const Timing& timing);
nlohmann::ordered_json quality_json(const Quality& quality);  ///< null where the state isn't finite
nlohmann::ordered_json outcome_json(const Outcome& outcome);

std::string summary(const Outcome& outcome);

/// Every body's name, position, orientation_xyzw and velocities. The numbers read back to the same bits.
std::string states_json(const World& world);
std::string states_csv(const World& world);

}  // namespace cairn::cli
