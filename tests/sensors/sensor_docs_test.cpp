// What docs/sensors.md shows compiles and runs.

#include "tests/articulations/robots.h"
#include "tests/sensors/sensed.h"

namespace {

using namespace cairn::testing_support;

TEST(Sensors, document_shows_what_works) {
  using namespace cairn::articulations_test;
  cairn::Scene scene = scene_of({plane()});
  scene.add_articulation(table(10, 0.5, {.drive_stiffness = 2000, .drive_damping = 50}), standing(0));
#include "sensors.inc"
  EXPECT_EQ(imu.shape, (std::array<std::int64_t, 3>{16, 1, 6}));
  // the base stands 0.4 m above its soles and g pushes up
  const std::vector<float> specific_force = cairn::sensors_test::reading(sensors, "imu");
  EXPECT_NEAR(specific_force[6 * 15 + 2], 9.81, 0.01);
  EXPECT_NEAR(cairn::sensors_test::reading(sensors, "frame_pose")[2], 0.4, 0.01);
  for (const float height : cairn::sensors_test::reading(sensors, "scan0_distance")) EXPECT_NEAR(height, 0.4, 0.01);
}

}  // namespace
