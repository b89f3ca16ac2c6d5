#pragma once
// Output of the rows of `bench`.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/cairn/measure.h"

namespace cairn::cli {

/// Common to all rows of a run.
struct BenchHead {
  DeviceInfo device;
  std::string suite, commit;
};

std::string table_head();
/// Two lines of a row: times and quality, and the shares of the stages below; or the reason why there are none.
std::string table_row(const Measured& measured);

nlohmann::ordered_json bench_json(const BenchHead& head, const std::vector<Measured>& rows);

}  // namespace cairn::cli
