#pragma once
// Joints whose frames start at random turns to each other, many of them more than a right angle apart.

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/joint.h"
#include "cairn/scene.h"
#include "tests/joints/joint_scenes.h"
#include "tests/mixed/dice.h"

namespace cairn::joints_test {

struct FarKind {
  const char* name;
  JointKind kind;
  std::array<bool, kJointDofs> locked;
  bool stays;  ///< nothing is left to spin about, wherever the joint sits
};
inline const std::vector<FarKind> kFarKinds = {
    {"fixed", FixedJoint{}, {true, true, true, true, true, true}, true},
    {"slider", SliderJoint{}, {false, true, true, true, true, true}, true},
    {"parallel", ParallelJoint{}, {false, false, false, false, true, true}, true},
    {"hinge", HingeJoint{}, {true, true, true, false, true, true}, false}};

inline Quat any_turn(mixed::Dice& dice) {
  return {dice.number(-1, 1), dice.number(-1, 1), dice.number(-1, 1), dice.number(0.1, 1)};
}

/// Two blocks, one after the other, of which the second may turn. In one of eight the x axes of the joint are
/// opposite.
inline Scene far_apart(std::uint64_t seed, const FarKind& kind, const StepParams& params) {
  mixed::Dice dice(seed);
  Body a = block("a", {-0.2, 0, 0}, {0.1f, 0.06f, 0.04f}, 2), b = block("b", {0.2, 0, 0}, {0.05f, 0.06f, 0.08f}, 1);
  const bool opposite = seed % 8 == 0;
  if (!opposite) {
    a.orientation = any_turn(dice);
    b.orientation = any_turn(dice);
  }
  if (!opposite && dice.chance(0.5)) b.angular_velocity = dice.vector(3);
  Scene scene = afloat({a, b}, params);
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

}  // namespace cairn::joints_test
