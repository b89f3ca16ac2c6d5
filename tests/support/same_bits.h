#pragma once
// One scene gives the same bits whatever runs it.

#include <functional>

#include "tests/support/builders.h"

namespace cairn::testing_support {

/// Looks at what else must be the same in two Worlds, of the first and of a world of the second.
using AlsoSame = std::function<void(const World& one, const World& other, std::uint32_t world)>;

/// Runs a scene for so many steps with one thread, with more, and in batches whose worlds move together and each by
/// itself; expects one hash of all, and no status bit. Returns the first World.
inline World expect_same_bits(const Scene& scene, int steps, const AlsoSame& also = nullptr) {
  World one(scene, cpu(1));
  run(one, steps);
  EXPECT_EQ(one.report().status, 0u);
  for (const int threads : {2, 3, 5}) {
    World world(scene, cpu(threads));
    run(world, steps);
    EXPECT_EQ(world.state_hash(), one.state_hash()) << threads << " threads";
    if (also) also(one, world, 0);
  }
  for (const std::uint32_t small : {0u, 4096u}) {
    WorldOptions options = cpu(2);
    options.tuning.small_world = small;
    World batch = World::copies(scene, 3, options);
    run(batch, steps);
    for (const std::uint64_t hash : batch.state_hashes()) EXPECT_EQ(hash, one.state_hash()) << "small " << small;
    if (also) also(one, batch, 2);
  }
  return one;
}

}  // namespace cairn::testing_support
