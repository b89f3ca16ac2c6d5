#include "src/scene/joint_rules.h"

#include "cairn/errors.h"
#include "src/joint/lower.h"
#include "src/scene/checker.h"

namespace cairn::rules {
namespace {

// [1] impulses and effective masses of all that these allow are normal floats
constexpr Range kGain{0, 1e12, false, "must be between 0 and 1e+12"};
constexpr Range kForce{-1e12, 1e12, false, "must be between -1e+12 and 1e+12"};
constexpr Range kAngle{-1e6, 1e6, false, "must be between -1e+06 and 1e+06"};
constexpr Range kSwing{-3.14159274, 3.14159274, false, "must be between -pi and pi"};
constexpr Range kCone{0, 3.14159274, false, "must be between 0 and pi"};

struct KindCheck {
  Checker& check;

  void axis(const JointAxis& a, const std::string& name) const {
    const std::string at = "/" + name, of = name + " ";
    check.require(a.mode <= JointAxis::Mode::kLimited, of + "mode", at + "/mode", "must be free, locked or limited");
    check.number(a.lower, of + "lower", at + "/lower", kAngle);
    check.number(a.upper, of + "upper", at + "/upper", kAngle);
    check.require(a.mode != JointAxis::Mode::kLimited || a.lower <= a.upper, of + "lower", at + "/lower",
                  "must not be over upper, is " + digits(a.lower) + " and upper " + digits(a.upper));
    soft(a.compliance, a.damping, of, at);
    check.number(a.friction, of + "friction", at + "/friction", kGain);
    const JointDrive& d = a.drive;
    check.number(d.stiffness, of + "drive stiffness", at + "/drive/stiffness", kGain);
    unbounded(check, d.damping, of + "drive damping", at + "/drive/damping", kGain);
    check.number(d.target, of + "drive target", at + "/drive/target", kAngle);
    check.number(d.rate, of + "drive rate", at + "/drive/rate", kAngle);
    check.number(d.force, of + "drive force", at + "/drive/force", kForce);
    unbounded(check, d.most_force, of + "drive most_force", at + "/drive/most_force", kGain);
    const bool driven = !(d == JointDrive{}) || a.friction != 0;
    check.require(a.mode != JointAxis::Mode::kLocked || !driven, of + "drive", at + "/drive",
                  "and friction must be left out where the axis is locked");
  }
  void soft(float compliance, float damping, const std::string& of, const std::string& at) const {
    check.number(compliance, of + "compliance", at + "/compliance", kGain);
    check.require(compliance == 0 || compliance >= 1e-12f, of + "compliance", at + "/compliance",
                  "must be 0 or at least 1e-12, is " + digits(compliance));
    check.number(damping, of + "damping", at + "/damping", kGain);
    check.require(damping == 0 || compliance > 0, of + "damping", at + "/damping",
                  "must be 0 where compliance is 0: what is stiff has nothing to damp");
  }
  void span(float shortest, float longest) const {
    check.number(shortest, "shortest", "/shortest", kNotNegative);
    check.number(longest, "longest", "/longest", kOverZero);
    check.number(longest, "longest", "/longest", Range{0, kMaxPosition, true, "must be at most 1e+07 m"});
    check.require(shortest <= longest, "shortest", "/shortest",
                  "must not be over longest, is " + digits(shortest) + " and longest " + digits(longest));
  }

  void operator()(const FixedJoint&) const {}
  void operator()(const BallJoint& j) const {
    unbounded(check, j.cone, "cone", "/cone", kCone);
    axis(j.twist, "twist");
  }
  void operator()(const HingeJoint& j) const { axis(j.turn, "turn"); }
  void operator()(const SliderJoint& j) const { axis(j.shift, "shift"); }
  void operator()(const ScrewJoint& j) const {
    check.number(j.pitch, "pitch", "/pitch", kLocalPosition);
    check.require(j.pitch != 0, "pitch", "/pitch", "must not be 0");
    axis(j.turn, "turn");
  }
  void operator()(const CylindricalJoint& j) const {
    axis(j.shift, "shift");
    axis(j.turn, "turn");
  }
  void operator()(const PlanarJoint& j) const {
    axis(j.shift_y, "shift_y");
    axis(j.shift_z, "shift_z");
    axis(j.turn, "turn");
  }
  void operator()(const UniversalJoint& j) const {
    axis(j.turn_a, "turn_a");
    axis(j.turn_b, "turn_b");
  }
  void operator()(const WheelJoint& j) const {
    axis(j.suspension, "suspension");
    axis(j.steering, "steering");
    axis(j.axle, "axle");
  }
  void operator()(const GeneralJoint& j) const {
    static constexpr std::array<const char*, kJointDofs> kNames{"shift_x", "shift_y", "shift_z",
                                                                "twist",   "swing_y", "swing_z"};
    for (std::size_t i = 0; i < kJointDofs; ++i) axis(j.axes[i], kNames[i]);
    // a swing's angle starts anew at half a turn
    for (std::size_t i = 4; i < kJointDofs; ++i) {
      if (j.axes[i].mode != JointAxis::Mode::kLimited) continue;
      const std::string name = kNames[i];
      check.number(j.axes[i].lower, name + " lower", "/" + name + "/lower", kSwing);
      check.number(j.axes[i].upper, name + " upper", "/" + name + "/upper", kSwing);
    }
  }
  void operator()(const DistanceJoint& j) const {
    span(j.shortest, j.longest);
    soft(j.compliance, j.damping, "", "");
  }
  void operator()(const PulleyJoint& j) const {
    span(j.shortest, j.longest);
    check.number(j.ratio, "ratio", "/ratio", Range{1e-6, 1e6, false, "must be between 1e-06 and 1e+06"});
    check.vector(j.ground_a, "ground_a", "/ground_a", kPosition);
    check.vector(j.ground_b, "ground_b", "/ground_b", kPosition);
  }
  void operator()(const GearJoint& j) const {
    for (const auto& [ratio, name] : {std::pair{j.ratio_a, "ratio_a"}, std::pair{j.ratio_b, "ratio_b"}}) {
      check.number(ratio, name, std::string("/") + name, kAngle);
      check.require(ratio != 0, name, std::string("/") + name, "must not be 0");
    }
    check.number(j.offset, "offset", "/offset", kAngle);
  }
};

/// About or along its x.
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
  check.name(joint.name);
  for (const auto& [frame, name] : {std::pair{&joint.frame_a, "frame_a"}, std::pair{&joint.frame_b, "frame_b"}}) {
    const std::string at = std::string("/") + name;
    check.vector(frame->position, std::string(name) + " position", at + "/position", kPosition);
    check.quaternion(frame->orientation, std::string(name) + " orientation", at + "/orientation_xyzw");
  }
  std::visit(KindCheck{check}, joint.kind);
  unbounded(check, joint.breaking_force, "breaking_force", "/breaking_force", kOverZero);
  unbounded(check, joint.breaking_torque, "breaking_torque", "/breaking_torque", kOverZero);
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
    check.require(gear->joint_a != gear->joint_b, "joint_b", "/joint_b", "must be another joint than joint_a");
    const Joint *a = place.joint_at(gear->joint_a), *b = place.joint_at(gear->joint_b);
    for (const auto& [other, name] : {std::pair{a, "joint_a"}, std::pair{b, "joint_b"}}) {
      check.require(other == nullptr || other->body_b != kWorldBody, name, std::string("/") + name,
                    "must be a joint whose second body isn't the world: a gear acts on it");
    }
    check.require(a == nullptr || b == nullptr || a->body_b != b->body_b, "joint_b", "/joint_b",
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
  check.require(joint.body_a != joint.body_b, "body_b", "/body_b",
                joint.body_a == kWorldBody ? "must be a body where body_a is the world"
                                           : "must be another body than body_a");
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
  const auto fault = find_fault(joint, place);
  if (fault)
    throw InvalidArgument("joint \"" + joint.name + "\"" + fault->part + ": " + fault->field + " " + fault->rule);
}

}  // namespace cairn::rules
