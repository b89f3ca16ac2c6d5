#pragma once
// Options that take a number.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace cairn::cli {

/// For CLI::Option::transform: a decimal number from low to high, with nothing before or behind it. Without it CLI11
/// reads -1 as 2^64 - 1, numbers out of range as the max, 010 as 8 and 0x10 as 16.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator number(double low, double high);

}  // namespace cairn::cli
