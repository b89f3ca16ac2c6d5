#pragma once
// Inputs and outputs of sensors, beside the context of the next step.

#include <span>

#include "kernels/sensors/contact_force.h"
#include "kernels/sensors/joint_wrench.h"
#include "kernels/sensors/motion_sensors.h"
#include "kernels/sensors/scan.h"
#include "src/step_context.h"

namespace cairn {

struct SenseContext {
  kernels::SenseFrame frame{};
  kernels::SenseImu imu{};
  kernels::SumContacts sum_contacts{};
  kernels::SenseContact contact{};
  std::uint32_t contacts{0};  ///< [1] of a world
  kernels::SumLinkLoads sum_loads{};
  kernels::SenseTree tree{};
  std::uint32_t trees{0};  ///< [1] of all worlds
  kernels::SenseJoint joint{};
  std::uint32_t joints{0};  ///< [1] of a world
  kernels::SiteReader sites{};
  kernels::QueryScene scene{};
  std::span<const kernels::SensedScan> scans;  ///< on the host
};

}  // namespace cairn
