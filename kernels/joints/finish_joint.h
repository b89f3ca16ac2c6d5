#pragma once

#include "kernels/joints/prepare_joint.h"

namespace cairn::kernels {

/// State of joints for the next step, and their results of this one. A joint whose force or torque exceeds its breaking
/// bound breaks. Joints of a world whose step is discarded forget their impulses, like its contacts. Writes memory and
/// result of the slot's joint. One thread per node.
struct FinishJoint {
  PrepareJoint prepare;
  Worlds worlds;

  CAIRN_HD void operator()(std::uint32_t at) const {
    const JointNode& node = prepare.layout.node[at];
    const std::uint32_t index = node.joint;
    if (index == kNone) return;
    const JointModel& model = prepare.meter.joints.model[index];
    JointMemory& memory = prepare.meter.joints.memory[index];
    JointResult& result = prepare.meter.joints.result[index];
    if (!pushes(prepare.meter.bodies, model, memory)) return;
    prepare.take_over(at);
    const float per_second = 1.0f / prepare.k.dt;
    const Vec3 zero{0, 0, 0};
    result = {per_second * result.force + zero, per_second * result.torque + zero};
    bool good = finite(result.force) && finite(result.torque);
    for (float& l : memory.impulse) {
      l = l + 0.0f;
      good = good && finite(l);
    }
    if (!good || worlds.status[model.world] != 0) {
      for (float& l : memory.impulse) l = 0.0f;
      result = {zero, zero};
      return;
    }
    if (length(result.force) > model.breaking_force || length(result.torque) > model.breaking_torque) {
      memory.broken = 1;
    }
  }
};

}  // namespace cairn::kernels
