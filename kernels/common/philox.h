#pragma once
// The random numbers of include/cairn/random.h, on both processors.

#include "cairn/random.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

struct Random4 {
  std::uint32_t x, y, z, w;
};

/// Philox4x32-10 (Salmon et al. 2011, section 3.3): ten rounds of two 32x32-bit products, whose high words are mixed
/// with the key, which advances by a Weyl sequence.
CAIRN_HD Random4 philox(Random4 counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xd2511f53u} * counter.x, b = std::uint64_t{0xcd9e8d57u} * counter.z;
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter.y ^ key0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter.w ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return counter;
}

struct Uniform4 {
  float x, y, z, w;  ///< [1] in [0, 1)
};

/// The upper 24 bits, times 2^-24: every value is a float.
CAIRN_HD float uniform(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

CAIRN_HD Uniform4 uniforms(std::uint64_t seed, std::uint32_t episode, RandomStream stream, std::uint32_t index,
                           std::uint32_t of = 0) {
  const Random4 r = philox({index, static_cast<std::uint32_t>(stream), episode, of}, static_cast<std::uint32_t>(seed),
                           static_cast<std::uint32_t>(seed >> 32));
  return {uniform(r.x), uniform(r.y), uniform(r.z), uniform(r.w)};
}

/// low + u (high - low), clamped because rounding may exceed the end.
CAIRN_HD float in_range(float u, const Range& range) {
  return min(fma(u, range.high - range.low, range.low), range.high);
}

/// Within +-half: 2 u - 1 is exact.
CAIRN_HD float to_either_side(float u, float half) { return half * (2.0f * u - 1.0f); }

}  // namespace cairn::kernels
