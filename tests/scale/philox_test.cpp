// Philox and the numbers made of it.

#include <cmath>

#include <gtest/gtest.h>

#include "cairn/random.h"

namespace cairn::scale_test {
namespace {

using Counter = std::array<std::uint32_t, 4>;

// known answers of the paper's own implementation, Random123 (kat_vectors, "philox4x32 10")
TEST(Philox, gives_the_known_answers) {
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, makes_uniform_numbers_of_its_upper_24_bits) {
  const std::uint64_t seed = 0x299f31d0a4093822ull;
  const Counter bits = philox4x32({7, 3, 5, 0}, {0xa4093822, 0x299f31d0});
  const auto u = random_uniforms(seed, 5, RandomStream::kLinearVelocity, 7);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(u[k], std::ldexp(static_cast<float>(bits[k] >> 8), -24));
}

// the mean of n = 1e5 uniform numbers is 1/2 within 5 standard deviations, sqrt(1 / 12 n)
TEST(Philox, uniform_numbers_have_the_mean_and_spread_of_such) {
  constexpr std::uint32_t kDraws = 25000;
  double sum = 0, squares = 0;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    for (const double u : random_uniforms(1, 0, RandomStream::kUser, i)) {
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      sum += u;
      squares += (u - 0.5) * (u - 0.5);
    }
  }
  const double n = 4.0 * kDraws;
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1 / (12 * n)));
  // the variance of (u - 1/2)^2 is 1/180
  EXPECT_NEAR(squares / n, 1.0 / 12, 5 * std::sqrt(1 / (180 * n)));
}

}  // namespace
}  // namespace cairn::scale_test
