// Virtual forces: what joints give by the transpose of the Jacobian bears what it was made for.

#include "tests/joints/joint_scenes.h"

namespace cairn::actuate_test {
namespace {

using joints_test::block;

/// An arm of five links from the world, with joints of several kinds about different axes.
Scene arm() {
  Scene scene = joints_test::afloat({}, joints_test::params_of(SolverKind::kSoftStep, 24));
  const std::vector<JointKind> kinds{HingeJoint{}, UniversalJoint{}, SliderJoint{}, BallJoint{}, HingeJoint{}};
  const float r = std::sqrt(0.5f);
  const std::vector<Quat> turns{{0, 0, r, r}, {}, {}, {0, r, 0, r}, {0, 0, r, r}};
  Vec3d tip{0, 0, 0};
  for (std::uint32_t i = 0; i < kinds.size(); ++i) {
    const Vec3d step = i % 2 == 0 ? Vec3d{0.3, 0, 0.1} : Vec3d{0.1, 0.2, 0.2};
    const Vec3d middle{tip.x + 0.5 * step.x, tip.y + 0.5 * step.y, tip.z + 0.5 * step.z};
    scene.add_body(block("link " + std::to_string(i), middle, {0.1f, 0.1f, 0.1f}, 1));
    Joint joint{
        .name = "joint " + std::to_string(i), .body_a = i == 0 ? kWorldBody : i - 1, .body_b = i, .kind = kinds[i]};
    const Vec3d before = i == 0 ? Vec3d{} : scene.bodies()[i - 1].position;
    joint.frame_a = {{tip.x - before.x, tip.y - before.y, tip.z - before.z}, turns[i]};
    joint.frame_b = {{tip.x - middle.x, tip.y - middle.y, tip.z - middle.z}, turns[i]};
    scene.add_joint(joint);
    tip = {tip.x + step.x, tip.y + step.y, tip.z + step.z};
  }
  return scene;
}

TEST(VirtualForce, holds_a_chain_against_the_force_that_it_was_made_of) {
  World world(arm());
  const std::vector<JointHandle> chain = world.joints();
  const BodyHandle last = world.bodies()[4];
  const Vec3 load{3, -2, -5};
  for (int i = 0; i < 30; ++i) {
    const Vec3d point = world.state(last).position;
    exert(world, virtual_force(world, chain, point, {-load.x, -load.y, -load.z}));
    world.add_force(last, load, point);
    world.step();
  }
  // unloaded the links stay; without the efforts the last one would move at 3 m/s
  EXPECT_LT(joints_test::fastest(world), 5e-3);
}

TEST(VirtualForce, works_at_the_joints_as_much_as_at_the_point) {
  World world(arm());
  const std::vector<JointHandle> chain = world.joints();
  // any motion that the joints allow, a little of it
  for (int i = 0; i < 5; ++i) world.add_torque(world.bodies()[static_cast<std::size_t>(i)], {0.3f, -0.2f * i, 0.4f});
  world.step();
  const Vec3 force{1, 2, -3};
  std::vector<JointState> before;
  for (const JointHandle joint : chain) before.push_back(world.state(joint));
  const Vec3d point = world.state(world.bodies()[4]).position;
  const std::vector<JointEffort> efforts = virtual_force(world, chain, point, force);
  world.step();
  const Vec3d then = world.state(world.bodies()[4]).position;
  double by_joints = 0;
  for (std::size_t j = 0; j < chain.size(); ++j) {
    const JointState now = world.state(chain[j]);
    for (std::size_t i = 0; i < kJointDofs; ++i)
      by_joints += efforts[j].effort[i] * (now.coordinates[i] - before[j].coordinates[i]);
  }
  const double at_point = force.x * (then.x - point.x) + force.y * (then.y - point.y) + force.z * (then.z - point.z);
  ASSERT_GT(std::abs(at_point), 1e-4);
  // a step's change of the axes, and coordinates that lag a substep
  EXPECT_NEAR(by_joints, at_point, 0.05 * std::abs(at_point) + 2e-4);
}

TEST(VirtualForce, is_refused_for_joints_without_axes) {
  Scene scene = arm();
  scene.add_joint({.name = "rod", .body_a = 0, .body_b = 4, .kind = DistanceJoint{0, 5}});
  World world(scene);
  const JointHandle rod = world.joints()[5];
  EXPECT_THROW(virtual_force(world, std::span(&rod, 1), {}, {1, 0, 0}), InvalidArgument);
}

}  // namespace
}  // namespace cairn::actuate_test
