#pragma once
// Rules of sensors, and their preparation for readings.

#include <vector>

#include "cairn/sensor_set.h"
#include "kernels/sensors/scan.h"

namespace cairn::rules {

/// Throws InvalidArgument, naming the sensor by its list and number, for numbers out of their ranges. Doesn't check
/// bodies.
void check_sensors(const SensorSet& set);

/// Rays of a scan, and of a camera from the upper left, row by row.
std::vector<kernels::SensorRay> rays_of(const RayScan& scan);
std::vector<kernels::SensorRay> rays_of(const CameraSensor& camera);

}  // namespace cairn::rules
