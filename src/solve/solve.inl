#pragma once

#include "src/articulations/in_world.inl"
#include "src/direct/direct.inl"
#include "src/joints/joints.inl"
#include "src/solve/avbd.inl"
#include "src/solve/dissipate.inl"
#include "src/solve/soft_step.inl"
#include "src/solve/xpbd.inl"

namespace cairn {

/// Rows and velocities -> impulses and velocities that resolve overlap: soft constraints with a bias, position
/// corrections, or passes of sequential impulses.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void solve(Exec& exec, const StepContext& s, int substep) {
  exec.enter(Stage::kSolve);
  // joints first: contacts have the last word
  const SolverTraits solver = solver_of<Exec>(s);
  if (!solver.whole) joint_pass<kernels::JointPass::kBias>(exec, s);
  switch (solver.kind) {
    case SolverKind::kSoftStep:
      if (may_have<Exec>(s.direct.max_bodies != 0)) direct_pass(exec, s, substep != 0);
      row_pass<kernels::RowPass::kBias>(exec, s);
      break;
    case SolverKind::kXpbd:
      xpbd_pass<kernels::XpbdPass::kPosition>(exec, s);
      break;
    case SolverKind::kSequentialImpulse:
      for (int pass = 0; pass < s.passes; ++pass) {
        if (pass != 0) articulation_settle(exec, s);
        joint_pass<kernels::JointPass::kBias>(exec, s);
        row_pass<kernels::RowPass::kSequential>(exec, s);
      }
      break;
    case SolverKind::kAvbd:
      avbd_pass(exec, s);
      break;
    case SolverKind::kHertzMindlin:
      break;  // contacts were forces, in predict
  }
  exec.mark(Stage::kSolve);
}

/// Removes the velocity of the position correction: soft constraints without the bias, which soft_step and avbd share,
/// or the velocity pass. Sequential impulses keep it, as far as it adds no energy.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void relax(Exec& exec, const StepContext& s, int substep) {
  exec.enter(Stage::kRelax);
  const SolverTraits solver = solver_of<Exec>(s);
  const bool keeps = solver.keeps_push;
  const bool joined = may_have<Exec>(s.links.joined != 0);
  if (!keeps) articulation_settle(exec, s);
  // joints on links are relaxed by all solvers
  if (!keeps || joined) {
    articulation_turn(exec, s);
    if (s.joint_softness.relaxes || joined) joint_pass<kernels::JointPass::kRelax>(exec, s);
  }
  if (solver.positional) xpbd_pass<kernels::XpbdPass::kVelocity>(exec, s);
  if (solver.relaxes_rows) {
    if (may_have<Exec>(s.direct.max_bodies != 0)) direct_relax(exec, s);
    row_pass<kernels::RowPass::kRelax>(exec, s);
  }
  if (!solver.elastic) dissipate(exec, s, substep);
  exec.mark(Stage::kRelax);
}

}  // namespace cairn
