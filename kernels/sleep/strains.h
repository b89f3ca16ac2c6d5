#pragma once
// Particles sleep and wake with what constraints hold them to.

#include "kernels/sleep/sleep.h"
#include "kernels/strain/measure.h"

namespace cairn::kernels {

/// Joins the islands of a strain's ends. One thread per strain.
struct SleepJoinStrain {
  SleepJoin islands;
  Strains strains;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Strain& strain = strains.strain[at];
    const Bodies& bodies = islands.bodies;
    const auto pushed = [&](std::uint32_t body) { return is_awake_dynamic(bodies.flags[body]); };
    const std::uint32_t ends = ends_of(strains.law[strain.law].kind);
    // each with each, since what doesn't move supports all that it holds
    for (std::uint32_t i = 1; i < ends; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const std::uint32_t a = strain.body[j], b = strain.body[i];
        islands.join({a, b, pushed(a), pushed(b)});
      }
    }
  }
};

/// What stirs wakes what a strain holds to it. Writes wake[island]: 1, whoever comes first. One thread per strain.
struct WakeStrained {
  Bodies bodies;
  Strains strains;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Strain& strain = strains.strain[at];
    const std::uint32_t ends = ends_of(strains.law[strain.law].kind);
    bool stirred = false;
    for (std::uint32_t i = 0; i < ends; ++i) stirred = stirred || stirs(bodies, strain.body[i]);
    for (std::uint32_t i = 0; i < ends && stirred; ++i) {
      const std::uint32_t body = strain.body[i];
      if ((bodies.flags[body] & kBodyAsleep) != 0) atomic_store(&bodies.wake[bodies.island[body]], 1u);
    }
  }
};

}  // namespace cairn::kernels
