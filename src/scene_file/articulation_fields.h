#pragma once
// What a scene file says of the joints of articulations. The reader, the writer and the test of docs/scene.schema.json
// go by this one list.

#include <array>
#include <string_view>
#include <utility>

#include "cairn/articulation.h"
#include "src/scene_file/keys.h"

namespace cairn::scene_file {

inline constexpr std::array<Word<ArticulationJointKind>, 5> kLinkJointKinds{
    {{"fixed", ArticulationJointKind::kFixed},
     {"revolute", ArticulationJointKind::kRevolute},
     {"prismatic", ArticulationJointKind::kPrismatic},
     {"ball", ArticulationJointKind::kBall},
     {"free", ArticulationJointKind::kFree}}};

/// All members but the kind. What is infinite in a joint left alone stands in no file: it's left out.
inline constexpr std::array<std::pair<std::string_view, double ArticulationJoint::*>, 8> kLinkJointNumbers{
    {{"armature", &ArticulationJoint::armature},
     {"damping", &ArticulationJoint::damping},
     {"friction", &ArticulationJoint::friction},
     {"lower", &ArticulationJoint::lower},
     {"upper", &ArticulationJoint::upper},
     {"drive_stiffness", &ArticulationJoint::drive_stiffness},
     {"drive_damping", &ArticulationJoint::drive_damping},
     {"drive_most_force", &ArticulationJoint::drive_most_force}}};

inline constexpr std::array<std::string_view, 1 + kLinkJointNumbers.size()> kLinkJointKeys = [] {
  std::array<std::string_view, 1 + kLinkJointNumbers.size()> keys{"kind"};
  for (std::size_t k = 0; k < kLinkJointNumbers.size(); ++k) keys[k + 1] = kLinkJointNumbers[k].first;
  return keys;
}();

}  // namespace cairn::scene_file
