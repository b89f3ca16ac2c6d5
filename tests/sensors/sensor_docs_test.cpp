// What docs/sensors.md shows compiles and runs.

#include "tests/sensors/sensed.h"

namespace {

TEST(Sensors, document_shows_what_works) {
  const cairn::Scene scene = cairn::sensors_test::standing_table();
#include "sensors.inc"
  EXPECT_EQ(imu.shape, (std::array<std::int64_t, 3>{16, 1, 6}));
  // the base stands 0.4 m above its soles and g pushes up
  const std::vector<float> specific_force = cairn::sensors_test::reading(sensors, "imu");
  EXPECT_NEAR(specific_force[6 * 15 + 2], 9.81, 0.01);
  EXPECT_NEAR(cairn::sensors_test::reading(sensors, "frame_pose")[2], 0.4, 0.01);
  for (const float height : cairn::sensors_test::reading(sensors, "scan0_distance")) EXPECT_NEAR(height, 0.4, 0.01);
}

}  // namespace
