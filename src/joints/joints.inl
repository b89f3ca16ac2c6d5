#pragma once

#include "kernels/joints/finish_joint.h"
#include "kernels/joints/solve_joint.h"
#include "src/articulations/in_world.inl"
#include "src/step_context.h"

namespace cairn {

/// Writer of the rows of a substep; past the last one, of the rows for its relaxation.
CAIRN_BOTH inline kernels::PrepareJoint prepare_joint_of(const StepContext& s, int substep) {
  const kernels::StepConstants& k = s.constants;
  return {k,
          {s.bodies, {s.worlds.scales, s.own_scales}, s.joints, k.body_count},
          s.joint_layout,
          s.joint_softness,
          static_cast<float>(s.substeps - 1 - substep) * k.h,
          substep == 0,
          substep == s.substeps,
          false};
}

CAIRN_UNCHECKED
template <kernels::JointPass kPass, class Exec>
CAIRN_BOTH void joint_pass(Exec& exec, const StepContext& s) {
  if (!may_have<Exec>(s.joint_layout.slots != 0)) return;
  if (s.links.joined != 0) {
    exec.sweep(s.joint_parts, s.joint_layout.slots,
               kernels::SolveJoint<kPass, kernels::ArticulationPass>{s.bodies.solve, s.joint_layout, s.joint_softness,
                                                                     articulation_pass(s)});
  } else {
    exec.sweep(s.joint_parts, s.joint_layout.slots,
               kernels::SolveJoint<kPass>{s.bodies.solve, s.joint_layout, s.joint_softness});
  }
  // inverse masses of links may have changed
  if (kPass == kernels::JointPass::kBias && s.links.joined != 0) effective_masses(exec, s);
}

/// Joints and poses -> rows for the relaxation of one substep and the solve of the next; of the first substep also the
/// bodies' initial impulses.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void joints(Exec& exec, const StepContext& s, int substep) {
  if (!may_have<Exec>(s.joint_layout.slots != 0)) return;
  // without relaxation no rows are needed at the step's end
  if (substep == s.substeps && !s.joint_softness.relaxes && s.links.joined == 0) return;
  exec.enter(Stage::kJoints);
  kernels::PrepareJoint prepare = prepare_joint_of(s, substep);
  exec.rows(s.joint_node_parts, s.joint_layout.nodes, prepare);
  if (s.joint_layout.gears != 0) {
    prepare.gears = true;
    exec.rows(s.joint_node_parts, s.joint_layout.nodes, prepare);
  }
  if (substep == 0) joint_pass<kernels::JointPass::kStart>(exec, s);
  exec.mark(Stage::kJoints);
}

/// Joint rows -> memory of joints, and their results.
template <class Exec>
void finish_joints(Exec& exec, const StepContext& s) {
  exec.for_each(s.joint_layout.nodes, kernels::FinishJoint{prepare_joint_of(s, s.substeps), s.worlds});
}

}  // namespace cairn
