// Joints in snapshots, recordings and scaled worlds.

#include <algorithm>

#include <gtest/gtest.h>

#include "cairn/recording.h"
#include "cairn/snapshot.h"
#include "tests/joints/scenes.h"

namespace cairn::joints_test {
namespace {

/// A chain with a drive, a spring, a gear and a joint that breaks in the first steps, above a box that it swings into.
Scene machine(SolverKind solver) {
  Scene scene =
      chain(4, 0.2f, 3, params_of(solver, 6), HingeJoint{{.drive = {.damping = 1, .rate = 3, .max_force = 5}}});
  scene.add_body(block("spring", {1, 0, 0}, {0.1f, 0.1f, 0.1f}, 1));
  scene.add_joint(
      {.name = "spring", .body_b = 4, .frame_a = {{1, 0, 0.5}, {}}, .kind = DistanceJoint{0.3f, 0.3f, 0.01f, 1}});
  scene.add_body(block("falls", {2, 0, 0}, {0.1f, 0.1f, 0.1f}, 5));
  scene.add_joint(
      {.name = "weak", .body_b = 5, .frame_a = {{2, 0, 0}, {}}, .kind = FixedJoint{}, .breaking_force = 20});
  scene.add_joint({.name = "gear", .kind = GearJoint{.joint_a = 0, .joint_b = 2, .ratio_a = 1, .ratio_b = 2}});
  scene.add_body(block("in the way", {0.3, 0, -0.8}, {0.1f, 0.1f, 0.1f}, 1));
  return scene;
}

void expect_same_joints(const World& a, const World& b, std::uint32_t in_a = 0, std::uint32_t in_b = 0) {
  const std::vector<JointHandle> of_a = a.joints(in_a), of_b = b.joints(in_b);
  ASSERT_EQ(of_a.size(), of_b.size());
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    EXPECT_EQ(a.description(of_a[i]), b.description(of_b[i]));
    EXPECT_EQ(a.state(of_a[i]), b.state(of_b[i])) << a.description(of_a[i]).name;
  }
}

class JointsKept : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, JointsKept,
                         testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse),
                         [](const auto& param) { return "solver_" + std::to_string(static_cast<int>(param.param)); });

TEST_P(JointsKept, a_world_goes_on_from_its_snapshot_with_the_same_bits) {
  World world(machine(GetParam()), {.device = Device::cpu(2)});
  // a slot that is free, and one that was used twice
  world.remove_joint(world.joints()[1]);
  world.add_joint({.name = "again",
                   .body_a = 0,
                   .body_b = 1,
                   .frame_a = {{0, 0, -0.1}, {}},
                   .frame_b = {{0, 0, 0.1}, {}},
                   .kind = BallJoint{}});
  const JointHandle gone = world.joints()[3];
  world.remove_joint(gone);
  run(world, 0.5);
  ASSERT_TRUE(std::ranges::any_of(world.joints(), [&](JointHandle j) { return world.state(j).broken; }));
  const Snapshot taken = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  const std::vector<JointHandle> handles = world.joints();
  World other(taken, {.device = Device::cpu(1)});
  EXPECT_EQ(other.joints(), handles);
  EXPECT_FALSE(other.alive(gone));
  expect_same_joints(world, other);
  run(world, 1);
  run(other, 1);
  EXPECT_EQ(world.state_hash(), other.state_hash());
  expect_same_joints(world, other);
  // back, over joints that came and went since
  world.remove_joint(handles[0]);
  world.add_joint({.name = "new", .body_b = 4, .kind = BallJoint{}});
  world.restore(taken);
  EXPECT_EQ(world.joints(), handles);
  run(world, 1);
  EXPECT_EQ(world.state_hash(), other.state_hash());
}

TEST_P(JointsKept, a_world_of_a_batch_goes_on_as_one_alone) {
  World alone(machine(GetParam()), {.device = Device::cpu(1)});
  run(alone, 0.5);
  const Snapshot taken = alone.snapshot();
  World batch = World::copies(machine(GetParam()), 3, {.device = Device::cpu(2)});
  // the worlds don't have the same slots
  batch.add_joint({.name = "more", .body_b = 4, .kind = BallJoint{}}, 1);
  batch.restore(taken, 0, 1);
  EXPECT_EQ(batch.joints(1).size(), alone.joints().size());
  World copies = World::copies(taken, 3, {.device = Device::cpu(2)});
  run(alone, 1);
  run(batch, 1);
  run(copies, 1);
  EXPECT_EQ(batch.state_hashes()[1], alone.state_hashes()[0]);
  EXPECT_EQ(copies.state_hashes()[2], alone.state_hashes()[0]);
  expect_same_joints(alone, batch, 0, 1);
  World part(batch.snapshot(1));
  run(part, 0.5);
  run(batch, 0.5);
  EXPECT_EQ(part.state_hash(), batch.state_hashes()[1]);
}

TEST(JointsRecorded, what_joints_a_world_got_lost_and_drove_is_made_again) {
  World world(machine(SolverKind::kSoftStep), {.device = Device::cpu(2), .trace = true});
  run(world, 0.2);
  world.start_recording();
  const JointHandle added = world.add_joint({.name = "rope", .body_a = 3, .body_b = 4, .kind = DistanceJoint{0, 0.5f}});
  run(world, 0.2);
  world.set_drive(world.joints()[0], {.stiffness = 30, .damping = 2, .target = 0.5f, .max_force = 50});
  world.set_drive(world.joints()[1], JointDof::kTwist, {});
  run(world, 0.2);
  world.remove_joint(added);
  run(world, 0.2);
  const Recording made = Recording::from_bytes(world.stop_recording().to_bytes(), "here");
  const Replay again = replay(made, {.device = Device::cpu(1)});
  EXPECT_FALSE(again.difference.has_value());
}

TEST(JointsScaled, anchors_grow_with_their_bodies) {
  // a pendulum of twice the size hangs twice as deep, in a world that was made small and in one that is scaled
  for (const bool by_world : {false, true}) {
    World world(chain(1, 0.2f, 1, params_of(SolverKind::kSoftStep, 6), BallJoint{}));
    const JointHandle joint = world.joints()[0];
    if (by_world) {
      world.set_scales(Scales{.size = 2, .mass = 0.5f}, 0);
    } else {
      world.set_scales(BodyScales{.size = 2, .mass = 0.5f}, world.bodies()[0]);
    }
    // where it hangs then
    BodyState state = world.state(world.bodies()[0]);
    state.position = {0, 0, -0.2};
    world.set_state(world.bodies()[0], state);
    run(world, 5);
    EXPECT_NEAR(world.state(world.bodies()[0]).position.z, -0.2, 1e-4);
    // a mass of 1 kg scaled by 0.5 at 8 times the volume
    EXPECT_NEAR(world.state(joint).force.z, 4 * kG, 0.001 * 4 * kG);
    World other(world.snapshot());
    run(other, 0.5);
    run(world, 0.5);
    EXPECT_EQ(other.state_hash(), world.state_hash());
    // a joint that comes later sits on the larger body
    world.remove_joint(joint);
    world.add_joint({.name = "later", .body_b = 0, .frame_b = {{0, 0, 0.1}, {}}, .kind = BallJoint{}});
    run(world, 2);
    EXPECT_NEAR(world.state(world.bodies()[0]).position.z, -0.2, 1e-4);
  }
}

TEST(JointsKeptFiles, of_joints_that_cant_be_are_refused) {
  World world(machine(SolverKind::kSoftStep));
  run(world, 0.1);
  const std::string whole = world.snapshot().to_bytes();
  for (std::size_t cut = 1; cut < whole.size(); cut += whole.size() / 40)
    EXPECT_THROW(Snapshot::from_bytes(whole.substr(0, cut), "cut"), SnapshotError);
}

}  // namespace
}  // namespace cairn::joints_test
