#pragma once
// Joints as users describe them. Each holds two bodies, or a body and the world, by a frame on each. A joint's axis is
// x. A joint measures position and orientation of frame b in frame a.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "cairn/attributes.h"
#include "cairn/types.h"

namespace cairn {

/// Stands for the world where a body is named; its frame has the world's origin and axes.
inline constexpr std::uint32_t kWorldBody = 0xffffffffu;

/// Place of a joint on a body, in the body's own frame.
struct JointFrame {
  Vec3d position;
  Quat orientation;
  friend bool operator==(const JointFrame&, const JointFrame&) = default;
};
template <Same<JointFrame> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::position>({.unit = "m", .range = kWorldPosition, .meaning = "in the body's frame", .sparse = true}),
    attribute<&S::orientation>({.meaning = "joint to body; made unit", .key = "orientation_xyzw", .sparse = true})};

/// Degrees of freedom that a joint may measure. Twist is about x; a swing is the turn of the x axis about y or z.
enum class JointDof : std::uint8_t { kShiftX, kShiftY, kShiftZ, kTwist, kSwingY, kSwingZ };
inline constexpr std::size_t kJointDofs = 6;
template <>
struct EnumWords<JointDof> : WordsUpTo<JointDof::kSwingZ> {};
inline constexpr std::array<std::string_view, kJointDofs> kJointDofNames = EnumWords<JointDof>::names;  ///< by JointDof

/// [1] With gains in these ranges, impulses and effective masses are normal floats.
inline constexpr AttributeRange kJointGain{.min = 0, .max = 1e12};
inline constexpr AttributeRange kJointGainOrInfinite{.min = 0, .max = 1e12, .infinite = "unbounded"};
inline constexpr AttributeRange kJointCompliance{.min = 1e-12f, .max = 1e12, .zero = "as stiff as the solver can"};

/// force = stiffness (target - c) + damping (rate - dc/dt) + force, within max_force. Solved implicitly, so that no
/// gain is too high. A torque where c is an angle.
struct JointDrive {
  float stiffness{0};
  float damping{0};
  float target{0};
  float rate{0};
  float force{0};
  float max_force{0};
  friend bool operator==(const JointDrive&, const JointDrive&) = default;
};
template <Same<JointDrive> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::stiffness>({.unit = "N/m, N m/rad", .range = kJointGain, .meaning = "kp", .sparse = true}),
    attribute<&S::damping>({.unit = "N s/m, N m s/rad",
                            .range = {.min = 0, .max = 1e12, .infinite = "a motor that keeps its rate"},
                            .meaning = "kd",
                            .sparse = true}),
    attribute<&S::target>(
        {.unit = "m, rad", .range = between(-1e6, 1e6), .meaning = "at the step's end", .sparse = true}),
    attribute<&S::rate>({.unit = "m/s, rad/s", .range = between(-1e6, 1e6), .sparse = true}),
    attribute<&S::force>({.unit = "N, N m", .range = between(-1e12, 1e12), .sparse = true}),
    attribute<&S::max_force>(
        {.unit = "N, N m", .range = kJointGainOrInfinite, .meaning = "0: there is no drive", .sparse = true})};

/// One of the six degrees of freedom of a joint.
struct JointAxis {
  enum class Mode : std::uint8_t { kFree, kLocked, kLimited };
  Mode mode{Mode::kFree};
  float lower{0}, upper{0};
  float compliance{0};
  float damping{0};
  float friction{0};
  JointDrive drive;
  static JointAxis locked(float compliance = 0, float damping = 0) {
    return {.mode = Mode::kLocked, .compliance = compliance, .damping = damping};
  }
  static JointAxis limited(float lower, float upper) {
    return {.mode = Mode::kLimited, .lower = lower, .upper = upper};
  }
  friend bool operator==(const JointAxis&, const JointAxis&) = default;
};
template <>
struct EnumWords<JointAxis::Mode> : WordsUpTo<JointAxis::Mode::kLimited> {};
template <Same<JointAxis> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::mode>({.meaning = "of a wheel's steering locked by default", .sparse = true}),
    attribute<&S::lower>({.unit = "m, rad",
                          .range = between(-1e6, 1e6),
                          .meaning = "where limited; may pass a turn, but of swings pi",
                          .sparse = true}),
    attribute<&S::upper>({.unit = "m, rad",
                          .range = between(-1e6, 1e6),
                          .meaning = "where limited, at least lower; may pass a turn, but of swings pi",
                          .sparse = true}),
    attribute<&S::compliance>(
        {.unit = "m/N, rad/(N m)", .range = kJointCompliance, .meaning = "of the lock or the bounds", .sparse = true}),
    attribute<&S::damping>({.unit = "N s/m, N m s/rad",
                            .range = kJointGain,
                            .meaning = "of the lock or the bounds, where compliance isn't 0",
                            .sparse = true}),
    attribute<&S::friction>(
        {.unit = "N, N m", .range = kJointGain, .meaning = "at most; where not locked", .sparse = true}),
    attribute<&S::drive>({.meaning = "where not locked", .sparse = true})};

/// An attribute for a joint's axis.
template <auto kMember>
constexpr Attribute<kMember> joint_axis(JointDof dof, const char* meaning = "") {
  return attribute<kMember>({.meaning = meaning, .sparse = true, .dof = static_cast<int>(dof)});
}

/// All six degrees of freedom are locked (weld).
struct FixedJoint {
  friend bool operator==(const FixedJoint&, const FixedJoint&) = default;
};
template <Same<FixedJoint> S>
inline constexpr TypedList<> kAttributes<S>{};

/// The anchors stay together. With a cone or swing friction, swing_y is the angle between the x axes.
struct BallJoint {
  float cone{std::numeric_limits<float>::infinity()};
  float swing_friction{0};
  JointAxis twist;
  friend bool operator==(const BallJoint&, const BallJoint&) = default;
};
template <Same<BallJoint> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::cone>({.unit = "rad",
                         .range = {.min = 0, .max = 3.1415927f, .infinite = "free"},
                         .meaning = "max angle between the x axes",
                         .sparse = true}),
    attribute<&S::swing_friction>({.unit = "N m",
                                   .range = kJointGain,
                                   .meaning = "at most, about each of the two axes of a swing",
                                   .sparse = true}),
    joint_axis<&S::twist>(JointDof::kTwist, "about x")};

/// Turns about x (revolute).
struct HingeJoint {
  JointAxis turn;
  friend bool operator==(const HingeJoint&, const HingeJoint&) = default;
};
template <Same<HingeJoint> S>
inline constexpr TypedList kAttributes<S>{joint_axis<&S::turn>(JointDof::kTwist, "about x")};

/// Shifts along x (prismatic).
struct SliderJoint {
  JointAxis shift;
  friend bool operator==(const SliderJoint&, const SliderJoint&) = default;
};
template <Same<SliderJoint> S>
inline constexpr TypedList kAttributes<S>{joint_axis<&S::shift>(JointDof::kShiftX, "along x")};

/// Turns about x, and shifts along x by `pitch` a turn.
struct ScrewJoint {
  float pitch{0.01f};
  JointAxis turn;
  friend bool operator==(const ScrewJoint&, const ScrewJoint&) = default;
};
template <Same<ScrewJoint> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::pitch>({.unit = "m",
                          .range = kLocalPosition,
                          .meaning = "of a turn, not 0; over 0 for a right-hand thread",
                          .sparse = true}),
    joint_axis<&S::turn>(JointDof::kTwist, "about x")};

/// Shifts along x and turns about it.
struct CylindricalJoint {
  JointAxis shift, turn;
  friend bool operator==(const CylindricalJoint&, const CylindricalJoint&) = default;
};
template <Same<CylindricalJoint> S>
inline constexpr TypedList kAttributes<S>{joint_axis<&S::shift>(JointDof::kShiftX, "along x"),
                                          joint_axis<&S::turn>(JointDof::kTwist, "about x")};

/// Shifts in y and z, and turns about x.
struct PlanarJoint {
  JointAxis shift_y, shift_z, turn;
  friend bool operator==(const PlanarJoint&, const PlanarJoint&) = default;
};
template <Same<PlanarJoint> S>
inline constexpr TypedList kAttributes<S>{joint_axis<&S::shift_y>(JointDof::kShiftY),
                                          joint_axis<&S::shift_z>(JointDof::kShiftZ),
                                          joint_axis<&S::turn>(JointDof::kTwist, "about x")};

/// Turns about x of frame a and about y of frame b, which stay at right angles (Cardan). They are kTwist and kSwingY.
struct UniversalJoint {
  JointAxis turn_a, turn_b;
  friend bool operator==(const UniversalJoint&, const UniversalJoint&) = default;
};
template <Same<UniversalJoint> S>
inline constexpr TypedList kAttributes<S>{joint_axis<&S::turn_a>(JointDof::kTwist, "about x of frame a"),
                                          joint_axis<&S::turn_b>(JointDof::kSwingY, "about y of frame b")};

/// A wheel b on a chassis a. x of frame a is the suspension: the wheel moves along it and steers about it (kTwist). y
/// of frame b is the axle (kSwingY).
struct WheelJoint {
  JointAxis suspension, steering{.mode = JointAxis::Mode::kLocked}, axle;
  friend bool operator==(const WheelJoint&, const WheelJoint&) = default;
};
template <Same<WheelJoint> S>
inline constexpr TypedList kAttributes<S>{
    joint_axis<&S::suspension>(JointDof::kShiftX, "along x of frame a"),
    joint_axis<&S::steering>(JointDof::kTwist, "about x of frame a; locked by default"),
    joint_axis<&S::axle>(JointDof::kSwingY, "about y of frame b")};

/// Each of the six degrees of freedom is free, limited or locked. Two free swings and a twist make a ball joint. A
/// joint with one swing locked is singular where the other is beyond a quarter turn.
struct GeneralJoint {
  std::array<JointAxis, kJointDofs> axes;  ///< by JointDof
  friend bool operator==(const GeneralJoint&, const GeneralJoint&) = default;
};
template <Same<GeneralJoint> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::axes>({.sparse = true, .elements = kJointDofNames.data()})};

/// The anchors stay `min_length` to `max_length` apart: a rod if these are equal, a rope if `min_length` is 0, a spring
/// with a compliance.
struct DistanceJoint {
  float min_length{1}, max_length{1};
  float compliance{0};
  float damping{0};
  friend bool operator==(const DistanceJoint&, const DistanceJoint&) = default;
};
template <Same<DistanceJoint> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::min_length>({.unit = "m", .range = between(0, 1e7), .meaning = "at most max_length", .sparse = true}),
    attribute<&S::max_length>({.unit = "m", .range = over(0, 1e7), .sparse = true}),
    attribute<&S::compliance>({.unit = "m/N", .range = kJointCompliance, .sparse = true}),
    attribute<&S::damping>(
        {.unit = "N s/m", .range = kJointGain, .meaning = "where compliance isn't 0", .sparse = true})};

/// A rope from a over two points of the world to b: |a - ground_a| + ratio |b - ground_b| is `min_length` to
/// `max_length`.
struct PulleyJoint {
  Vec3d ground_a, ground_b;
  float ratio{1};
  float min_length{0}, max_length{1};
  friend bool operator==(const PulleyJoint&, const PulleyJoint&) = default;
};
template <Same<PulleyJoint> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::ground_a>({.unit = "m", .range = kWorldPosition, .meaning = "in the world", .sparse = true}),
    attribute<&S::ground_b>({.unit = "m", .range = kWorldPosition, .meaning = "in the world", .sparse = true}),
    attribute<&S::ratio>({.range = between(1e-6, 1e6), .sparse = true}),
    attribute<&S::min_length>({.unit = "m", .range = between(0, 1e7), .meaning = "at most max_length", .sparse = true}),
    attribute<&S::max_length>({.unit = "m", .range = over(0, 1e7), .sparse = true})};

/// Couples two joints that turn or shift along their x: ratio_a c_a + ratio_b c_b = offset. Two hinges are gears, with
/// ratios like their radii (of one sign for wheels that touch outside); a hinge and a slider are rack and pinion, with
/// the pinion's radius and -1. Acts on the second body of each joint; these must be two bodies, not the world. The
/// first bodies take no reaction. Releases if one of the two joints breaks. `body_a` and `body_b` of the Joint stay
/// kWorldBody, and its frames are not used.
struct GearJoint {
  std::uint32_t joint_a{0}, joint_b{0};  ///< indices of Scene::joints()
  float ratio_a{1}, ratio_b{1};
  float offset{0};
  friend bool operator==(const GearJoint&, const GearJoint&) = default;
};
template <Same<GearJoint> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::joint_a>({.meaning = "a joint before this one", .required = true, .reference = true}),
    attribute<&S::joint_b>({.meaning = "another", .required = true, .reference = true}),
    attribute<&S::ratio_a>({.unit = "1, m", .range = between(-1e6, 1e6), .meaning = "not 0", .sparse = true}),
    attribute<&S::ratio_b>({.unit = "1, m", .range = between(-1e6, 1e6), .meaning = "not 0", .sparse = true}),
    attribute<&S::offset>({.unit = "rad, m", .range = between(-1e6, 1e6), .sparse = true})};

/// The x axes of both frames stay parallel, rigidly or by a spring: the body stands upright, moves anywhere and turns
/// about x.
struct ParallelJoint {
  JointAxis shift_x, shift_y, shift_z, turn;
  JointAxis tilt_y{.mode = JointAxis::Mode::kLocked}, tilt_z{.mode = JointAxis::Mode::kLocked};
  friend bool operator==(const ParallelJoint&, const ParallelJoint&) = default;
};
template <Same<ParallelJoint> S>
inline constexpr TypedList kAttributes<S>{joint_axis<&S::shift_x>(JointDof::kShiftX),
                                          joint_axis<&S::shift_y>(JointDof::kShiftY),
                                          joint_axis<&S::shift_z>(JointDof::kShiftZ),
                                          joint_axis<&S::turn>(JointDof::kTwist, "about x"),
                                          joint_axis<&S::tilt_y>(JointDof::kSwingY, "about y; locked by default"),
                                          joint_axis<&S::tilt_z>(JointDof::kSwingZ, "about z; locked by default")};

using JointKind =
    std::variant<FixedJoint, BallJoint, HingeJoint, SliderJoint, ScrewJoint, CylindricalJoint, PlanarJoint,
                 UniversalJoint, WheelJoint, GeneralJoint, DistanceJoint, PulleyJoint, GearJoint, ParallelJoint>;
template <>
struct VariantWords<JointKind> {
  static constexpr std::array<std::string_view, std::variant_size_v<JointKind>> all{
      "fixed",     "ball",  "hinge",   "slider",   "screw",  "cylindrical", "planar",
      "universal", "wheel", "general", "distance", "pulley", "gear",        "parallel"};
};

struct Joint {
  std::string name;
  std::uint32_t body_a{kWorldBody}, body_b{kWorldBody};  ///< indices of Scene::bodies()
  JointFrame frame_a, frame_b;
  JointKind kind{FixedJoint{}};
  bool collide{false};
  float breaking_force{std::numeric_limits<float>::infinity()};
  float breaking_torque{std::numeric_limits<float>::infinity()};
  friend bool operator==(const Joint&, const Joint&) = default;
};
template <Same<Joint> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique among joints; may be left out", .sparse = true}),
    attribute<&S::body_a>(
        {.meaning = "a body; without it, or \"world\" where no body has that name: the world", .reference = true}),
    attribute<&S::body_b>({.meaning = "another; at most one is the world", .reference = true}),
    attribute<&S::frame_a>({.meaning = "where the joint sits on body_a; x is its axis", .sparse = true}),
    attribute<&S::frame_b>({.meaning = "where it sits on body_b", .sparse = true}),
    attribute<&S::kind>({.required = true}),
    attribute<&S::collide>({.meaning = "the two bodies may touch", .sparse = true}),
    attribute<&S::breaking_force>({.unit = "N", .range = kBreaking, .meaning = "mean over a step", .sparse = true}),
    attribute<&S::breaking_torque>({.unit = "N m",
                                    .range = kBreaking,
                                    .meaning = "mean over a step, about the anchor on body_b",
                                    .sparse = true})};

/// A joint of a World, like BodyHandle. Zero is null. It also goes stale with either of its bodies.
struct JointHandle {
  std::uint32_t index{0};  ///< [1] slot + 1
  std::uint32_t generation{0};
  friend bool operator==(const JointHandle&, const JointHandle&) = default;
  explicit operator bool() const { return index != 0; }
};

/// Present place of a joint on one of its bodies.
struct JointAnchor {
  BodyHandle body;
  Vec3d position;
  Quat orientation;
};

template <Same<JointAnchor> S>
inline constexpr TypedList kAttributes<S>{attribute<&S::body>({.meaning = "null: the world"}),
                                          attribute<&S::position>({.unit = "m", .meaning = "world"}),
                                          attribute<&S::orientation>({.meaning = "joint to world"})};

/// State of a joint after the last step.
struct JointState {
  std::array<double, kJointDofs> coordinates{};
  Vec3 force;
  Vec3 torque;
  bool broken{false};
  friend bool operator==(const JointState&, const JointState&) = default;
};

template <Same<JointState> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::coordinates>(
        {.unit = "m, rad", .meaning = "by JointDof, as of the last substep's start; 0 before the first step"}),
    attribute<&S::force>({.unit = "N", .meaning = "on b, mean over the step, world"}),
    attribute<&S::torque>({.unit = "N m", .meaning = "about the anchor on b, mean over the step, world"}),
    attribute<&S::broken>({.meaning = "holds nothing any more"})};

}  // namespace cairn
