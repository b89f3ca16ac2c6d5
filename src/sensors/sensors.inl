#pragma once

#include "src/sensors/sense_context.h"

namespace cairn {

/// States, contacts of the last step and the tree of queries -> readings. Like a step, it does nothing while an earlier
/// step waits for more capacity.
template <class Exec>
void sense(Exec& exec, const StepContext& s, const SenseContext& c) {
  exec.guard(&s.state->overflow);
  const std::uint32_t worlds = s.constants.world_count, last = s.constants.parity ^ 1u;
  const auto substeps = static_cast<float>(s.substeps);
  if (c.frames != 0) {
    exec.for_each(worlds * c.frames, kernels::SenseFrame{c.sites, c.frame, c.frames, c.pose, c.velocity});
  }
  if (c.imus != 0) {
    exec.for_each(worlds * c.imus, kernels::SenseImu{c.sites, s.worlds, c.imu_site, c.imus, c.memory, c.imu});
  }
  if (c.contacts != 0) {
    exec.for_each(&s.state->pair_count[last], s.constants.pair_capacity,
                  kernels::SumContacts{s.shapes, s.pairs[last], c.contact});
    exec.for_each(worlds * c.contacts, kernels::SenseContact{s.bodies, c.contact, s.state, substeps, c.force});
  }
  if (c.tree_count != 0) {
    exec.for_each(&s.state->pair_count[last], s.constants.pair_capacity,
                  kernels::SumLinkLoads{s.shapes, s.pairs[last], s.links, c.trees, substeps});
    exec.for_each(c.tree_count, kernels::SenseTree{s.bodies, s.worlds, s.links, s.state, c.trees, substeps});
  }
  if (c.joints != 0) exec.for_each(worlds * c.joints, kernels::SenseJoint{c.trees, c.joint, c.wrench});
  for (const kernels::SensedScan& scan : c.scans) {
    exec.for_each(worlds * scan.rays, kernels::SenseScan{c.sites, c.scene, scan});
  }
}

}  // namespace cairn
