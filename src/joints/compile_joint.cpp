#include "src/joints/compile_joint.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn {
namespace {

const JointAxis kLock = JointAxis::locked();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::size_t index_of(JointDof dof) { return static_cast<std::size_t>(dof); }

/// All axes are locked except the given ones.
struct JointCompiler {
  JointShape s{.axes = {kLock, kLock, kLock, kLock, kLock, kLock}};

  JointAxis& at(JointDof dof) { return s.axes[index_of(dof)]; }
  template <class Kind>
  void operator()(const Kind& kind) {
    each_axis(kind, [&](JointDof dof, std::string_view, const JointAxis& axis) { at(dof) = axis; });
    compile_rest(kind);
  }
  template <class Kind>
  void compile_rest(const Kind&) {}
  void compile_rest(const BallJoint& ball) {
    at(JointDof::kSwingY) = at(JointDof::kSwingZ) = {};
    s.cone = std::isfinite(ball.cone) || ball.swing_friction > 0;
    if (!s.cone) return;
    at(JointDof::kSwingY) = JointAxis::limited(-kInfinite, ball.cone);
    at(JointDof::kSwingY).friction = at(JointDof::kSwingZ).friction = ball.swing_friction;
  }
  void compile_rest(const ScrewJoint&) { at(JointDof::kShiftX) = {}; }
  void compile_rest(const UniversalJoint&) { s.coordinates = kernels::JointCoordinates::kCardan; }
  void compile_rest(const WheelJoint&) { s.coordinates = kernels::JointCoordinates::kCardan; }
  void compile_rest(const DistanceJoint& d) {
    one(kernels::JointCoordinates::kDistance, d.min_length, d.max_length, d.compliance, d.damping);
  }
  void compile_rest(const PulleyJoint& p) { one(kernels::JointCoordinates::kPulley, p.min_length, p.max_length, 0, 0); }
  void compile_rest(const GearJoint& g) { one(kernels::JointCoordinates::kGear, g.offset, g.offset, 0, 0); }

  void one(kernels::JointCoordinates coordinates, float lower, float upper, float compliance, float damping) {
    s.coordinates = coordinates;
    s.axes = {};
    // no length is under 0: a bound there would stop bodies that pass through its anchor
    const bool is_rope = lower == 0 && upper > 0;
    s.axes[0] = {.mode = lower == upper ? JointAxis::Mode::kLocked : JointAxis::Mode::kLimited,
                 .lower = is_rope ? -kInfinite : lower,
                 .upper = upper,
                 .compliance = compliance,
                 .damping = damping};
  }
};

kernels::AxisMode mode_of(const JointAxis& axis) {
  if (axis.mode == JointAxis::Mode::kFree) return kernels::AxisMode::kFree;
  const bool locked = axis.mode == JointAxis::Mode::kLocked || axis.lower == axis.upper;
  return locked ? kernels::AxisMode::kLocked : kernels::AxisMode::kLimited;
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
          .drive_max = std::min(a.drive.max_force, 1e30f),
          .target = a.drive.target,
          .rate = a.drive.rate,
          .force = a.drive.force};
}

}  // namespace

JointShape shape_of(const JointKind& kind) {
  JointCompiler compiler;
  std::visit(compiler, kind);
  return compiler.s;
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
  JointAxis* found = nullptr;
  const auto find = [&](JointDof at, std::string_view, JointAxis& axis) {
    if (at == dof) found = &axis;
  };
  std::visit([&](auto& of) { each_axis(of, find); }, kind);
  return found;
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

bool is_off(const Joint& joint, const std::function<const Joint&(std::uint32_t)>& joint_at,
            const std::function<bool(std::uint32_t)>& enabled) {
  if (const auto* gear = std::get_if<GearJoint>(&joint.kind))
    return is_off(joint_at(gear->joint_a), joint_at, enabled) || is_off(joint_at(gear->joint_b), joint_at, enabled);
  const auto off = [&](std::uint32_t body) { return body != kWorldBody && !enabled(body); };
  return off(joint.body_a) || off(joint.body_b);
}

JointRowCount rows_of(const kernels::JointModel& model) {
  const std::uint32_t thread = model.pitch != 0 ? 1 : 0;
  JointRowCount n{.all = thread, .locked = thread};
  for (const kernels::JointAxis& a : model.axis) {
    if (a.mode == kernels::AxisMode::kLocked) n.locked += 1;
    if (a.mode != kernels::AxisMode::kFree || a.friction > 0 || a.drive_max > 0) n.all += 1;
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
