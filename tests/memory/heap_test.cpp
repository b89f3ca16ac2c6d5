// A heap that runs out, at the n-th block for every n, in every public call of World: the call is made, or it throws
// CapacityError and nothing has changed. Of ten blocks one fails alone, one with all that come after it; with
// CAIRN_LONG=1 each does both.

#include <map>
#include <random>

#include "tests/memory/rig.h"
#include "tests/memory/trial.h"
#include "tests/support/builders.h"
#include "tests/support/long_run.h"
#include "tests/support/world_functions.h"

namespace cairn::memory_test {
namespace {

using namespace testing_support;

class FailingHeap : public testing::TestWithParam<SampleWorld> {};
INSTANTIATE_TEST_SUITE_P(Worlds, FailingHeap, testing::ValuesIn(sample_worlds()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(FailingHeap, leaves_every_call_made_or_not_made_at_every_block) {
  const bool is_long = testing_support::is_long();
  std::size_t tried = 0;
  for (const WorldCall& call : world_calls()) {
    for (const bool stays_full : {false, true}) {
      tried += at_every_block<ShortHeap>(GetParam(), cpu(), call,
                                         {!is_long && stays_full ? 5 : 0, is_long ? 1 : 10, stays_full});
    }
  }
  std::printf("%s: %zu pairs of a call and a block that failed\n", GetParam().name, tried);
}

/// Random calls on two worlds, of which one has a short heap: they stay alike. Gives how many calls ran short.
std::size_t at_random_blocks(const SampleWorld& sample, unsigned seed) {
  constexpr int kCalls = 150;
  std::mt19937 random(seed);
  std::size_t tried = 0;
  World world = sample.make(cpu()), same = sample.make(cpu());
  for (int i = 0; i < kCalls; ++i) {
    const WorldCall& call = world_calls()[random() % world_calls().size()];
    const auto choice = static_cast<std::uint32_t>(random() % 1000);
    const auto allowed = static_cast<int>(random() % (random() % 2 == 0 ? 12 : 120));
    const bool stays_full = random() % 2 == 0;
    const std::optional<Ready> ready = prepared(call, world, choice), other = prepared(call, same, choice);
    if (!ready || !other) continue;
    const Outcome got = make<ShortHeap>(*ready, allowed, stays_full);
    tried += got.short_of ? 1 : 0;
    const End wanted = got.end == End::kOutOfMemory ? got.end : make<ShortHeap>(*other, -1, false).end;
    const bool states = world.state_hashes() == same.state_hashes(), bytes = bytes_of(world) == bytes_of(same);
    if (got.end == wanted && states && bytes) continue;
    ADD_FAILURE() << call.name << ", call " << i << " of seed " << seed << " at block " << allowed
                  << (stays_full ? " and all after it" : "") << ", ended with " << static_cast<int>(got.end)
                  << (states ? "" : "; other states") << (bytes ? "" : "; another snapshot");
    return tried;
  }
  return tried;
}

TEST_P(FailingHeap, leaves_random_calls_made_or_not_made) {
  const unsigned sequences = is_long() ? 30 : 12;
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= sequences; ++seed) tried += at_random_blocks(GetParam(), seed);
  std::printf("%s: %zu random calls with a block that failed\n", GetParam().name, tried);
}

TEST(FailingHeapOfWorlds, is_tried_in_every_public_function) {
  std::map<std::string, int> tried;
  for (const WorldCall& call : world_calls()) ++tried[call.name];
  std::map<std::string, int> names = functions_of_world();
  // in the test below
  names.erase("copies");
  EXPECT_GT(names.size(), 90u);
  EXPECT_EQ(tried, names);
}

/// While Worlds are made with too little memory.
template <class Shortage>
void expect_everything_given_back() {
  World sample = sample_worlds().back().make(cpu());
  const Snapshot snapshot = sample.snapshot();
  Scene scene = tower(2);
  const std::vector<Scene> scenes(2, scene);
  const WorldOptions options = cpu();
  const Ready ways[] = {[&] { World(scene, options); }, [&] { World(std::span<const Scene>(scenes), options); },
                        [&] { World::copies(scene, 2, options); }, [&] { World(snapshot, options); },
                        [&] { World::copies(snapshot, 2, options); }};
  const std::size_t before = TestMemory::live.size();
  for (const Ready& way : ways) {
    for (const bool stays_full : {false, true}) {
      int n = 0;
      for (Outcome got{.short_of = true}; got.short_of; ++n) {
        got = make<Shortage>(way, n, stays_full);
        // the standard library's own algorithms can do without some blocks
        ASSERT_TRUE(got.end == End::kMade || (got.short_of && got.end == End::kOutOfMemory)) << n;
        ASSERT_EQ(TestMemory::live.size(), before) << n;
      }
      EXPECT_GT(n, 50) << "a World takes more blocks and arrays than that";
    }
  }
}

TEST(FailingHeapOfWorlds, that_are_made_gives_everything_back_at_every_block) {
  expect_everything_given_back<ShortHeap>();
}
TEST(FailingWorld, that_can_not_be_made_gives_everything_back) { expect_everything_given_back<ShortMemory>(); }

}  // namespace
}  // namespace cairn::memory_test
