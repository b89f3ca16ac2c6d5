#pragma once

#include "kernels/common/atomic.h"
#include "kernels/common/state.h"
#include "kernels/strain/measure.h"

namespace cairn::kernels {

/// What is torn from the next step on, once the step is taken over: first strains of two ends that pulled harder than
/// they bear, by the mean over the step; then, `following`, those that go with one that is torn. Its ends aren't quiet,
/// so that they don't fall asleep where it left them. Writes torn of the strain's tear, and quiet_time of its ends: 0,
/// whichever comes first. One thread per strain.
struct StrainTear {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  Strains strains;
  bool following;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Strain& strain = strains.strain[at];
    if (strain.tear == kNone || is_torn(strains, strain)) return;
    if (worlds.status[bodies.world[strain.body[0]]] != 0) return;
    if (following ? !goes_with_torn(strain) : !pulls_too_hard(at, strain)) return;
    strains.tears.torn[strain.tear] = 1;
    const std::uint32_t ends = ends_of(strains.law[strain.law].kind);
    for (std::uint32_t i = 0; i < ends; ++i) atomic_store(&bodies.quiet_time[strain.body[i]], 0.0f);
  }

 private:
  CAIRN_HD bool pulls_too_hard(std::uint32_t at, const Strain& strain) const {
    // an impulse under 0 pulls
    const float pull = -(strains.tears.total[strain.tear] + strains.impulse[at]) / k.dt;
    return pull > strains.law[strain.law].breaking_force;
  }
  CAIRN_HD bool goes_with_torn(const Strain& strain) const {
    const Tears& tears = strains.tears;
    for (std::uint32_t i = tears.begin[strain.tear]; i < tears.begin[strain.tear + 1]; ++i) {
      if (tears.torn[tears.with[i]] != 0) return true;
    }
    return false;
  }
};

/// Mends strains of chosen worlds. Writes torn of the strain's tear. One thread per strain.
struct StrainMend {
  Bodies bodies;
  Strains strains;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const Strain& strain = strains.strain[at];
    if (strain.tear != kNone && selection(bodies.world[strain.body[0]])) strains.tears.torn[strain.tear] = 0;
  }
};

}  // namespace cairn::kernels
