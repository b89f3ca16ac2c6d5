#pragma once
// Joints as users describe them. Each holds two bodies, or a body and the world, by a frame on either; x is the axis of
// what has one. What it measures are the place and the turn of frame b in frame a.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "cairn/types.h"

namespace cairn {

/// In the place of a body: the world, whose frame has its origin and axes.
inline constexpr std::uint32_t kWorldBody = 0xffffffffu;

/// Where a joint sits on a body, in the body's own frame.
struct JointFrame {
  Vec3d position;    ///< [m] |x| at most 1e7
  Quat orientation;  ///< [1] joint to body, unit (made unit; a zero quaternion is refused)
  friend bool operator==(const JointFrame&, const JointFrame&) = default;
};

/// What a joint may measure. Twist is about x; a swing is the turn of the x axis about y or z.
enum class JointDof : std::uint8_t { kShiftX, kShiftY, kShiftZ, kTwist, kSwingY, kSwingZ };
inline constexpr std::size_t kJointDofs = 6;

/// force = stiffness (target - c) + damping (rate - dc/dt) + force, within most_force; solved implicitly, so that no
/// gain is too high. A torque where c is an angle.
struct JointDrive {
  float stiffness{0};   ///< [N/m, N m/rad]     kp, at least 0
  float damping{0};     ///< [N s/m, N m s/rad] kd, at least 0; infinite: a motor that keeps its rate
  float target{0};      ///< [m, rad]           at the step's end
  float rate{0};        ///< [m/s, rad/s]
  float force{0};       ///< [N, N m]
  float most_force{0};  ///< [N, N m]           at least 0; 0: there is no drive; infinite: unbounded
  friend bool operator==(const JointDrive&, const JointDrive&) = default;
};

/// One of the six things that a joint measures.
struct JointAxis {
  enum class Mode : std::uint8_t { kFree, kLocked, kLimited };
  Mode mode{Mode::kFree};
  float lower{0},
      upper{0};  ///< [m, rad] where limited, lower <= upper; twists and turns may pass a turn, swings not pi
  float compliance{0};       ///< [m/N, rad/(N m)]   of the lock or the bounds; 0: as stiff as the solver can
  float damping{0};          ///< [N s/m, N m s/rad] of the lock or the bounds, where compliance isn't 0
  float friction{0};         ///< [N, N m]           at most; where not locked
  JointDrive drive;          ///< where not locked
  static JointAxis locked(float compliance = 0, float damping = 0) {
    return {.mode = Mode::kLocked, .compliance = compliance, .damping = damping};
  }
  static JointAxis limited(float lower, float upper) {
    return {.mode = Mode::kLimited, .lower = lower, .upper = upper};
  }
  friend bool operator==(const JointAxis&, const JointAxis&) = default;
};

/// Nothing moves (weld).
struct FixedJoint {
  friend bool operator==(const FixedJoint&, const FixedJoint&) = default;
};
/// The anchors stay together.
struct BallJoint {
  float cone{std::numeric_limits<float>::infinity()};  ///< [rad] most angle between the x axes, 0..pi; infinite: free
  JointAxis twist;                                     ///< about x
  friend bool operator==(const BallJoint&, const BallJoint&) = default;
};
/// Turns about x (revolute).
struct HingeJoint {
  JointAxis turn;
  friend bool operator==(const HingeJoint&, const HingeJoint&) = default;
};
/// Shifts along x (prismatic).
struct SliderJoint {
  JointAxis shift;
  friend bool operator==(const SliderJoint&, const SliderJoint&) = default;
};
/// Turns about x, and with each turn shifts by `pitch` along it.
struct ScrewJoint {
  float pitch{0.01f};  ///< [m] not 0; over 0 for a right-hand thread
  JointAxis turn;
  friend bool operator==(const ScrewJoint&, const ScrewJoint&) = default;
};
/// Shifts along x and turns about it.
struct CylindricalJoint {
  JointAxis shift, turn;
  friend bool operator==(const CylindricalJoint&, const CylindricalJoint&) = default;
};
/// Shifts in y and z, and turns about x.
struct PlanarJoint {
  JointAxis shift_y, shift_z, turn;
  friend bool operator==(const PlanarJoint&, const PlanarJoint&) = default;
};
/// Turns about x of frame a and about y of frame b, which stay square (Cardan). They are kTwist and kSwingY.
struct UniversalJoint {
  JointAxis turn_a, turn_b;
  friend bool operator==(const UniversalJoint&, const UniversalJoint&) = default;
};
/// A wheel b on a chassis a: x of frame a is the suspension, along which it moves and about which it steers (kTwist); y
/// of frame b is the axle (kSwingY).
struct WheelJoint {
  JointAxis suspension, steering{.mode = JointAxis::Mode::kLocked}, axle;
  friend bool operator==(const WheelJoint&, const WheelJoint&) = default;
};
/// Each of the six free, limited or locked. Two free swings and a twist make a ball; a joint with one swing locked and
/// the other beyond a quarter turn is singular.
struct GeneralJoint {
  std::array<JointAxis, kJointDofs> axes;  ///< by JointDof
  friend bool operator==(const GeneralJoint&, const GeneralJoint&) = default;
};
/// The anchors stay `shortest` to `longest` apart: a rod where these are equal, a rope where `shortest` is 0; with a
/// compliance a spring.
struct DistanceJoint {
  float shortest{1}, longest{1};  ///< [m] 0 <= shortest <= longest, longest over 0
  float compliance{0};            ///< [m/N]
  float damping{0};               ///< [N s/m]
  friend bool operator==(const DistanceJoint&, const DistanceJoint&) = default;
};
/// A rope from a over two points of the world to b: |a - ground_a| + ratio |b - ground_b| is `shortest` to `longest`.
struct PulleyJoint {
  Vec3d ground_a, ground_b;  ///< [m] in the world
  float ratio{1};            ///< [1] over 0
  float shortest{0}, longest{1};  ///< [m]
  friend bool operator==(const PulleyJoint&, const PulleyJoint&) = default;
};
/// Couples two joints that turn or shift along their x: ratio_a c_a + ratio_b c_b = offset. Two hinges are gears, with
/// ratios like their radii (of one sign for wheels that touch outside); a hinge and a slider are rack and pinion, with
/// the pinion's radius and -1. Acts on the second body of each, which must be two, not the world; what carries them
/// feels nothing of it. Lets go where one of the two breaks. `body_a` and `body_b` of the Joint stay kWorldBody, and
/// its frames are not used.
struct GearJoint {
  std::uint32_t joint_a{0}, joint_b{0};  ///< indices of Scene::joints()
  float ratio_a{1}, ratio_b{1};          ///< [1, m] not 0
  float offset{0};                       ///< [rad, m]
  friend bool operator==(const GearJoint&, const GearJoint&) = default;
};

using JointKind =
    std::variant<FixedJoint, BallJoint, HingeJoint, SliderJoint, ScrewJoint, CylindricalJoint, PlanarJoint,
                 UniversalJoint, WheelJoint, GeneralJoint, DistanceJoint, PulleyJoint, GearJoint>;

struct Joint {
  std::string name;  ///< unique, not empty
  std::uint32_t body_a{kWorldBody},
      body_b{kWorldBody};  ///< indices of Scene::bodies(), different, one may be the world
  JointFrame frame_a, frame_b;
  JointKind kind{FixedJoint{}};
  bool collide{false};  ///< the two bodies may touch
  float breaking_force{std::numeric_limits<float>::infinity()};   ///< [N]   over 0; mean over a step
  float breaking_torque{std::numeric_limits<float>::infinity()};  ///< [N m] likewise, about the anchor on b
  friend bool operator==(const Joint&, const Joint&) = default;
};

/// A joint of a World. Zero is null; like BodyHandle. It goes stale with either of its bodies, too.
struct JointHandle {
  std::uint32_t index{0};  ///< [1] slot + 1
  std::uint32_t generation{0};
  friend bool operator==(const JointHandle&, const JointHandle&) = default;
  explicit operator bool() const { return index != 0; }
};

/// Where a joint sits on one of its bodies now.
struct JointAnchor {
  BodyHandle body;   ///< null: the world
  Vec3d position;    ///< [m] world
  Quat orientation;  ///< [1] joint to world
};

/// What the last step made of a joint.
struct JointState {
  std::array<double, kJointDofs> coordinates{};  ///< [m, rad] as of the last substep's start; 0 before the first step
  Vec3 force;          ///< [N]   on b, mean over the step, world
  Vec3 torque;         ///< [N m] likewise, about the anchor on b
  bool broken{false};  ///< holds nothing any more
  friend bool operator==(const JointState&, const JointState&) = default;
};

}  // namespace cairn
