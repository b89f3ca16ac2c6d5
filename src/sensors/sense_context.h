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
  kernels::SiteReader sites{};
  const kernels::SensedFrame* frame{nullptr};
  std::uint32_t frames{0};                   ///< [1] of a world, like the next two
  float *pose{nullptr}, *velocity{nullptr};  ///< of kernels::SenseFrame
  const std::uint32_t* imu_site{nullptr};    ///< [1] (imus) numbers of sites
  std::uint32_t imus{0};                     ///< [1]
  kernels::ImuMemory* memory{nullptr};       ///< (worlds imus)
  float* imu{nullptr};                       ///< of kernels::SenseImu
  kernels::SensedContacts contact{};
  std::uint32_t contacts{0};  ///< [1]
  float* force{nullptr};      ///< of kernels::SenseContact
  kernels::SensedTrees trees{};
  std::uint32_t tree_count{0};                 ///< [1] of all worlds
  const kernels::SensedJoint* joint{nullptr};  ///< of kernels::SenseJoint
  std::uint32_t joints{0};                     ///< [1] of a world
  float* wrench{nullptr};                      ///< of kernels::SenseJoint
  kernels::QueryScene scene{};
  std::span<const kernels::SensedScan> scans;  ///< on the host
};

}  // namespace cairn
