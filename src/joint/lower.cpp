#include "src/joint/lower.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

namespace cairn {
namespace {

const JointAxis kLock = JointAxis::locked();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::size_t index_of(JointDof dof) { return static_cast<std::size_t>(dof); }

/// All locked but for those given.
struct Lowering {
  JointShape s{.axes = {kLock, kLock, kLock, kLock, kLock, kLock}};

  JointAxis& at(JointDof dof) { return s.axes[index_of(dof)]; }
  void turns() {
    for (JointDof dof : {JointDof::kTwist, JointDof::kSwingY, JointDof::kSwingZ}) at(dof) = {};
  }

  void operator()(const FixedJoint&) {}
  void operator()(const BallJoint& ball) {
    turns();
    at(JointDof::kTwist) = ball.twist;
    if (ball.cone <= 3.5f) {
      at(JointDof::kSwingY) = JointAxis::limited(-kInfinite, ball.cone);
      s.cone = true;
    }
  }
  void operator()(const HingeJoint& hinge) { at(JointDof::kTwist) = hinge.turn; }
  void operator()(const SliderJoint& slider) { at(JointDof::kShiftX) = slider.shift; }
  void operator()(const ScrewJoint& screw) {
    at(JointDof::kShiftX) = {};
    at(JointDof::kTwist) = screw.turn;
  }
  void operator()(const CylindricalJoint& cylindrical) {
    at(JointDof::kShiftX) = cylindrical.shift;
    at(JointDof::kTwist) = cylindrical.turn;
  }
  void operator()(const PlanarJoint& planar) {
    at(JointDof::kShiftY) = planar.shift_y;
    at(JointDof::kShiftZ) = planar.shift_z;
    at(JointDof::kTwist) = planar.turn;
  }
  void operator()(const UniversalJoint& universal) {
    s.coordinates = kernels::JointCoordinates::kCardan;
    at(JointDof::kTwist) = universal.turn_a;
    at(JointDof::kSwingY) = universal.turn_b;
  }
  void operator()(const WheelJoint& wheel) {
    s.coordinates = kernels::JointCoordinates::kCardan;
    at(JointDof::kShiftX) = wheel.suspension;
    at(JointDof::kTwist) = wheel.steering;
    at(JointDof::kSwingY) = wheel.axle;
  }
  void operator()(const GeneralJoint& general) { s.axes = general.axes; }
  void operator()(const DistanceJoint& d) {
    one(kernels::JointCoordinates::kDistance, d.shortest, d.longest, d.compliance, d.damping);
  }
  void operator()(const PulleyJoint& p) {
    one(kernels::JointCoordinates::kPulley, p.shortest, p.longest, 0, 0);
  }
  void operator()(const GearJoint& g) { one(kernels::JointCoordinates::kGear, g.offset, g.offset, 0, 0); }

  void one(kernels::JointCoordinates coordinates, float lower, float upper, float compliance, float damping) {
    s.coordinates = coordinates;
    s.axes = {};
    // no length is under 0: a bound there would stop what passes through its anchor
    const bool is_rope = lower == 0 && upper > 0;
    s.axes[0] = {.mode = lower == upper ? JointAxis::Mode::kLocked : JointAxis::Mode::kLimited,
                 .lower = is_rope ? -kInfinite : lower, .upper = upper, .compliance = compliance, .damping = damping};
  }
};

kernels::AxisMode mode_of(const JointAxis& axis) {
  switch (axis.mode) {
    case JointAxis::Mode::kFree: return kernels::AxisMode::kFree;
    case JointAxis::Mode::kLocked: return kernels::AxisMode::kLocked;
    case JointAxis::Mode::kLimited: break;
  }
  return axis.lower == axis.upper ? kernels::AxisMode::kLocked : kernels::AxisMode::kLimited;
}

kernels::JointAxis axis_of(const JointAxis& a) {
  const bool soft = a.compliance > 0;
  return {.mode = mode_of(a),
          .lower = a.lower,
          .upper = a.upper,
          .stiffness = soft ? 1 / a.compliance : 0,
          .damping = soft ? a.damping : 0,
          .friction = a.friction,
          .drive_stiffness = a.drive.stiffness,
          .drive_damping = a.drive.damping,
          // an unbounded impulse times h must stay a float
          .drive_most = std::min(a.drive.most_force, 1e30f),
          .target = a.drive.target,
          .rate = a.drive.rate,
          .force = a.drive.force};
}

}  // namespace

JointShape shape_of(const JointKind& kind) {
  Lowering lowering;
  std::visit(lowering, kind);
  return lowering.s;
}

JointDof main_dof(const JointKind& kind) {
  const bool shifts = std::holds_alternative<SliderJoint>(kind) || std::holds_alternative<DistanceJoint>(kind) ||
                      std::holds_alternative<PulleyJoint>(kind) || std::holds_alternative<GearJoint>(kind);
  if (shifts) return JointDof::kShiftX;
  if (const auto* general = std::get_if<GeneralJoint>(&kind)) {
    const bool turns = general->axes[index_of(JointDof::kTwist)].mode != JointAxis::Mode::kLocked;
    return turns ? JointDof::kTwist : JointDof::kShiftX;
  }
  return std::holds_alternative<WheelJoint>(kind) ? JointDof::kSwingY : JointDof::kTwist;
}

JointAxis* axis_of(JointKind& kind, JointDof dof) {
  const auto pick = [dof](std::initializer_list<std::pair<JointDof, JointAxis*>> axes) -> JointAxis* {
    for (const auto& [at, axis] : axes) {
      if (at == dof) return axis;
    }
    return nullptr;
  };
  struct Visitor {
    decltype(pick)& find;
    JointDof dof;
    JointAxis* operator()(BallJoint& j) const { return find({{JointDof::kTwist, &j.twist}}); }
    JointAxis* operator()(HingeJoint& j) const { return find({{JointDof::kTwist, &j.turn}}); }
    JointAxis* operator()(SliderJoint& j) const { return find({{JointDof::kShiftX, &j.shift}}); }
    JointAxis* operator()(ScrewJoint& j) const { return find({{JointDof::kTwist, &j.turn}}); }
    JointAxis* operator()(CylindricalJoint& j) const {
      return find({{JointDof::kShiftX, &j.shift}, {JointDof::kTwist, &j.turn}});
    }
    JointAxis* operator()(PlanarJoint& j) const {
      return find({{JointDof::kShiftY, &j.shift_y}, {JointDof::kShiftZ, &j.shift_z}, {JointDof::kTwist, &j.turn}});
    }
    JointAxis* operator()(UniversalJoint& j) const {
      return find({{JointDof::kTwist, &j.turn_a}, {JointDof::kSwingY, &j.turn_b}});
    }
    JointAxis* operator()(WheelJoint& j) const {
      return find({{JointDof::kShiftX, &j.suspension}, {JointDof::kTwist, &j.steering}, {JointDof::kSwingY, &j.axle}});
    }
    JointAxis* operator()(GeneralJoint& j) const { return &j.axes[index_of(dof)]; }
    // fixed, distance, pulley, gear
    JointAxis* operator()(FixedJoint&) const { return nullptr; }
    JointAxis* operator()(DistanceJoint&) const { return nullptr; }
    JointAxis* operator()(PulleyJoint&) const { return nullptr; }
    JointAxis* operator()(GearJoint&) const { return nullptr; }
  };
  return std::visit(Visitor{pick, dof}, kind);
}

bool keeps_apart(const Joint& joint) {
  return !joint.collide && joint.body_a != kWorldBody && joint.body_b != kWorldBody &&
         !std::holds_alternative<GearJoint>(joint.kind);
}

std::array<std::uint32_t, 2> acted_on(const Joint& joint, const std::function<const Joint&(std::uint32_t)>& joint_at) {
  if (const auto* gear = std::get_if<GearJoint>(&joint.kind))
    return {joint_at(gear->joint_a).body_b, joint_at(gear->joint_b).body_b};
  return {joint.body_a, joint.body_b};
}

JointRowCount rows_of(const kernels::JointModel& model) {
  const std::uint32_t thread = model.pitch != 0 ? 1 : 0;
  JointRowCount n{.all = thread, .locked = thread};
  for (const kernels::JointAxis& a : model.axis) {
    if (a.mode == kernels::AxisMode::kLocked) n.locked += 1;
    if (a.mode != kernels::AxisMode::kFree || a.friction > 0 || a.drive_most > 0) n.all += 1;
  }
  return n;
}

kernels::JointModel model_of(const Joint& joint) {
  kernels::JointModel model{};
  const JointShape shape = shape_of(joint.kind);
  model.coordinates = shape.coordinates;
  for (std::size_t i = 0; i < kJointDofs; ++i) model.axis[i] = axis_of(shape.axes[i]);
  if (shape.cone) model.axis[index_of(JointDof::kSwingY)].mode = kernels::AxisMode::kCone;
  if (const auto* screw = std::get_if<ScrewJoint>(&joint.kind)) model.pitch = screw->pitch;
  if (const auto* pulley = std::get_if<PulleyJoint>(&joint.kind)) {
    model.ratio[0] = pulley->ratio;
    model.ground_a = pulley->ground_a;
    model.ground_b = pulley->ground_b;
  }
  if (const auto* gear = std::get_if<GearJoint>(&joint.kind)) {
    model.ratio[0] = gear->ratio_a;
    model.ratio[1] = gear->ratio_b;
  }
  model.breaking_force = joint.breaking_force;
  model.breaking_torque = joint.breaking_torque;
  return model;
}

}  // namespace cairn
