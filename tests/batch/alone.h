#pragma once
// What each world of a batch owes: the bits that it has alone.

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace cairn::batch_test {

/// Each world of these scenes has them after each step. Hashes at the end, or where one is another.
inline std::vector<std::uint64_t> expect_as_alone(const std::vector<Scene>& scenes, int steps,
                                                  const WorldOptions& together = testing_support::cpu()) {
  World all(scenes, together);
  std::vector<World> alone;
  for (const Scene& scene : scenes) alone.emplace_back(scene, testing_support::cpu());
  bool same = true;
  for (int step = 1; step <= steps && same; ++step) {
    all.step();
    for (std::size_t w = 0; w < scenes.size(); ++w) {
      alone[w].step();
      same = same && all.state_hashes()[w] == alone[w].state_hash();
      EXPECT_EQ(all.state_hashes()[w], alone[w].state_hash()) << "world " << w << ", step " << step;
    }
  }
  return all.state_hashes();
}

}  // namespace cairn::batch_test
