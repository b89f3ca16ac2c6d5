// What joints of articulations bear, against closed forms.

#include "cairn/math.h"
#include "cairn/world_articulations.h"
#include "tests/articulations/robots.h"
#include "tests/sensors/sensed.h"
#include "tests/support/refusal.h"

namespace cairn::sensors_test {
namespace {

using namespace cairn::math;
using namespace articulations_test;
using testing_support::refusal_of;

/// A rod of 1 m on a hinge about y at its upper end, and another one below it.
Articulation rods(double upper, double lower, const ArticulationJoint& joint = {}) {
  Articulation made{.name = "rods"};
  made.links.push_back(on(block("upper", {0.05f, 0.05f, 0.5f}, upper), kWorldLink, {0, 0, 3}, {0, 0, 0.5}, kAlongY,
                          ArticulationJointKind::kRevolute));
  made.links.push_back(on(block("lower", {0.05f, 0.05f, 0.5f}, lower), 0, {0, 0, -0.5}, {0, 0, 0.5}, kAlongY,
                          ArticulationJointKind::kRevolute));
  for (ArticulationLink& link : made.links) {
    const ArticulationJointKind kind = link.joint.kind;
    link.joint = joint;
    link.joint.kind = kind;
  }
  return made;
}

// joints have x along y of the link, y against its x, and z along its z
Vec3d in_joint(Vec3d of_link) { return {of_link.y, -of_link.x, of_link.z}; }

TEST(JointSensor, of_what_hangs_at_rest_carries_its_weight) {
  Scene scene;
  scene.add_articulation(rods(2, 3));
  World world(scene, cpu());
  Sensors sensors(world, {.joints = {{0, 0}, {0, 1}}});
  for (int step = 0; step < 3; ++step) {
    sensors.update();
    const std::vector<float> wrench = reading(sensors, "joint_wrench");
    expect_near(vector_at(wrench, 0), {0, 0, 5 * kG}, 4 * kEpsilon * 5 * kG, "both");
    expect_near(vector_at(wrench, 3), {}, 1e-9, "without torque");
    expect_near(vector_at(wrench, 6), {0, 0, 3 * kG}, 4 * kEpsilon * 3 * kG, "the lower one");
    world.step();
  }
}

TEST(JointSensor, of_a_pendulum_pulls_it_round) {
  const double mass = 2, lower = 1e-6, r = 0.5;
  Scene scene;
  Articulation one = rods(mass, lower);
  one.links.pop_back();
  scene.add_articulation(one, {{0.7}, {1.5}});
  World world(scene, cpu());
  Sensors sensors(world, {.joints = {{0, 0}}});
  const ArticulationHandle rod = world.articulations().list()[0];
  for (const float dt : {1.0f / 60, 1.0f / 240}) {
    const double before = world.state(rod).v[0];
    world.step(dt);
    sensors.update();
    const ArticulationState now = world.state(rod);
    const double angle = now.q[0], w = now.v[0], alpha = (w - before) / double{dt};
    // in the link's axes the middle is at (0, 0, -r); it turns about y, and g points down
    const Vec3d arm{0, 0, -r}, spin{0, w, 0}, g{kG * std::sin(angle), 0, -kG * std::cos(angle)};
    const Vec3d a = cross(Vec3d{0, alpha, 0}, arm) + cross(spin, cross(spin, arm));
    const Vec3d force = mass * (a - g);
    const double inertia = mass * (1.0 / 3 * (0.05 * 0.05 + 0.5 * 0.5) + r * r);
    const Vec3d torque = Vec3d{0, inertia * alpha, 0} - mass * cross(arm, g);
    const std::vector<float> wrench = reading(sensors, "joint_wrench");
    const double tolerance = 64 * kEpsilon * mass * (kG + w * w * r);
    expect_near(vector_at(wrench, 0), in_joint(force), tolerance, "force");
    expect_near(vector_at(wrench, 3), in_joint(torque), tolerance, "torque");
    // a free hinge gives none: the mean acceleration is off by what gravity's torque changes in the step
    EXPECT_NEAR(torque.y, 0, mass * kG * r * std::abs(w) * double{dt});
    EXPECT_NEAR(force.z, mass * (w * w * r + kG * std::cos(angle)), 1e-9) << "towards the hinge";
  }
}

TEST(JointSensor, of_a_drive_that_holds_gives_what_gravity_takes) {
  // both held level: the upper one bears both
  Scene scene;
  const double level = std::acos(-1.0) / 2;
  const ArticulationState start{{level, 0}, {}};
  scene.add_articulation(rods(2, 1, {.drive_stiffness = 1e6, .drive_damping = 1e4}), start);
  World world(scene, cpu());
  Sensors sensors(world, {.joints = {{0, 0}, {0, 1}}});
  for (int step = 0; step < 240; ++step) world.step();
  sensors.update();
  const std::vector<float> wrench = reading(sensors, "joint_wrench");
  // stiff as they are they give by m g r / kp: rad of the whole
  const double bent = (2 * kG * 0.5 + kG * 1.5) / 1e6, tolerance = 3 * kG * (4 * bent + 1e-5);
  EXPECT_NEAR(length(vector_at(wrench, 0)), 3 * kG, tolerance);
  EXPECT_NEAR(std::abs(wrench[3]), 2 * kG * 0.5 + kG * 1.5, tolerance) << "about the hinge";
  EXPECT_NEAR(length(vector_at(wrench, 6)), kG, tolerance);
  EXPECT_NEAR(std::abs(wrench[9]), kG * 0.5, tolerance);
}

TEST(JointSensor, of_legs_gives_them_what_the_floor_lacks_of_their_weight) {
  Scene scene = scene_of({plane()});
  scene.add_articulation(table(10, 0.5, {.drive_stiffness = 2000, .drive_damping = 50}), standing(0));
  World world(scene, cpu());
  SensorSet set;
  for (std::uint32_t leg = 0; leg < 4; ++leg) {
    set.joints.push_back({0, 1 + leg});
    set.contacts.push_back({2 + leg});
    set.frames.push_back({{2 + leg}});
  }
  Sensors sensors(world, set);
  for (int step = 0; step < 240; ++step) world.step();
  sensors.update();
  const std::vector<float> wrench = reading(sensors, "joint_wrench"), contact = reading(sensors, "contact_force"),
                           pose = reading(sensors, "frame_pose");
  double carried = 0;
  for (std::size_t leg = 0; leg < 4; ++leg) {
    // from the joint's axes to the link's, then to the world
    const Vec3d f = vector_at(wrench, 6 * leg), of_link{-f.y, f.x, f.z};
    const float* const q = &pose[7 * leg + 3];
    const Vec3d force = rotate(QuatT<double>{q[0], q[1], q[2], q[3]}, of_link), floor = vector_at(contact, 3 * leg);
    // m a = joint + floor + m g, where a is next to nothing
    expect_near(force + floor, {0, 0, 0.5 * kG}, 1e-3 * 12 * kG);
    carried -= force.z;
  }
  EXPECT_NEAR(carried, 10 * kG, 1e-3 * 12 * kG) << "the base";
}

TEST(JointSensor, reads_the_same_bits_alone_and_in_a_batch) {
  const auto scene = [](int more) {
    Scene made = scene_of({plane()});
    made.add_articulation(table(10, 0.5, {.drive_stiffness = 200, .drive_damping = 5}), standing(0.1));
    for (int i = 0; i < more; ++i)
      made.add_articulation(snake("snake" + std::to_string(i), 6, 0.02, 1.5),
                            {{0, 0, 1 + 0.4 * i, 0, 0, 0, 1, 0, 0, 0, 0, 0}, {}});
    made.add_body(box("box", {0.1, 0, 1.3}));
    return made;
  };
  SensorSet set;
  for (std::uint32_t link = 1; link < 5; ++link) set.joints.push_back({0, link});
  set.joints.push_back({1, 2});
  const auto readings = [&](World& world, std::uint32_t in) {
    Sensors sensors(world, set);
    std::vector<std::vector<std::uint32_t>> all;
    for (int step = 0; step < 60; ++step) {
      world.step();
      sensors.update();
      if (step % 3 == 0) all.push_back(words_of(sensors, in));
    }
    return all;
  };
  World alone(scene(2), cpu(1)), threads(scene(2), cpu(3));
  const auto want = readings(alone, 0);
  EXPECT_EQ(readings(threads, 0), want);
  // the first world has no second articulation
  World batch(std::vector<Scene>{scene(0), scene(2), scene(1)}, cpu(2));
  EXPECT_EQ(readings(batch, 1), want);
  Sensors sensors(batch, set);
  sensors.update();
  EXPECT_TRUE(std::isnan(reading(sensors, "joint_wrench")[4 * 6]));
}

TEST(JointSensor, is_refused_by_name) {
  Scene scene;
  Articulation made = rods(1, 1);
  made.links[1].joint.kind = ArticulationJointKind::kFixed;
  scene.add_articulation(made);
  const World world(scene, cpu());
  const auto message = [&](const JointSensor& sensor) {
    return refusal_of([&] { Sensors sensors(world, {.joints = {{0, 0}, sensor}}); });
  };
  EXPECT_EQ(message({1, 0}), "Sensors: joints[1]: no world has an articulation 1");
  EXPECT_EQ(message({0, 2}), "Sensors: joints[1]: articulation 0 has no link 2 on a joint that moves");
  EXPECT_EQ(message({0, 1}), "Sensors: joints[1]: articulation 0 has no link 1 on a joint that moves") << "fixed";
}

}  // namespace
}  // namespace cairn::sensors_test
