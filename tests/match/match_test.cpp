#include "src/match/match.inl"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/stage_rig.h"

namespace cairn::match_test {
namespace {

using testing_support::StageRig;

std::vector<std::uint64_t> sorted_keys(std::uint32_t n, std::uint64_t range, std::mt19937& random) {
  std::vector<std::uint64_t> keys;
  while (keys.size() < n) {
    while (keys.size() < n) keys.push_back((std::uint64_t{random()} << 32 | random()) % range);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  return keys;
}

void expect_matches(const std::vector<std::uint64_t>& now, const std::vector<std::uint64_t>& before, int threads) {
  const std::uint32_t n = static_cast<std::uint32_t>(now.size()), old = static_cast<std::uint32_t>(before.size());
  StageRig rig(threads, 0, 0, std::max({n, old, 1u}));
  std::copy(now.begin(), now.end(), rig.s.pairs[0].key);
  std::copy(before.begin(), before.end(), rig.s.pairs[1].key);
  rig.s.state->pair_count[0] = n;
  rig.s.state->pair_count[1] = old;
  StageRig::poison(rig.s.work.match, std::max(n, 1u));
  match(rig.exec, rig.s);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto at = std::lower_bound(before.begin(), before.end(), now[i]);
    const bool there = at != before.end() && *at == now[i];
    ASSERT_EQ(rig.s.work.match[i], there ? static_cast<std::uint32_t>(at - before.begin()) : kernels::kNone)
        << "pair " << i << " of " << n << ", " << old << " before";
  }
}

TEST(Match, finds_what_lower_bound_finds) {
  std::mt19937 random(1);
  for (const std::uint32_t n : {0u, 1u, 2u, 255u, 256u, 257u, 3000u}) {
    for (const std::uint32_t old : {0u, 1u, 2u, 255u, 256u, 257u, 5000u}) {
      // from hardly any key in common to almost all
      for (const std::uint64_t range : {std::uint64_t{8000}, std::uint64_t{100'000}, ~std::uint64_t{0}}) {
        const auto now = sorted_keys(n, range, random), before = sorted_keys(old, range, random);
        ASSERT_NO_FATAL_FAILURE(expect_matches(now, before, 1));
      }
    }
  }
}

TEST(Match, finds_what_moved_by_any_distance) {
  std::mt19937 random(2);
  const auto all = sorted_keys(3000, ~std::uint64_t{0}, random);
  for (const std::uint32_t cut : {1u, 2u, 3u, 7u, 64u, 1000u, 2999u}) {
    const std::vector<std::uint64_t> tail(all.begin() + cut, all.end()), head(all.begin(), all.end() - cut);
    for (const int threads : {1, 2, 3, 5}) {
      ASSERT_NO_FATAL_FAILURE(expect_matches(all, tail, threads));
      ASSERT_NO_FATAL_FAILURE(expect_matches(tail, all, threads));
      ASSERT_NO_FATAL_FAILURE(expect_matches(head, all, threads));
      ASSERT_NO_FATAL_FAILURE(expect_matches(head, tail, threads));
    }
  }
}

}  // namespace
}  // namespace cairn::match_test
