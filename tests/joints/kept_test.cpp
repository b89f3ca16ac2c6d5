// Joints in snapshots, recordings and scaled worlds.

#include <algorithm>

#include <gtest/gtest.h>

#include "cairn/recording.h"
#include "cairn/snapshot.h"
#include "cairn/world_scales.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

TEST(JointsScaled, anchors_grow_with_their_bodies) {
  // a pendulum of twice the size hangs twice as deep, in a world that was made small and in one that is scaled
  for (const bool by_world : {false, true}) {
    World world(chain(1, 0.2f, 1, params_of(SolverKind::kSoftStep, 6), BallJoint{}));
    const JointHandle joint = world.joints()[0];
    if (by_world) {
      world.scales().set(Scales{.size = 2, .mass = 0.5f}, 0);
    } else {
      world.scales().set(BodyScales{.size = 2, .mass = 0.5f}, world.bodies()[0]);
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
  World world(chain(4, 0.2f, 3, params_of(SolverKind::kSoftStep, 6), HingeJoint{}));
  run(world, 0.1);
  const std::string whole = world.snapshot().to_bytes();
  for (std::size_t cut = 1; cut < whole.size(); cut += whole.size() / 40)
    EXPECT_THROW(Snapshot::from_bytes(whole.substr(0, cut), "cut"), SnapshotError);
}

}  // namespace
}  // namespace cairn::joints_test
