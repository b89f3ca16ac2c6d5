#pragma once
// What sensors may be, and what is made of them before they are read.

#include <vector>

#include "cairn/sensor_set.h"
#include "kernels/sensors/scan.h"

namespace cairn::rules {

/// Throws InvalidArgument, naming the sensor by its list and number, for numbers out of their ranges. Of bodies it
/// knows nothing.
void check_sensors(const SensorSet& set);

/// A scan's rays, and a camera's from the upper left, row by row.
std::vector<kernels::SensorRay> rays_of(const RayScan& scan);
std::vector<kernels::SensorRay> rays_of(const CameraSensor& camera);

}  // namespace cairn::rules
