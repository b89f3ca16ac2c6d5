// A heap that runs out, at the n-th block for every n, in every public call of World: the call is made, or it throws
// CapacityError and nothing has changed. Blocks of every second n fail alone, of the others with all that come after
// them; with CAIRN_LONG=1 each does both.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>

#include "tests/memory/calls.h"
#include "tests/memory/rig.h"
#include "tests/memory/sample_worlds.h"
#include "tests/support/builders.h"
#include "tests/support/long_run.h"

namespace cairn {
namespace {

using namespace testing_support;

/// How a call under a short heap ended.
enum class End { kMade, kOutOfMemory, kRefused, kOther };

struct Outcome {
  End end{End::kMade};
  bool short_of{false};  ///< some block was refused
};

Outcome make(const Ready& call, int allowed, bool stays_full) {
  Outcome outcome;
  try {
    const ShortHeap heap(allowed, stays_full);
    try {
      call();
    } catch (const CapacityError&) {
      outcome.end = End::kOutOfMemory;
    } catch (const InvalidArgument&) {
      outcome.end = End::kRefused;
    } catch (...) {
      outcome.end = End::kOther;
    }
  } catch (...) {
    outcome.end = End::kOther;
  }
  outcome.short_of = ShortHeap::failed();
  return outcome;
}

/// All that there is to know of a world, and of its next steps.
struct Seen {
  std::string bytes;
  std::vector<std::uint64_t> hashes;  ///< now, and after each of the next steps
  std::string recording;
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::string bytes_of(const World& world) { return world.snapshot().to_bytes(); }

/// Steps until the recording is over.
Seen look(World& world, int steps) {
  Seen seen{.bytes = bytes_of(world), .hashes = {world.state_hash()}};
  Snapshot::from_bytes(seen.bytes, "the world's own snapshot");
  for (int i = 0; i < steps; ++i) {
    try {
      world.step();
    } catch (const InvalidArgument&) {
      // such as avbd with a joint
      break;
    }
    seen.hashes.push_back(world.state_hash());
  }
  try {
    seen.recording = world.stop_recording().to_bytes();
  } catch (const InvalidArgument&) {
  }
  return seen;
}

/// A call for this world; none where it has nothing to call it on.
std::optional<Ready> prepared(const WorldCall& call, World& world, std::uint32_t i) {
  try {
    return call.prepare(world, i);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

class FailingHeap : public testing::TestWithParam<SampleWorld> {};
INSTANTIATE_TEST_SUITE_P(Worlds, FailingHeap, testing::ValuesIn(sample_worlds()),
                         [](const auto& row) { return std::string(row.param.name); });

/// A world after a call that ended so: what it is must be what `same` saw.
testing::AssertionResult same_as(const Seen& same, World& world, int steps) {
  try {
    const Seen seen = look(world, steps);
    if (seen.hashes != same.hashes) return testing::AssertionFailure() << "other states now or later";
    if (seen.bytes != same.bytes) return testing::AssertionFailure() << "another snapshot";
    if (seen.recording != same.recording) return testing::AssertionFailure() << "another recording";
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "it can't be gone on with: " << error.what();
  }
  return testing::AssertionSuccess();
}

/// Makes the call with every block failing in turn, from the given one on; gives how many did.
std::size_t at_every_block(const SampleWorld& sample, const WorldCall& call, int first, int stride, bool stays_full) {
  constexpr int kSteps = 10;
  constexpr std::uint32_t kChoice = 3;
  World before = sample.make();
  if (!prepared(call, before, kChoice)) return 0;
  const Seen without = look(before, kSteps);
  World after = sample.make();
  const End wanted = make(*prepared(call, after, kChoice), -1, false).end;
  const Seen with = look(after, kSteps);
  std::size_t tried = 0;
  for (int n = first;; n += stride, ++tried) {
    World world = sample.make();
    const Outcome got = make(*prepared(call, world, kChoice), n, stays_full);
    if (!got.short_of) return tried;
    const bool threw = got.end == End::kOutOfMemory;
    const auto same = same_as(threw ? without : with, world, kSteps);
    if ((threw || got.end == wanted) && same) continue;
    ADD_FAILURE() << call.name << " at block " << n << (stays_full ? " and all after it" : "") << " ended with "
                  << static_cast<int>(got.end) << "; " << same.message();
    return tried + 1;
  }
}

TEST_P(FailingHeap, leaves_every_call_made_or_not_made_at_every_block) {
  const bool is_long = testing_support::is_long();
  std::size_t tried = 0;
  for (const WorldCall& call : world_calls()) {
    for (const bool stays_full : {false, true}) {
      tried += at_every_block(GetParam(), call, !is_long && stays_full ? 1 : 0, is_long ? 1 : 2, stays_full);
    }
  }
  std::printf("%s: %zu pairs of a call and a block that failed\n", GetParam().name, tried);
}

/// Random calls on two worlds, of which one has a short heap: they stay alike. Gives how many calls ran short.
std::size_t at_random_blocks(const SampleWorld& sample, unsigned seed) {
  constexpr int kCalls = 150;
  std::mt19937 random(seed);
  std::size_t tried = 0;
  World world = sample.make(), same = sample.make();
  for (int i = 0; i < kCalls; ++i) {
    const WorldCall& call = world_calls()[random() % world_calls().size()];
    const auto choice = static_cast<std::uint32_t>(random() % 1000);
    const auto allowed = static_cast<int>(random() % (random() % 2 == 0 ? 12 : 120));
    const bool stays_full = random() % 2 == 0;
    const std::optional<Ready> ready = prepared(call, world, choice), other = prepared(call, same, choice);
    if (!ready || !other) continue;
    const Outcome got = make(*ready, allowed, stays_full);
    tried += got.short_of ? 1 : 0;
    const End wanted = got.end == End::kOutOfMemory ? got.end : make(*other, -1, false).end;
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
  constexpr unsigned kSequences = 30;
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= kSequences; ++seed) tried += at_random_blocks(GetParam(), seed);
  std::printf("%s: %zu random calls with a block that failed\n", GetParam().name, tried);
}

/// Names of the public functions of World, and how many have each.
std::map<std::string, int> declared() {
  std::ifstream file(CAIRN_SOURCE_DIR "/include/cairn/world.h");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = text.substr(text.find("class World {"));
  text = text.substr(0, text.find(" private:"));
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  std::map<std::string, int> names;
  // a declaration ends its list of parameters with a bracket, and perhaps const, before the semicolon
  const std::regex declaration("\\b([a-z_]+)\\(([^;]*?)\\)\\s*(const)?\\s*;");
  for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) ++names[(*at)[1]];
  return names;
}

TEST(FailingHeapOfWorlds, is_tried_in_every_public_function) {
  std::map<std::string, int> tried;
  for (const WorldCall& call : world_calls()) ++tried[call.name];
  std::map<std::string, int> names = declared();
  // in the test below
  names.erase("copies");
  EXPECT_GT(names.size(), 90u);
  EXPECT_EQ(tried, names);
}

TEST(FailingHeapOfWorlds, that_are_made_gives_everything_back_at_every_block) {
  World sample = sample_worlds().back().make();
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
        got = make(way, n, stays_full);
        // the standard library's own algorithms can do without some blocks
        ASSERT_TRUE(got.end == End::kMade || (got.short_of && got.end == End::kOutOfMemory)) << n;
        ASSERT_EQ(TestMemory::live.size(), before) << n;
      }
      EXPECT_GT(n, 50);
    }
  }
}

}  // namespace
}  // namespace cairn
