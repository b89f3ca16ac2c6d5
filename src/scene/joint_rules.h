#pragma once
// The rules of joints.

#include <functional>
#include <optional>

#include "cairn/joint.h"
#include "src/scene/rules.h"

namespace cairn::rules {

/// What a joint may name: the bodies and joints of its scene or world.
struct JointPlace {
  std::function<bool(std::uint32_t)> has_body;
  std::function<const Joint*(std::uint32_t)> joint_at;  ///< null where there is none
};

JointPlace place_in(const Scene& scene);  ///< holds on to the scene

/// Of the joint alone, and of what it names.
std::optional<Fault> find_fault(const Joint& joint);
std::optional<Fault> find_fault(const Joint& joint, const JointPlace& place);

/// The joint with its frames made unit, and without what a gear has no use for.
Joint made_unit(Joint joint);

/// Throws InvalidArgument that names the joint and the rule.
void refuse_faults(const Joint& joint, const JointPlace& place);

}  // namespace cairn::rules
