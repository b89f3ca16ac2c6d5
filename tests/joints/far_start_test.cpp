// Joints whose frames start at random turns to each other, many of them more than a right angle apart.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/world.h"
#include "tests/joints/joint_scenes.h"
#include "tests/mixed/dice.h"

namespace cairn::joints_test {
namespace {

struct FarKind {
  const char* name;
  JointKind kind;
  std::array<bool, kJointDofs> locked;
  bool stays;  ///< nothing is left to spin about, wherever the joint sits
};
const std::vector<FarKind> kFarKinds = {{"fixed", FixedJoint{}, {true, true, true, true, true, true}, true},
                                        {"slider", SliderJoint{}, {false, true, true, true, true, true}, true},
                                        {"parallel", ParallelJoint{}, {false, false, false, false, true, true}, true},
                                        {"hinge", HingeJoint{}, {true, true, true, false, true, true}, false}};

Quat any_turn(mixed::Dice& dice) {
  return {dice.number(-1, 1), dice.number(-1, 1), dice.number(-1, 1), dice.number(0.1, 1)};
}

/// Two blocks, one after the other, of which the second may turn. In one of eight the x axes of the joint are
/// opposite.
Scene far_apart(std::uint64_t seed, const FarKind& kind, const StepParams& params) {
  mixed::Dice dice(seed);
  Scene scene;
  scene.set_params(params);
  scene.set_gravity({0, 0, 0});
  Body a = block("a", {-0.2, 0, 0}, {0.1f, 0.06f, 0.04f}, 2), b = block("b", {0.2, 0, 0}, {0.05f, 0.06f, 0.08f}, 1);
  const bool opposite = seed % 8 == 0;
  if (!opposite) {
    a.orientation = any_turn(dice);
    b.orientation = any_turn(dice);
  }
  if (!opposite && dice.chance(0.5)) b.angular_velocity = dice.vector(3);
  scene.add_body(a);
  scene.add_body(b);
  Joint joint{.name = "joint", .body_a = 0, .body_b = 1, .kind = kind.kind};
  joint.frame_a.position = {0.2, 0, 0};
  joint.frame_b.position = {-0.2, 0, 0};
  if (kind.stays) {
    joint.frame_a.orientation = any_turn(dice);
    joint.frame_b.orientation = any_turn(dice);
  }
  // half a turn about y
  const Quat q = joint.frame_a.orientation;
  if (opposite) joint.frame_b.orientation = {-q.z, q.w, q.x, -q.y};
  scene.add_joint(joint);
  return scene;
}

class FarStart : public testing::TestWithParam<std::tuple<SolverKind, int>> {};
INSTANTIATE_TEST_SUITE_P(Solvers, FarStart,
                         testing::Combine(testing::Values(SolverKind::kSoftStep, SolverKind::kSequentialImpulse,
                                                          SolverKind::kXpbd),
                                          testing::Values(4, 12)),
                         [](const auto& param) {
                           return "solver_" + std::to_string(static_cast<int>(std::get<0>(param.param))) + "_by_" +
                                  std::to_string(std::get<1>(param.param));
                         });

// with shadows' angles, whose gradients are alike at a right angle, welds of sequential impulses stayed apart in 45 of
// 200 cases, and worlds of soft_step froze in 5 of 2,400; hinges went round at up to 858 rad/s
TEST_P(FarStart, comes_together_within_a_second) {
  const auto [solver, substeps] = GetParam();
  for (const FarKind& kind : kFarKinds) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      World world(far_apart(seed, kind, params_of(solver, substeps)), WorldOptions{.device = Device::cpu(1)});
      run(world, 1.0);
      ASSERT_EQ(world.report().status, 0u) << kind.name << ", seed " << seed;
      const JointState state = world.state(world.joints()[0]);
      for (std::size_t i = 0; i < kJointDofs; ++i) {
        if (kind.locked[i]) {
          EXPECT_LT(std::abs(state.coordinates[i]), 0.01)
              << kind.name << ", seed " << seed << ", " << kJointDofNames[i];
        }
      }
      const double spin = length_of(world.state(world.bodies()[1]).angular_velocity);
      EXPECT_LT(spin, kind.stays ? 10 : 40) << kind.name << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace cairn::joints_test
