#pragma once
// Numbers that are the same on every machine: std::mt19937_64 is, distributions are not.

#include <cstdint>
#include <random>

#include "cairn/types.h"

namespace cairn::testing_support {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double within(double low, double high) { return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  Vec3d vec(double size) { return {within(-size, size), within(-size, size), within(-size, size)}; }
  Quat quat() {
    return {static_cast<float>(within(-1, 1)), static_cast<float>(within(-1, 1)), static_cast<float>(within(-1, 1)),
            static_cast<float>(within(0.1, 1))};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cairn::testing_support
