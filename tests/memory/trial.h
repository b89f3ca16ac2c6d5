#pragma once
// A call that runs out of memory, of the host's heap or of a device: it is made, or it throws CapacityError and nothing
// has changed.

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/memory/calls.h"
#include "tests/memory/sample_worlds.h"

namespace cairn::testing_support {

/// How a call with too little memory ended.
enum class End { kMade, kOutOfMemory, kRefused, kOther };

struct Outcome {
  End end{End::kMade};
  bool short_of{false};  ///< some block was refused
};

inline constexpr int kEverything = 1 << 30;  ///< [1] blocks: more than anything takes

/// Makes a call while `Shortage(allowed, stays_full)` is there: ShortHeap, or another with its functions.
template <class Shortage>
Outcome make(const Ready& call, int allowed, bool stays_full) {
  Outcome outcome;
  try {
    const Shortage shortage(allowed, stays_full);
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
  outcome.short_of = Shortage::failed();
  return outcome;
}

/// All that there is to know of a world, and of its next steps.
struct Seen {
  std::string bytes;
  std::vector<std::uint64_t> hashes;  ///< now, and after each of the next steps
  std::string recording;
  friend bool operator==(const Seen&, const Seen&) = default;
};

inline std::string bytes_of(const World& world) { return world.snapshot().to_bytes(); }

/// Steps until the recording is over.
inline Seen look(World& world, int steps) {
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
inline std::optional<Ready> prepared(const WorldCall& call, World& world, std::uint32_t i) {
  try {
    return call.prepare(world, i);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

/// A world after a call that ended so: what it is must be what `same` saw.
inline testing::AssertionResult same_as(const Seen& same, World& world, int steps) {
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

/// Which blocks fail, each by itself or with all that come after it.
struct Blocks {
  int first{0}, stride{1};
  bool stays_full{false};
};

/// Makes the call with every block failing in turn; gives how many did.
template <class Shortage>
std::size_t at_every_block(const SampleWorld& sample, const WorldOptions& options, const WorldCall& call,
                           const Blocks& blocks, int steps = 10) {
  constexpr std::uint32_t kChoice = 3;
  World after = sample.make(options);
  const std::optional<Ready> ready = prepared(call, after, kChoice);
  if (!ready) return 0;
  // one that takes no memory at all has nothing to run out of
  const Outcome with_all = make<Shortage>(*ready, kEverything, false);
  if (Shortage::taken() == 0) return 0;
  const Seen with = look(after, steps);
  World before = sample.make(options);
  prepared(call, before, kChoice);
  const Seen without = look(before, steps);
  std::size_t tried = 0;
  for (int n = blocks.first;; n += blocks.stride, ++tried) {
    World world = sample.make(options);
    const Outcome got = make<Shortage>(*prepared(call, world, kChoice), n, blocks.stays_full);
    if (!got.short_of) return tried;
    const bool threw = got.end == End::kOutOfMemory;
    const auto same = same_as(threw ? without : with, world, steps);
    if ((threw || got.end == with_all.end) && same) continue;
    ADD_FAILURE() << call.name << " at block " << n << (blocks.stays_full ? " and all after it" : "") << " ended with "
                  << static_cast<int>(got.end) << "; " << same.message();
    return tried + 1;
  }
}

}  // namespace cairn::testing_support
