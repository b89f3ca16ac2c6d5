#pragma once
// Random numbers of the built-in scenes: a function of (seed, body, channel), so that a body's numbers don't depend on
// the order of creation, with the same bits for every compiler and library.

#include <cmath>
#include <cstdint>

#include "cairn/types.h"

namespace cairn::scenes {

/// The output function of SplitMix64 (Steele, Lea, Flood 2014): each bit of the input changes half the bits of the
/// output.
constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Numbers of one body.
class Random {
 public:
  constexpr Random(std::uint64_t seed, std::uint64_t body) : key_(mix(mix(seed) ^ body)) {}

  constexpr std::uint64_t bits(std::uint64_t channel) const { return mix(key_ ^ channel); }

  /// [1] uniform in -1 .. 1, the ends of 2^53 equal steps
  constexpr double symmetric(std::uint64_t channel) const {
    return static_cast<double>(bits(channel) >> 11) * 0x1p-52 - 1;
  }

  /// A uniformly distributed rotation, from two points of the unit disc (Marsaglia 1972): only + - * / sqrt. Uses
  /// channels from `channel` on.
  Quat rotation(std::uint64_t channel) const {
    const Disc a = disc(channel), b = disc(channel);
    const double scale = std::sqrt((1 - a.squared) / b.squared);
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(b.x * scale),
            static_cast<float>(b.y * scale)};
  }

 private:
  std::uint64_t key_;

  struct Disc {
    double x, y, squared;
  };

  /// a point of the unit disc except its centre, by rejection; advances the channel
  Disc disc(std::uint64_t& channel) const {
    for (;;) {
      const double x = symmetric(channel), y = symmetric(channel + 1);
      channel += 2;
      const double squared = x * x + y * y;
      if (squared < 1 && squared > 1e-6) return {x, y, squared};
    }
  }
};

}  // namespace cairn::scenes
