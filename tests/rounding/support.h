#pragma once
// What the calls of tests/rounding have in common.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/rounding/bits.h"

namespace cairn::rounding_test {

inline const WorldOptions kOptions{.device = Device::cpu(2), .contact_events = true};

inline void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

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

inline std::vector<BodyState> states_of(const World& world) {
  std::vector<BodyState> states(world.body_count());
  world.read_states(states);
  return states;
}

}  // namespace cairn::rounding_test
