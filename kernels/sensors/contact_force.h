#pragma once
// Contact forces by body, as sums of floats that don't depend on the order: integers in fixed point, like EnergySum.

#include "kernels/sensors/sites.h"
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

/// Contact sensors of all worlds. Those of one body are a list.
struct SensedContacts {
  const std::uint32_t* body;   ///< [1]   (worlds sensors) slot, or kSiteGone
  const std::uint32_t* other;  ///< [1]   (worlds sensors) slot, or kSiteGone; kNone: any
  const std::uint32_t* first;  ///< [1]   (slots) a sensor of the body in the slot, or kNone
  const std::uint32_t* next;   ///< [1]   (worlds sensors) another one of that body, or kNone
  std::int64_t* sum;           ///< [N s] (worlds sensors kSumWords) 0 between updates
  std::uint32_t slots;         ///< [1]   of `first`
};

/// [N s] Impulse on b by a pair's contact in the last step.
CAIRN_HD Vec3 impulse_on_b(const Manifold& m) {
  float push = 0.0f;
  for (std::uint32_t j = 0; j < m.count; ++j) push = push + m.points[j].total;
  return fma(push, m.normal, m.friction_total);
}

/// Adds the impulses of pair i to the sensors of its bodies. One thread per pair.
struct SumContacts {
  Shapes shapes;
  Pairs pairs;
  SensedContacts to;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Manifold& m = pairs.manifold[i];
    if (!pushes(m)) return;
    const std::uint32_t a = shapes.body[pairs.shape_a(i)];
    const std::uint32_t b = shapes.body[pairs.shape_b[i]];
    // of a body that was removed since
    if (a == kNone || b == kNone) return;
    const Vec3 impulse = impulse_on_b(m);
    if (!finite(impulse)) return;
    give(a, b, -impulse);
    give(b, a, impulse);
  }

 private:
  CAIRN_HD void give(std::uint32_t body, std::uint32_t other, Vec3 impulse) const {
    if (body >= to.slots) return;
    for (std::uint32_t s = to.first[body]; s != kNone; s = to.next[s]) {
      if (to.other[s] == kNone || to.other[s] == other) add_to_sums(to.sum + std::size_t{s} * kSumWords, impulse);
    }
  }
};

/// Divides the sums by the length of the last step. Writes reading and sums i. One thread per sensor of a world.
struct SenseContact {
  Bodies bodies;
  SensedContacts of;
  const StepState* state;
  float substeps;  ///< [1] of the last step
  float* force;    ///< [N] (worlds sensors 3)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const Vec3d impulse = take_sums(of.sum + std::size_t{i} * kSumWords);
    const double dt = double{state->last_h} * double{substeps};
    float* const to = force + std::size_t{i} * 3;
    const std::uint32_t body = of.body[i];
    if (body == kSiteGone || of.other[i] == kSiteGone || (bodies.flags[body] & kBodyAlive) == 0) {
      put_gone(to, 3);
    } else {
      put_words(to, (dt > 0.0 ? 1.0 / dt : 0.0) * impulse);
    }
  }
};

}  // namespace cairn::kernels
