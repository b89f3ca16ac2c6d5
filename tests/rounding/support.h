#pragma once
// What the calls of tests/rounding have in common.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/rounding/bits.h"
#include "tests/support/builders.h"

namespace cairn::rounding_test {

using testing_support::run;

inline const WorldOptions kOptions{.device = Device::cpu(2), .contact_events = true};

/// What was read of a file written here, without it.
template <class F>
std::string through_file(const char* ending, const F& write) {
  const auto file = std::filesystem::path(testing::TempDir()) / ("cairn_rounding_" + std::to_string(getpid()) + ending);
  write(file);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return bytes;
}

}  // namespace cairn::rounding_test
