#include "src/scene/joint_rules.h"

#include "cairn/errors.h"
#include "src/joints/compile_joint.h"
#include "src/scene/check_attributes.h"

namespace cairn::rules {
namespace {

constexpr AttributeRange kSwing = between(-3.1415927f, 3.1415927f);

/// Rules between members of one joint.
struct KindCheck {
  Checker& check;

  template <class Kind>
  void operator()(const Kind& kind) const {
    check_attributes(check, kind);
    each_axis(kind, [&](JointDof, std::string_view key, const JointAxis& axis) { check_axis(axis, key); });
    if (check.good()) check_together(kind);
  }

 private:
  /// Rules between members.
  template <class Kind>
  void check_together(const Kind&) const {}
  void check_axis(const JointAxis& a, std::string_view name) const {
    if (!check.good()) return;
    const std::string at = "/" + std::string(name), of = std::string(name) + " ";
    check.require(a.mode != JointAxis::Mode::kLimited || a.lower <= a.upper, of + "lower", at + "/lower",
                  "must not be over upper, is " + digits(a.lower) + " and upper " + digits(a.upper));
    damped(a.compliance, a.damping, of, at);
    const bool driven = !(a.drive == JointDrive{}) || a.friction != 0;
    check.require(a.mode != JointAxis::Mode::kLocked || !driven, of + "drive", at + "/drive",
                  "and friction must be left out where the axis is locked");
  }
  void damped(float compliance, float damping, const std::string& of, const std::string& at) const {
    check.require(damping == 0 || compliance > 0, of + "damping", at + "/damping",
                  "must be 0 where compliance is 0: what is stiff has nothing to damp");
  }
  void span(float min_length, float max_length) const {
    check.require(min_length <= max_length, "min_length",
                  "must not be over max_length, is " + digits(min_length) + " and max_length " + digits(max_length));
  }

  void check_together(const ScrewJoint& j) const { check.require(j.pitch != 0, "pitch", "must not be 0"); }
  /// The angle of a swing wraps at half a turn.
  void swing(const JointAxis& axis, const std::string& name) const {
    if (axis.mode != JointAxis::Mode::kLimited) return;
    check.number(axis.lower, name + " lower", "/" + name + "/lower", kSwing, "rad");
    check.number(axis.upper, name + " upper", "/" + name + "/upper", kSwing, "rad");
  }
  void check_together(const GeneralJoint& j) const {
    for (const JointDof dof : {JointDof::kSwingY, JointDof::kSwingZ}) {
      const auto i = static_cast<std::size_t>(dof);
      swing(j.axes[i], std::string(kJointDofNames[i]));
    }
  }
  void check_together(const ParallelJoint& j) const {
    swing(j.tilt_y, "tilt_y");
    swing(j.tilt_z, "tilt_z");
  }
  void check_together(const DistanceJoint& j) const {
    span(j.min_length, j.max_length);
    damped(j.compliance, j.damping, "", "");
  }
  void check_together(const PulleyJoint& j) const { span(j.min_length, j.max_length); }
  void check_together(const GearJoint& j) const {
    for (const auto& [ratio, name] : {std::pair{j.ratio_a, "ratio_a"}, std::pair{j.ratio_b, "ratio_b"}}) {
      check.require(ratio != 0, name, std::string("/") + name, "must not be 0");
    }
  }
};

/// Whether it moves about or along its x.
bool turns_or_shifts(const Joint& joint) {
  JointKind kind = joint.kind;
  const JointDof dof = main_dof(kind);
  const JointAxis* axis = axis_of(kind, dof);
  return (dof == JointDof::kTwist || dof == JointDof::kShiftX) && axis != nullptr &&
         axis->mode != JointAxis::Mode::kLocked && !std::holds_alternative<BallJoint>(kind);
}

}  // namespace

std::optional<Fault> find_fault(const Joint& joint) {
  Checker check;
  check_attributes(check, joint);
  if (check.good()) std::visit(KindCheck{check}, joint.kind);
  return check.fault;
}

std::optional<Fault> find_fault(const Joint& joint, const JointPlace& place) {
  if (auto fault = find_fault(joint)) return fault;
  Checker check;
  if (const auto* gear = std::get_if<GearJoint>(&joint.kind)) {
    for (const auto& [index, name] : {std::pair{gear->joint_a, "joint_a"}, std::pair{gear->joint_b, "joint_b"}}) {
      const Joint* other = place.joint_at(index);
      const std::string at = std::string("/") + name;
      check.require(other != nullptr, name, at, "must be a joint, there is no joint " + std::to_string(index));
      check.require(other == nullptr || turns_or_shifts(*other), name, at,
                    "must be a joint that turns about x or shifts along it");
    }
    check.require(gear->joint_a != gear->joint_b, "joint_b", "must be another joint than joint_a");
    const Joint *a = place.joint_at(gear->joint_a), *b = place.joint_at(gear->joint_b);
    for (const auto& [other, name] : {std::pair{a, "joint_a"}, std::pair{b, "joint_b"}}) {
      check.require(other == nullptr || other->body_b != kWorldBody, name, std::string("/") + name,
                    "must be a joint whose second body isn't the world: a gear acts on it");
    }
    check.require(a == nullptr || b == nullptr || a->body_b != b->body_b, "joint_b",
                  "must be a joint of another second body than joint_a's");
    for (const auto& [index, name] : {std::pair{joint.body_a, "body_a"}, std::pair{joint.body_b, "body_b"}}) {
      check.require(index == kWorldBody, name, std::string("/") + name,
                    "must be left out of a gear, which acts on the bodies of its joints");
    }
    return check.fault;
  }
  for (const auto& [index, name] : {std::pair{joint.body_a, "body_a"}, std::pair{joint.body_b, "body_b"}}) {
    check.require(index == kWorldBody || place.has_body(index), name, std::string("/") + name,
                  "must be a body or the world, there is no body " + std::to_string(index));
  }
  check.require(
      joint.body_a != joint.body_b, "body_b",
      joint.body_a == kWorldBody ? "must be a body where body_a is the world" : "must be another body than body_a");
  return check.fault;
}

JointPlace place_in(const Scene& scene) {
  return {[&scene](std::uint32_t body) { return body < scene.bodies().size(); },
          [&scene](std::uint32_t at) { return at < scene.joints().size() ? &scene.joints()[at] : nullptr; }};
}

Joint made_unit(Joint joint) {
  if (std::holds_alternative<GearJoint>(joint.kind)) {
    joint.frame_a = joint.frame_b = {};
  }
  joint.frame_a.orientation = unit(joint.frame_a.orientation);
  joint.frame_b.orientation = unit(joint.frame_b.orientation);
  return joint;
}

void refuse_faults(const Joint& joint, const JointPlace& place) {
  refuse("joint \"" + joint.name + "\"", find_fault(joint, place));
}

}  // namespace cairn::rules
