#pragma once
// The keys of joints in scene files: those of Joint and of its kind.

#include <algorithm>

#include "cairn/joint.h"
#include "src/scene_file/keys.h"

namespace cairn::scene_file {

inline bool is_gear(const JointKind& kind) { return std::holds_alternative<GearJoint>(kind); }

/// The keys of a joint's two bodies, or of a gear's joints.
inline std::array<std::string_view, 2> ends_of(const JointKind& kind) {
  if (is_gear(kind)) return {name_of_member<&GearJoint::joint_a>(), name_of_member<&GearJoint::joint_b>()};
  return {name_of_member<&Joint::body_a>(), name_of_member<&Joint::body_b>()};
}

/// Keys of all joints of this kind. Gears have no bodies and frames.
inline std::vector<std::string_view> keys_of_joint(const JointKind& kind) {
  std::vector<std::string_view> keys =
      std::visit([]<class Kind>(const Kind&) { return keys_with<Joint>(keys_of<Kind>()); }, kind);
  if (is_gear(kind)) {
    std::erase_if(keys, [](std::string_view key) { return key.starts_with("body_") || key.starts_with("frame_"); });
  }
  return keys;
}

}  // namespace cairn::scene_file
