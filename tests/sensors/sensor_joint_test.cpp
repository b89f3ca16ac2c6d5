// What joints of articulations bear, against closed forms.

#include "cairn/math.h"
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
                          ArticulationJointKind::kRevolute, joint));
  made.links.push_back(on(block("lower", {0.05f, 0.05f, 0.5f}, lower), 0, {0, 0, -0.5}, {0, 0, 0.5}, kAlongY,
                          ArticulationJointKind::kRevolute, joint));
  return made;
}

// joints have x along y of the link, y against its x, and z along its z
Vec3d in_joint(Vec3d of_link) { return {of_link.y, -of_link.x, of_link.z}; }

TEST(JointSensor, of_what_hangs_at_rest_carries_its_weight) {
  World world(scene_with(rods(2, 3)), cpu());
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
  Articulation one = rods(mass, lower);
  one.links.pop_back();
  World world(scene_with(one, {{0.7}, {1.5}}), cpu());
  Sensors sensors(world, {.joints = {{0, 0}}});
  for (const float dt : {1.0f / 60, 1.0f / 240}) {
    const double before = state_of(world).v[0];
    world.step(dt);
    sensors.update();
    const ArticulationState now = state_of(world);
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
  const double level = std::acos(-1.0) / 2;
  World world(scene_with(rods(2, 1, {.drive_stiffness = 1e6, .drive_damping = 1e4}), {{level, 0}, {}}), cpu());
  Sensors sensors(world, {.joints = {{0, 0}, {0, 1}}});
  step(world, sensors, 240);
  const std::vector<float> wrench = reading(sensors, "joint_wrench");
  // stiff as they are they give by m g r / kp: rad of the whole
  const double bent = (2 * kG * 0.5 + kG * 1.5) / 1e6, tolerance = 3 * kG * (4 * bent + 1e-5);
  EXPECT_NEAR(length(vector_at(wrench, 0)), 3 * kG, tolerance);
  EXPECT_NEAR(std::abs(wrench[3]), 2 * kG * 0.5 + kG * 1.5, tolerance) << "about the hinge";
  EXPECT_NEAR(length(vector_at(wrench, 6)), kG, tolerance);
  EXPECT_NEAR(std::abs(wrench[9]), kG * 0.5, tolerance);
}

TEST(JointSensor, of_legs_gives_them_what_the_floor_lacks_of_their_weight) {
  World world(standing_table(), cpu());
  SensorSet set;
  for (std::uint32_t leg = 0; leg < 4; ++leg) {
    set.joints.push_back({0, 1 + leg});
    set.contacts.push_back({2 + leg});
    set.frames.push_back({{2 + leg}});
  }
  Sensors sensors(world, set);
  step(world, sensors, 240);
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

TEST(JointSensor, is_refused_by_name) {
  Articulation made = rods(1, 1);
  made.links[1].joint.kind = ArticulationJointKind::kFixed;
  const World world(scene_with(made), cpu());
  const auto message = [&](const JointSensor& sensor) {
    return refusal_of([&] { Sensors sensors(world, {.joints = {{0, 0}, sensor}}); });
  };
  EXPECT_EQ(message({1, 0}), "Sensors: joints[1]: no world has an articulation 1");
  EXPECT_EQ(message({0, 2}), "Sensors: joints[1]: articulation 0 has no link 2 on a joint that moves");
  EXPECT_EQ(message({0, 1}), "Sensors: joints[1]: articulation 0 has no link 1 on a joint that moves") << "fixed";
}

}  // namespace
}  // namespace cairn::sensors_test
