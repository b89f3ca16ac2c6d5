#pragma once
// The runs whose hashes are in tests/determinism/golden.json.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "scenes/builtin.h"
#include "tests/support/builders.h"
#include "tests/support/variants.h"

namespace cairn::testing_support {

inline constexpr int kSteps = 130;
inline constexpr const char* kScenes[] = {"tower:height=8", "wall:base=8",   "pyramid:base=5",
                                   "lattice:n=4",    "pile:count=70", "heavy:height=4,ratio=100",
                                   "slope:height=3", "spinner",       "rain:count=50,kinds=3",
                                   "shapes"};

inline std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// Hashes of a run, every tenth step.
inline std::vector<std::string> hashes(const std::string& spec, const Variant& variant, int threads,
                                       int steps = kSteps) {
  World world = world_of(scenes::make(spec, kSeed), variant, cpu(threads));
  std::vector<std::string> all;
  for (int i = 1; i <= steps; ++i) {
    world.step();
    if (i % 10 == 0) all.push_back(hex(world.state_hash()));
  }
  EXPECT_EQ(world.report().status, 0u) << spec;
  return all;
}

}  // namespace cairn::testing_support
