#pragma once
// Sums of floats that don't depend on the order: integers in fixed point, like EnergySum.

#include "kernels/common/vec.h"
#include "kernels/solve/gain.h"

namespace cairn::kernels {

/// Adds a finite vector to three consecutive sums. Integer sums.
CAIRN_HD void add_to_sums(std::int64_t* sums, Vec3 v) {
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t digits[kEnergyDigits] = {};
    add_exactly(component(v, axis), digits);
    for (int d = 0; d < kEnergyDigits; ++d) {
      if (digits[d] != 0) atomic_add(&sums[axis * kEnergyDigits + d], digits[d]);
    }
  }
}

/// Reads a sum and resets it to 0. From the lowest digit, so that small terms aren't lost.
CAIRN_HD double take_sum(std::int64_t* digits) {
  double sum = 0.0, unit = 0x1p-87;
  for (int d = 0; d < kEnergyDigits; ++d, unit *= 65536.0) {
    sum = fma(static_cast<double>(digits[d]), unit, sum);
    digits[d] = 0;
  }
  return sum;
}
CAIRN_HD Vec3d take_sums(std::int64_t* sums) {
  const double x = take_sum(sums), y = take_sum(sums + kEnergyDigits);
  return {x, y, take_sum(sums + 2 * kEnergyDigits)};
}

/// Integers of three sums.
inline constexpr std::uint32_t kSumWords = 3 * kEnergyDigits;

}  // namespace cairn::kernels
