#pragma once
// How the rows of `bench` are shown and kept.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/cairn/measure.h"

namespace cairn::cli {

/// What all rows of a run share.
struct BenchHead {
  DeviceInfo device;
  std::string suite, commit;
};

std::string table_head();
/// Two lines of a row: times and quality, and below the shares of the stages; or why there are none.
std::string table_row(const Measured& measured);

nlohmann::ordered_json bench_json(const BenchHead& head, const std::vector<Measured>& rows);

}  // namespace cairn::cli
