#pragma once
// Joints of articulations for sensors, on the device.

#include <vector>

#include "cairn/sensor_set.h"
#include "src/articulations/articulation_store.h"
#include "src/exec/memory.h"
#include "src/sensors/sense_context.h"

namespace cairn {

class SensedJoints {
 public:
  explicit SensedJoints(exec::Memory& memory) : memory_(memory) {}

  /// Throws InvalidArgument, naming the sensor, for a joint that no world has.
  void check(const std::vector<JointSensor>& sensors, const ArticulationStore& store, std::uint32_t worlds) const;
  /// Finds the present places of the joints.
  void place(const std::vector<JointSensor>& sensors, const ArticulationStore& store, std::uint32_t worlds);
  /// `wrench`: readings of kernels::SenseJoint.
  void show(const StepContext& s, float* wrench, SenseContext& context) const;

 private:
  exec::Memory& memory_;
  exec::Buffer<kernels::SensedTree> tree_{memory_};
  exec::Buffer<kernels::SensedNode> node_{memory_};
  exec::Buffer<std::uint32_t> sum_of_{memory_};  ///< [1] (links)
  exec::Buffer<std::int64_t> sum_{memory_};
  exec::Buffer<kernels::SensedJoint> joint_{memory_};
  std::uint32_t trees_{0}, joints_{0};  ///< [1]
};

}  // namespace cairn
