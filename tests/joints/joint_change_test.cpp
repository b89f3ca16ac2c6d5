// Joints whose description changes while their World lives.

#include "cairn/errors.h"
#include "tests/joints/joint_scenes.h"
#include "tests/support/refusal.h"

namespace cairn::joints_test {
namespace {

using testing_support::refusal_of;

/// A rod of 1 m that hangs from a hinge about y and is let go level.
Scene pendulum(const StepParams& params, const JointAxis& turn, double out = 0) {
  return hinged(block("rod", {0.5, 0, 0}, {0.5f, 0.02f, 0.02f}, 1), {-0.5 - out, 0, 0}, turn, params);
}

class ChangedJoint : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, ChangedJoint, testing::ValuesIn(kJointSolvers), name_of_solver);

TEST_P(ChangedJoint, before_the_first_step_is_as_if_it_had_been_added_so) {
  const StepParams params = params_of(GetParam(), 8);
  const JointAxis limited = JointAxis::limited(-1.2f, 0.3f);
  for (const int threads : {1, 2}) {
    const WorldOptions options{.device = Device::cpu(threads)};
    World wanted(pendulum(params, limited, 0.1), options), changed(pendulum(params, {}), options);
    const JointHandle hinge = changed.joints()[0];
    changed.set_joint(hinge, wanted.description(wanted.joints()[0]));
    EXPECT_EQ(changed.description(hinge), wanted.description(wanted.joints()[0]));
    run(wanted, 1);
    run(changed, 1);
    EXPECT_EQ(changed.state_hash(), wanted.state_hash());
    // which isn't what it would have done
    World left(pendulum(params, {}), options);
    run(left, 1);
    EXPECT_NE(left.state_hash(), wanted.state_hash());
  }
}

TEST_P(ChangedJoint, keeps_a_limit_that_it_was_given_on_the_way) {
  World world(pendulum(params_of(GetParam(), 8), {}), {.device = Device::cpu(1)});
  run(world, 0.1);
  const JointHandle hinge = world.joints()[0];
  Joint joint = world.description(hinge);
  std::get<HingeJoint>(joint.kind).turn = JointAxis::limited(-0.8f, 0.8f);
  world.set_joint(hinge, joint);
  const double most = largest_over(world, 240, [&] { return std::abs(world.state(hinge).coordinates[3]); });
  // it comes with at most sqrt(3 g sin 0.8) [rad/s], which a substep may take past the limit
  EXPECT_LT(most,
            0.8 + std::sqrt(3 * kG * std::sin(0.8)) / 60 / (GetParam() == SolverKind::kSequentialImpulse ? 1 : 8));
  EXPECT_GT(most, 0.75) << "it got there";
}

TEST(ChangedJoints, that_gears_follow_keep_the_axis) {
  Scene scene = wheels(2, SolverKind::kSoftStep);
  scene.set_gravity({0, 0, -9.81f});
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 1}});
  World world(scene, {.device = Device::cpu(1)});
  world.step();
  Joint hinge = world.description(world.joints()[0]);
  std::get<HingeJoint>(hinge.kind).turn = JointAxis::locked();
  EXPECT_THROW(world.set_joint(world.joints()[0], hinge), InvalidArgument);
  std::get<HingeJoint>(hinge.kind).turn = JointAxis::limited(-1, 1);
  world.set_joint(world.joints()[0], hinge);
  const Joint gear = world.description(world.joints()[2]);
  world.set_joint(world.joints()[2], gear);
  world.step();
  EXPECT_EQ(World(Snapshot::from_bytes(world.snapshot().to_bytes(), "bytes")).state_hash(), world.state_hash());
}

TEST(ChangedJoints, that_are_broken_stay_broken) {
  Scene scene = chain(2, 1, 100, {}, BallJoint{});
  World world(scene, {.device = Device::cpu(1)});
  const JointHandle at = world.joints()[1];
  Joint joint = world.description(at);
  joint.breaking_force = 10;
  world.set_joint(at, joint);
  run(world, 0.2);
  ASSERT_TRUE(world.state(at).broken);
  joint.breaking_force = 1e9f;
  world.set_joint(at, joint);
  run(world, 0.2);
  EXPECT_TRUE(world.state(at).broken);
}

TEST(ChangedJoints, keep_their_kind_bodies_and_names_or_are_refused) {
  Scene scene = chain(3, 1, 1, {}, BallJoint{});
  World world(scene, {.device = Device::cpu(1)});
  const JointHandle at = world.joints()[1];
  const Joint now = world.description(at);
  const auto refusal = [&](const auto& change) {
    Joint joint = now;
    change(joint);
    return refusal_of([&] { world.set_joint(at, joint); });
  };
  const std::uint64_t hash = world.state_hash();
  EXPECT_EQ(refusal([](Joint& j) { j.kind = HingeJoint{}; }), "set_joint: joint \"joint 1\": its kind must stay");
  EXPECT_EQ(refusal([](Joint& j) { j.body_a = 2; }), "set_joint: joint \"joint 1\": its bodies must stay");
  EXPECT_EQ(refusal([](Joint& j) { j.collide = true; }), "set_joint: joint \"joint 1\": its collide must stay");
  EXPECT_EQ(refusal([](Joint& j) { j.name = "joint 2"; }), "joint \"joint 2\": the name is taken");
  EXPECT_NE(refusal([](Joint& j) { j.breaking_force = -1; }), "");
  EXPECT_NE(refusal([](Joint& j) { j.frame_a.orientation = {0, 0, 0, 0}; }), "");
  EXPECT_EQ(world.description(at), now);
  EXPECT_EQ(world.state_hash(), hash);
  EXPECT_EQ(refusal([](Joint&) {}), "");
  world.remove_joint(at);
  EXPECT_NE(refusal([](Joint&) {}), "");
}

}  // namespace
}  // namespace cairn::joints_test
