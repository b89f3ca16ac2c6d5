// Forces of contacts by body.

#include "cairn/math.h"
#include "tests/sensors/sensed.h"

namespace cairn::sensors_test {
namespace {

using namespace cairn::math;

constexpr double kBox = 1000 * kG;  ///< [N] weight of a unit box

/// [N] What soft contacts at rest are off by after some seconds: a thousandth of what they bear.
double settled(double force) { return 1e-3 * force; }

TEST(ContactSensor, reads_the_weight_of_what_rests) {
  World world(tower(3), cpu());
  // by index: 0 the floor, then the boxes from below
  Sensors sensors(world, {.contacts = {{1}, {2}, {3}, {1, 0}, {1, 2}, {2, 1}, {0}, {1, 3}}});
  sensors.update();
  EXPECT_EQ(reading(sensors, "contact_force"), std::vector<float>(8 * 3, 0)) << "before the first step";
  step(world, sensors, 240);
  const std::vector<float> force = reading(sensors, "contact_force");
  const double tolerance = settled(3 * kBox);
  for (std::size_t i = 0; i < 3; ++i) expect_near(vector_at(force, 3 * i), {0, 0, kBox}, tolerance, "all contacts");
  expect_near(vector_at(force, 9), {0, 0, 3 * kBox}, tolerance, "with the floor");
  expect_near(vector_at(force, 12), {0, 0, -2 * kBox}, tolerance, "with the box above");
  EXPECT_EQ(vector_at(force, 15), -vector_at(force, 12)) << "the other way round, bit for bit";
  EXPECT_EQ(vector_at(force, 18), -vector_at(force, 9)) << "on the floor";
  EXPECT_EQ(vector_at(force, 21), Vec3d{}) << "of bodies that don't touch";
  // the same again: sums start over
  sensors.update();
  EXPECT_EQ(reading(sensors, "contact_force"), force);
}

TEST(ContactSensor, reads_what_changes_the_momentum) {
  // a box that falls on a slope and slides: m dv = (contacts + m g) dt, friction included
  Scene scene = scene_of({plane("slope", {0.5f, 0, 0.8660254f}), box("box", {0.4, 0, 0.9})});
  World world(scene, cpu());
  Sensors sensors(world, {.contacts = {{1}}});
  const float dt = 1.0f / 120;
  double pushed = 0;
  for (int step = 0; step < 60; ++step) {
    const Vec3 before = world.state(world.bodies()[1]).linear_velocity;
    world.step(dt);
    sensors.update();
    const Vec3 after = world.state(world.bodies()[1]).linear_velocity;
    const Vec3d force = vector_at(reading(sensors, "contact_force"), 0),
                change{after.x - before.x, after.y - before.y, after.z - before.z};
    const Vec3d want = 1000.0 / double{dt} * change + Vec3d{0, 0, kBox};
    pushed = std::max(pushed, length(force));
    // a velocity of metres a second is rounded some times a step
    expect_near(force, want, 32 * kEpsilon * (1000 * 4 / double{dt} + length(force)));
  }
  EXPECT_GT(pushed, kBox) << "it did land";
}

TEST(ContactSensor, reads_links) {
  World world(standing_table(), cpu());
  SensorSet set;
  // the floor, then base and legs
  for (std::uint32_t i = 0; i < 6; ++i) set.contacts.push_back({i});
  Sensors sensors(world, set);
  step(world, sensors, 240);
  const std::vector<float> force = reading(sensors, "contact_force");
  EXPECT_EQ(vector_at(force, 3), Vec3d{}) << "the base touches nothing";
  Vec3d sum{};
  for (std::size_t leg = 2; leg < 6; ++leg) {
    EXPECT_GT(force[3 * leg + 2], 0);
    sum += vector_at(force, 3 * leg);
  }
  const double weight = 12 * kG;
  EXPECT_NEAR(sum.z, weight, settled(weight));
  EXPECT_NEAR(force[2], -weight, settled(weight));
}

TEST(ContactSensor, knows_what_sleeps_and_nothing_of_sensors) {
  Scene scene = tower(1, with_sleeping());
  Body ghost = box("ghost", {0, 0, 0.5}, BodyType::kStatic);
  ghost.shapes[0].sensor = true;
  scene.add_body(ghost);
  World world(scene, cpu());
  Sensors sensors(world, {.contacts = {{1}, {2}}});
  for (int step = 0; step < 300; ++step) world.step();
  ASSERT_TRUE(world.asleep(world.bodies()[1]));
  sensors.update();
  const std::vector<float> force = reading(sensors, "contact_force");
  EXPECT_NEAR(force[2], kBox, settled(kBox));
  EXPECT_EQ(vector_at(force, 3), Vec3d{});
  world.reset();
  sensors.update();
  EXPECT_EQ(reading(sensors, "contact_force"), std::vector<float>(6, 0)) << "a reset ends contacts";
}

}  // namespace
}  // namespace cairn::sensors_test
