// A kinematic mesh, or a body of sensors alone, has no ball in it that its turning would leave in place. The way that
// its outside turns came out far below 0: then nothing in any world of a batch was stopped.

#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace cairn::ccd_test {
namespace {

using namespace testing_support;

Scene scene_with(Body turning) {
  Scene scene;
  scene.set_gravity({0, 0, 0});
  turning.type = BodyType::kKinematic;
  turning.angular_velocity = {0, 0, 20};
  scene.add_body(turning);
  Body bullet = ball("bullet", {0.5, 0, 0.6}, 0.05f);
  bullet.linear_velocity = {0, 0, -100};
  scene.add_body(bullet);
  return scene;
}

Body disc_of_triangles() {
  const std::vector<Vec3> corners{{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  const std::vector<TriangleMesh::Triangle> triangles{{0, 1, 2}, {0, 2, 3}};
  return body("mesh", TriangleMesh(corners, triangles), {});
}

Body disc_of_heights() {
  Body made = body("field", HeightField(3, 3, 2, std::vector<float>(9, 0.0f)), {});
  made.shapes[0].position = {-2, -2, 0};
  return made;
}

TEST(TurningSurface, stops_what_flies_at_it) {
  for (const Body& surface : {disc_of_triangles(), disc_of_heights()}) {
    World world(scene_with(surface), cpu(1));
    world.step();
    // a step takes it 1.7 m
    EXPECT_GT(world.state(world.bodies()[1]).position.z, 0) << surface.name;
  }
}

TEST(TurningSurface, or_sensor_leaves_other_worlds_as_they_are) {
  Body still = box("wall", {0, 0, 0}), sensor = box("sensor", {0, 0, 9});
  sensor.shapes[0].sensor = true;
  Scene shot = scene_with(still);
  for (const Body& neighbour : {sensor, disc_of_triangles(), disc_of_heights()}) {
    const std::vector<Scene> scenes{scene_with(neighbour), shot};
    World both(scenes, cpu(1)), alone(shot, cpu(1));
    both.step();
    alone.step();
    EXPECT_EQ(both.state_hashes()[1], alone.state_hashes()[0]) << neighbour.name;
    EXPECT_GT(both.state(both.bodies(1)[1]).position.z, 0.5) << neighbour.name;
  }
}

}  // namespace
}  // namespace cairn::ccd_test
