#pragma once
// Options that take a number.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace cairn::cli {

/// For CLI::Option::transform: a number in decimal, from low to high, with nothing before or behind it. CLI11 alone
/// takes -1 for 2^64 - 1, what is too large for the largest, 010 for 8 and 0x10 for 16.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator number(double low, double high);

}  // namespace cairn::cli
