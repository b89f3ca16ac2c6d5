#pragma once
// What a scene file says of joints: the words for their kinds, and the members of each under their keys. The reader,
// the writer and the test of docs/scene.schema.json go by this one list.

#include <array>
#include <concepts>
#include <string_view>
#include <vector>

#include "cairn/joint.h"
#include "src/scene_file/keys.h"

namespace cairn::scene_file {

/// By the index of JointKind.
inline constexpr std::array<std::string_view, std::variant_size_v<JointKind>> kJointKinds{
    "fixed",     "ball",  "hinge",   "slider",   "screw",  "cylindrical", "planar",
    "universal", "wheel", "general", "distance", "pulley", "gear"};
inline constexpr std::array<Word<JointAxis::Mode>, 3> kAxisModes{{{"free", JointAxis::Mode::kFree},
                                                                  {"locked", JointAxis::Mode::kLocked},
                                                                  {"limited", JointAxis::Mode::kLimited}}};
inline constexpr std::array<std::string_view, kJointDofs> kJointDofNames{"shift_x", "shift_y", "shift_z",
                                                                         "twist",   "swing_y", "swing_z"};
/// In the place of a body's name, unless a body has it.
inline constexpr std::string_view kWorld = "world";

/// The keys under which a joint names its two bodies, or a gear the joints that it follows.
using Ends = std::array<std::string_view, 2>;
inline constexpr Ends kBodyEnds{"body_a", "body_b"}, kGearEnds{"joint_a", "joint_b"};

/// T or const T.
template <class T, class As>
concept Of = std::same_as<std::remove_const_t<T>, As>;

/// Calls `visit(key, member...)` for each member, of several things of one type side by side.
template <class Visit, Of<JointFrame>... T>
void each_field(const Visit& visit, T&... f) {
  visit("position", f.position...);
  visit("orientation_xyzw", f.orientation...);
}
template <class Visit, Of<JointDrive>... T>
void each_field(const Visit& visit, T&... d) {
  visit("stiffness", d.stiffness...);
  visit("damping", d.damping...);
  visit("target", d.target...);
  visit("rate", d.rate...);
  visit("force", d.force...);
  visit("most_force", d.most_force...);
}
template <class Visit, Of<JointAxis>... T>
void each_field(const Visit& visit, T&... a) {
  visit("mode", a.mode...);
  visit("lower", a.lower...);
  visit("upper", a.upper...);
  visit("compliance", a.compliance...);
  visit("damping", a.damping...);
  visit("friction", a.friction...);
  visit("drive", a.drive...);
}

template <class Visit, Of<FixedJoint>... T>
void each_field(const Visit&, T&...) {}
template <class Visit, Of<BallJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("cone", j.cone...);
  visit("twist", j.twist...);
}
template <class Visit, Of<HingeJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("turn", j.turn...);
}
template <class Visit, Of<SliderJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("shift", j.shift...);
}
template <class Visit, Of<ScrewJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("pitch", j.pitch...);
  visit("turn", j.turn...);
}
template <class Visit, Of<CylindricalJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("shift", j.shift...);
  visit("turn", j.turn...);
}
template <class Visit, Of<PlanarJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("shift_y", j.shift_y...);
  visit("shift_z", j.shift_z...);
  visit("turn", j.turn...);
}
template <class Visit, Of<UniversalJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("turn_a", j.turn_a...);
  visit("turn_b", j.turn_b...);
}
template <class Visit, Of<WheelJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("suspension", j.suspension...);
  visit("steering", j.steering...);
  visit("axle", j.axle...);
}
template <class Visit, Of<GeneralJoint>... T>
void each_field(const Visit& visit, T&... j) {
  for (std::size_t k = 0; k < kJointDofs; ++k) visit(kJointDofNames[k], j.axes[k]...);
}
template <class Visit, Of<DistanceJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("shortest", j.shortest...);
  visit("longest", j.longest...);
  visit("compliance", j.compliance...);
  visit("damping", j.damping...);
}
template <class Visit, Of<PulleyJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("ground_a", j.ground_a...);
  visit("ground_b", j.ground_b...);
  visit("ratio", j.ratio...);
  visit("shortest", j.shortest...);
  visit("longest", j.longest...);
}
template <class Visit, Of<GearJoint>... T>
void each_field(const Visit& visit, T&... j) {
  visit("ratio_a", j.ratio_a...);
  visit("ratio_b", j.ratio_b...);
  visit("offset", j.offset...);
}
/// All but name, kind and ends, which are names in a file. Gears have no frames.
template <class Visit, Of<Joint>... T>
void each_field(const Visit& visit, bool has_frames, T&... j) {
  if (has_frames) {
    visit("frame_a", j.frame_a...);
    visit("frame_b", j.frame_b...);
  }
  visit("collide", j.collide...);
  visit("breaking_force", j.breaking_force...);
  visit("breaking_torque", j.breaking_torque...);
}

inline bool is_gear(const JointKind& kind) { return std::holds_alternative<GearJoint>(kind); }
inline const Ends& ends_of(const JointKind& kind) { return is_gear(kind) ? kGearEnds : kBodyEnds; }

/// Keys of a part of a joint.
template <class T>
std::vector<std::string_view> keys_of(const T& part) {
  std::vector<std::string_view> keys;
  each_field([&](std::string_view key, const auto&) { keys.push_back(key); }, part);
  return keys;
}

/// Keys of all joints of the same kind as this one.
inline std::vector<std::string_view> keys_of(const Joint& joint) {
  std::vector<std::string_view> keys{"name", "kind"};
  const Ends& ends = ends_of(joint.kind);
  keys.insert(keys.end(), ends.begin(), ends.end());
  const auto add = [&](std::string_view key, const auto&) { keys.push_back(key); };
  each_field(add, !is_gear(joint.kind), joint);
  std::visit([&](const auto& kind) { each_field(add, kind); }, joint.kind);
  return keys;
}

}  // namespace cairn::scene_file
