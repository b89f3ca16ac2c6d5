#pragma once
// Readings of sensors of a World, as arrays by world on its device. docs/sensors.md has examples.

#include <memory>
#include <string_view>
#include <vector>

#include "cairn/device_arrays.h"
#include "cairn/sensor_set.h"
#include "cairn/world.h"

namespace cairn {

/// Sensors in all worlds of a World. They only read: no bit of the simulation depends on them, and scenes, snapshots
/// and recordings don't have them. They hold memory of the World, and must not outlive it. Not safe for several threads
/// at a time.
///
/// | array | shape | unit | meaning |
/// |---|---|---|---|
/// | `frame_pose` | worlds, frames, 7 | m, 1 | x, y, z, then quaternion x, y, z, w: site to reference |
/// | `frame_velocity` | worlds, frames, 6 | m/s, rad/s | of the site's origin, then angular |
/// | `imu` | worlds, imus, 6 | m/s^2, rad/s | specific force, then angular velocity, in the site's axes |
/// | `contact_force` | worlds, contacts, 3 | N | on the body, world axes, mean of the last step |
/// | `joint_wrench` | worlds, joints, 6 | N, N m | force, then torque on the link, about the joint, in its axes |
/// | `scan0_distance`, ... | worlds, rays | m | the range if nothing is hit |
/// | `scan0_body`, ... | worlds, rays | 1 | uint32, index of the body hit; all bits set: nothing |
/// | `camera0_depth`, ... | worlds, height, width | m | along the camera's axis; the range if nothing is hit |
/// | `camera0_body`, ... | worlds, height, width | 1 | uint32, as for a scan: a segmentation |
///
/// All are float32 unless noted, without gaps, and exist only if the set has such sensors. Their addresses stay as long
/// as the Sensors live. Before the first update all are 0. In a world without a sensor's body, or whose body was
/// removed, readings are NaN; a new body with its index takes over its sensors.
class Sensors {
 public:
  /// Throws InvalidArgument, naming the sensor by its list and number, for a number out of its range and for a body or
  /// joint that no world has; CapacityError if memory runs out.
  Sensors(const World& world, const SensorSet& set);
  ~Sensors();
  Sensors(Sensors&&) noexcept;
  Sensors& operator=(Sensors&&) noexcept;

  const SensorSet& description() const;

  /// Reads all sensors at the present states. An IMU reads the mean since the last update, so call it after each step.
  /// Enqueued, like a step, and can be captured in a graph. Throws InvalidArgument if the World now has another number
  /// of worlds (World::restore).
  void update();

  /// The arrays, and one by name. Throws InvalidArgument if there is none of the name.
  std::vector<NamedArray> list() const;
  ArrayView get(std::string_view name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
