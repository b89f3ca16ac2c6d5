// Loads of joints: what they read, how far they give way, and when they break.

#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

class Chain : public testing::TestWithParam<SolverKind> {};

TEST_P(Chain, reads_the_weight_that_hangs_on_each_joint) {
  World world(chain(5, 0.2f, 3, params_of(GetParam(), 12), BallJoint{}));
  run(world, 10);
  const std::vector<JointHandle> joints = world.joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double weight = kG * (static_cast<double>(joints.size() - i) - 1 + 3);
    EXPECT_NEAR(world.state(joints[i]).force.z, weight, 1e-3 * weight) << i;
  }
}

TEST_P(Chain, of_five_gives_way_by_the_solver_s_compliance) {
  for (const int substeps : {1, 3, 12}) {
    World world(chain(5, 0.2f, 1, params_of(GetParam(), substeps), FixedJoint{}));
    run(world, 10);
    double above = 0;
    const std::vector<BodyHandle> bodies = world.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double z = world.state(bodies[i]).position.z;
      const double gap = above - 0.1 - z, load = kG * static_cast<double>(bodies.size() - i);
      // inverse mass along the pull: of one body at the top, of two below
      EXPECT_LE(std::abs(gap), give_of(load, i == 0 ? 1 : 2, world)) << i << ", " << substeps << " substeps";
      above = z - 0.1;
    }
  }
}

TEST_P(Chain, of_a_hundred_links_carries_a_hundred_times_their_mass) {
  World world(chain(100, 0.2f, 100, params_of(GetParam(), 24), BallJoint{}));
  // it bounces on its own compliance at first, and with xpbd for long: the mean over the last seconds is its place
  run(world, 20);
  const double mean = mean_over(world, 300, [&] { return -world.state(world.bodies().back()).position.z; });
  EXPECT_LE(mean / (99.5 * 0.2) - 1, 5e-3);
}

TEST_P(Chain, breaks_at_the_force_that_was_set) {
  const Scene plain = chain(1, 0.2f, 2, params_of(GetParam(), 12), FixedJoint{});
  Joint joint = plain.joints()[0];
  joint.breaking_force = 50;
  Scene scene = scene_of({plain.bodies()[0]}, plain.params());
  scene.add_joint(joint);
  World world(scene);
  run(world, 2);
  double pull = 0;
  for (int i = 0; i < 10000 && !world.state(world.joints()[0]).broken; ++i) {
    pull += 0.01;
    world.add_force(world.bodies()[0], {0, 0, static_cast<float>(-pull)});
    world.step();
  }
  EXPECT_NEAR(pull + 2 * kG, 50, 0.5);
  const double z = world.state(world.bodies()[0]).position.z;
  run(world, 0.5);
  EXPECT_LT(world.state(world.bodies()[0]).position.z, z - 1);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Chain, testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
