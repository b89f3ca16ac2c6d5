#pragma once

#include "src/sensors/sense_context.h"

namespace cairn {

/// States, contacts of the last step and the tree of queries -> readings. Like a step, it does nothing while an earlier
/// step waits for more capacity.
template <class Exec>
void sense(Exec& exec, const StepContext& s, const SenseContext& c) {
  exec.guard(&s.state->overflow);
  const std::uint32_t worlds = s.constants.world_count;
  const std::uint32_t* pairs = &s.state->pair_count[s.constants.parity ^ 1u];
  if (c.frame.count != 0) exec.for_each(worlds * c.frame.count, c.frame);
  if (c.imu.count != 0) exec.for_each(worlds * c.imu.count, c.imu);
  if (c.contacts != 0) {
    exec.for_each(pairs, s.constants.pair_capacity, c.sum_contacts);
    exec.for_each(worlds * c.contacts, c.contact);
  }
  if (c.trees != 0) {
    exec.for_each(pairs, s.constants.pair_capacity, c.sum_loads);
    exec.for_each(c.trees, c.tree);
  }
  if (c.joints != 0) exec.for_each(worlds * c.joints, c.joint);
  for (const kernels::SensedScan& scan : c.scans) {
    exec.for_each(worlds * scan.rays, kernels::SenseScan{c.sites, c.scene, scan});
  }
}

}  // namespace cairn
