#pragma once
// The rules of joints.

#include <functional>
#include <optional>

#include "cairn/joint.h"
#include "src/scene/rules.h"

namespace cairn::rules {

/// The things that a joint may name: bodies and joints of its scene or world.
struct JointPlace {
  std::function<bool(std::uint32_t)> has_body;
  std::function<const Joint*(std::uint32_t)> joint_at;  ///< null where there is none
};

JointPlace place_in(const Scene& scene);  ///< refers to the scene

/// Of the joint alone, and of the things that it names.
std::optional<Fault> find_fault(const Joint& joint);
std::optional<Fault> find_fault(const Joint& joint, const JointPlace& place);

/// The joint with normalised frames, and without members that a gear doesn't use.
Joint made_unit(Joint joint);

/// Throws InvalidArgument, naming the joint and the rule.
void refuse_faults(const Joint& joint, const JointPlace& place);

}  // namespace cairn::rules
