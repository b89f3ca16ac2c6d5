// Tracks, and what follows them.

#include "tests/joints/joint_scenes.h"
#include "tests/support/refusal.h"

namespace cairn::actuate_test {
namespace {

using joints_test::block;
using joints_test::kG;
using testing_support::refusal_of;

TEST(Track, passes_its_keys_and_stands_still_outside_of_them) {
  const std::vector<TrackKey> keys{{0, 1}, {1, 3}, {1.5, 3}, {4, -2}};
  for (const Interpolation kind : {Interpolation::kStep, Interpolation::kLinear, Interpolation::kSmooth}) {
    const Track track(keys, kind);
    for (const TrackKey& key : keys) EXPECT_NEAR(track.value(key.time), key.value, 1e-12);
    EXPECT_EQ(track.value(-5), 1);
    EXPECT_EQ(track.value(9), -2);
    EXPECT_EQ(track.rate(-5), 0);
    EXPECT_EQ(track.rate(9), 0);
  }
  EXPECT_DOUBLE_EQ(Track(keys, Interpolation::kLinear).value(0.25), 1.5);
  EXPECT_DOUBLE_EQ(Track(keys, Interpolation::kLinear).rate(0.25), 2);
  EXPECT_DOUBLE_EQ(Track(keys, Interpolation::kStep).value(0.99), 1);
}

TEST(Track, is_smooth_without_overshoot_and_its_rate_is_its_derivative) {
  const Track track({{0, 0}, {1, 0.1}, {1.2, 2}, {3, 2}, {4, 1.5}});
  for (double t = 0.01; t < 4; t += 0.013) {
    constexpr double kDelta = 1e-5;
    EXPECT_NEAR(track.rate(t), (track.value(t + kDelta) - track.value(t - kDelta)) / (2 * kDelta), 1e-3) << t;
    EXPECT_GE(track.value(t), -1e-12);
    EXPECT_LE(track.value(t), 2 + 1e-12);
    // between two keys it goes one way
    EXPECT_GE(track.rate(t) * (t < 3 ? 1 : -1), -1e-9) << t;
  }
}

TEST(Track, that_repeats_has_no_seam) {
  const Track track({{1, 0}, {2, 1}, {3, 0}}, Interpolation::kSmooth, true);
  EXPECT_NEAR(track.value(1.25), track.value(5.25), 1e-12);
  EXPECT_NEAR(track.value(-0.75), track.value(1.25), 1e-12);
  EXPECT_NEAR(track.rate(1 - 1e-7), track.rate(1 + 1e-7), 1e-5);
}

TEST(Track, that_cant_be_is_refused_by_its_key) {
  EXPECT_NE(refusal_of([] { Track({}); }).find("needs a key"), std::string::npos);
  EXPECT_NE(refusal_of([] { Track({{0, 0}, {0, 1}}); }).find("key 1"), std::string::npos);
  EXPECT_NE(refusal_of([] { Track({{0, NAN}}); }).find("key 0"), std::string::npos);
  EXPECT_NE(refusal_of([] { PoseTrack({{0, {}, {0, 0, 0, 0}}}); }).find("key 0"), std::string::npos);
}

Scene platform() {
  const Body plate = testing_support::body("plate", Box{{1, 1, 0.1f}}, {0, 0, -0.1}, BodyType::kKinematic);
  return joints_test::scene_of({plate, block("load", {0, 0, 0.2}, {0.2f, 0.2f, 0.2f}, 3)});
}

TEST(PoseTrack, takes_a_kinematic_body_along_and_what_stands_on_it) {
  const PoseTrack track({{0, {0, 0, -0.1}, {}},
                         {1, {0.3, 0.2, 0.1}, {0, 0, std::sin(0.3f), std::cos(0.3f)}},
                         {2, {0, -0.2, 0.3}, {0, 0, -std::sin(0.2f), std::cos(0.2f)}}});
  World world(platform());
  const float dt = world.params().dt;
  for (int i = 1; i <= 120; ++i) {
    const double t = i * static_cast<double>(dt);
    follow(world, world.bodies()[0], track, t, dt);
    world.step();
    const BodyState plate = world.state(world.bodies()[0]);
    const Pose wanted = track.pose(t);
    // floats of the velocity, over a step: 1e-7 of a metre a second
    ASSERT_NEAR(plate.position.x, wanted.position.x, 1e-6) << i;
    ASSERT_NEAR(plate.position.z, wanted.position.z, 1e-6) << i;
    ASSERT_NEAR(plate.orientation.z, wanted.orientation.z, 1e-6) << i;
  }
  const BodyState load = world.state(world.bodies()[1]);
  EXPECT_NEAR(load.position.z, 0.3 + 0.1 + 0.2, 2e-3);
  EXPECT_NEAR(load.position.y, -0.2, 0.02);
}

TEST(PoseTrack, lets_go_of_a_body_that_becomes_dynamic_with_the_velocity_that_it_had) {
  World world(platform());
  world.remove_body(world.bodies()[1]);
  const BodyHandle plate = world.bodies()[0];
  const float dt = world.params().dt;
  world.move_to(plate, {0.02, 0, -0.1}, {}, dt);
  world.step();
  world.set_type(plate, BodyType::kDynamic);
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_NEAR(world.state(plate).linear_velocity.x, 0.02 / static_cast<double>(dt), 1e-3);
  EXPECT_NEAR(world.state(plate).linear_velocity.z, -30 * kG * static_cast<double>(dt), 1e-2);
  EXPECT_THROW(world.move_to(plate, {}, {}, dt), InvalidArgument);
}

TEST(Follow, drives_a_hinge_along_a_track) {
  Scene scene = joints_test::afloat({block("arm", {0.5, 0, 0}, {0.5f, 0.05f, 0.05f}, 1)});
  Joint hinge{.name = "hinge",
              .body_b = 0,
              .kind = HingeJoint{{.drive = {.stiffness = 2e4f, .damping = 200, .max_force = 1e5f}}}};
  // x of the joint is up
  hinge.frame_a.orientation = {0, std::sqrt(0.5f), 0, std::sqrt(0.5f)};
  hinge.frame_b = {{-0.5, 0, 0}, hinge.frame_a.orientation};
  scene.add_joint(hinge);
  World world(scene);
  const Track track({{0, 0}, {0.5, 0.8}, {1.5, -0.6}, {2, 0}});
  const JointHandle joint = world.joints()[0];
  double worst = 0;
  for (int i = 1; i <= 120; ++i) {
    const double t = i * static_cast<double>(world.params().dt);
    follow(world, joint, JointDof::kTwist, track, t, world.params().dt);
    world.step();
    // it starts at rest, and the track doesn't
    if (i > 15) worst = std::max(worst, std::abs(world.state(joint).coordinates[3] - track.value(t)));
  }
  // I a / kp of the arm's 1/3 kg m^2 at the track's 13 rad/s^2, twice since its rate goes in jumps from step to step,
  // and half a step's change of it, a dt, which the damper takes for the spring's: kd / kp of that
  EXPECT_LT(worst, 2 * 13.0 / 3 / 2e4 + 0.01 * 13.0 / 60 / 2);
}

}  // namespace
}  // namespace cairn::actuate_test
