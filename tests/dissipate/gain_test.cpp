// Sums of kinetic energy by world: exact, and the same in any order.

#include "kernels/solve/gain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace cairn::kernels::dissipate_test {
namespace {

EnergySum sum_of(const std::vector<float>& terms) {
  EnergySum sum{};
  for (const float x : terms) add_exactly(x, sum.digits);
  return sum;
}

TEST(EnergySum, has_the_sign_of_the_exact_sum_in_any_order) {
  std::mt19937 random(1);
  int positive = 0;
  constexpr int kSums = 2000;
  for (int i = 0; i < kSums; ++i) {
    // multiples of 2^-44 up to 2^10, of which 64 bits hold any sum
    std::vector<float> terms;
    std::int64_t exact = 0;
    const auto n = 1 + random() % 50;
    for (std::uint32_t j = 0; j < n; ++j) {
      const float mantissa = static_cast<float>(static_cast<int>(random() % 0x2000000u) - 0x1000000);
      const int shift = static_cast<int>(random() % 31);
      terms.push_back(std::ldexp(mantissa, shift - 44));
      exact += static_cast<std::int64_t>(mantissa) << shift;
    }
    // every second sum is close to 0, of either sign
    if (i % 2 == 0) {
      for (std::uint32_t j = 0; j < n; ++j) terms.push_back(-terms[j]);
      const int least = static_cast<int>(random() % 3) - 1;
      terms.push_back(std::ldexp(static_cast<float>(least), -40));
      exact = least;
    }
    std::ranges::shuffle(terms, random);
    EXPECT_EQ(is_positive(sum_of(terms)), exact > 0) << i;
    positive += exact > 0 ? 1 : 0;
  }
  EXPECT_GT(positive, kSums / 4);
  EXPECT_LT(positive, kSums * 3 / 4);
}

TEST(EnergySum, holds_a_million_of_the_largest_terms) {
  EnergySum sum{};
  const float most = std::ldexp(1.0f - std::ldexp(1.0f, -24), 64);
  for (int i = 0; i < 1 << 20; ++i) add_exactly(most, sum.digits);
  EXPECT_TRUE(is_positive(sum));
  for (int i = 0; i < 1 << 20; ++i) add_exactly(-most, sum.digits);
  EXPECT_FALSE(is_positive(sum));
  add_exactly(std::ldexp(1.0f, -64), sum.digits);
  EXPECT_TRUE(is_positive(sum));
}

TEST(EnergySum, takes_what_is_out_of_its_range_for_its_ends) {
  EXPECT_FALSE(is_positive(sum_of({std::ldexp(1.0f, -65), 0.0f})));
  EXPECT_FALSE(is_positive(sum_of({std::ldexp(1.0f, 100), -std::ldexp(1.0f, 100)})));
  EXPECT_TRUE(is_positive(sum_of({std::ldexp(1.0f, 100), -std::ldexp(1.0f, 60)})));
}

}  // namespace
}  // namespace cairn::kernels::dissipate_test
