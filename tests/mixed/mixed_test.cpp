// World k of a batch and the same world alone give the same bits: random worlds of all kinds, by seed. In CI 20 s
// of them; CAIRN_MIXED_SEEDS=FIRST:LAST runs those batches of four worlds, CAIRN_MIXED_SECONDS another time, and a
// night's run goes on where the one before ended, with the seed that it printed.

#include "tests/mixed/mixed.h"

#include <chrono>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

namespace cairn::mixed {
namespace {

/// [s] A failing batch is made smaller for so long.
constexpr double kShrinking = 120;
/// [1] Differences after which a run ends.
constexpr int kMaxDifferences = 3;

struct Range {
  std::uint64_t first{0}, last{~std::uint64_t{0}};  ///< [1] seeds
  double seconds{20};
};

Range range() {
  Range range;
  if (const char* seeds = std::getenv("CAIRN_MIXED_SEEDS")) {
    char* rest = nullptr;
    range.first = std::strtoull(seeds, &rest, 10);
    range.last = *rest == ':' ? std::strtoull(rest + 1, nullptr, 10) : range.first;
    range.seconds = 1e9;
  }
  if (const char* seconds = std::getenv("CAIRN_MIXED_SECONDS")) range.seconds = std::atof(seconds);
  return range;
}

TEST(MixedBatches, give_each_world_the_bits_that_it_has_alone) {
  const Range run = range();
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Counts counts;
  int differences = 0;
  std::uint64_t seed = run.first;
  for (; seed <= run.last && elapsed() < run.seconds && differences < kMaxDifferences; ++seed) {
    if (seed % 1000 == 0) std::cout << "at seed " << seed << ", " << elapsed() << " s" << std::endl;
    const MixedCase mixed = random_case(seed);
    const auto differs = difference(mixed, &counts);
    if (!differs) continue;
    ++differences;
    const MixedCase small = shrink(mixed, kShrinking);
    const auto still = difference(small).value_or(*differs);
    ADD_FAILURE() << "seed " << seed << ": world " << still.world << " differs from itself alone in step " << still.step
                  << ", in: " << still.what << "\n"
                  << text_of(small);
  }
  std::cout << "seeds " << run.first << " to " << seed << " (next), " << elapsed() << " s\n";
  for (const auto& [what, count] : counts) std::cout << count << "\t" << what << "\n";
}

}  // namespace
}  // namespace cairn::mixed
