#pragma once

#include "kernels/exchange/exchange.h"
#include "src/step_context.h"

namespace cairn {

/// The user changed states of chosen worlds: they wake, and after new poses their contacts end.
template <class Exec>
void notify(Exec& exec, const StepContext& s, const kernels::Selection& selection, bool poses) {
  const std::uint32_t last = s.constants.parity ^ 1u;
  if (poses) {
    exec.for_each(&s.state->pair_count[last], s.constants.pair_capacity,
                  kernels::ResetPair{s.bodies, s.shapes, s.pairs[last], selection});
  }
  exec.for_each(s.constants.body_count, kernels::NotifyBody{s.bodies, selection, poses});
}

/// The same of articulations.
template <class Exec>
void exchange_articulations(Exec& exec, const StepContext& s, const ExchangeContext& e) {
  const kernels::ArticulationExchange all{s.links, e.articulation_of, e.articulations, {e.chosen}};
  if (e.what == ExchangeContext::What::kReadArticulations) {
    exec.for_each(s.links.count, kernels::ReadArticulation{all});
    return;
  }
  exec.for_each(s.constants.world_count, kernels::ForgetRefused{e.refused});
  exec.for_each(s.links.count, kernels::CheckArticulation{all, s.bodies, s.worlds, s.state, e.refused});
  kernels::ArticulationExchange taken = all;
  taken.selection = {e.chosen, e.refused};
  notify(exec, s, taken.selection, e.articulations.q.data != nullptr);
  exec.for_each(s.links.count, kernels::WriteArticulation{taken, s.bodies, e.frames});
}

/// The same of forces, inertia and limits along their rates.
template <class Exec>
void exchange_articulation_joints(Exec& exec, const StepContext& s, const ExchangeContext& e) {
  kernels::ArticulationJointExchange all{s.links, e.articulation_of, e.articulation_joints, {e.chosen}};
  if (e.what == ExchangeContext::What::kReadArticulationJoints) {
    exec.for_each(s.links.count, kernels::ReadArticulationJoints{all});
    return;
  }
  exec.for_each(s.constants.world_count, kernels::ForgetRefused{e.refused});
  exec.for_each(s.links.count, kernels::CheckArticulationJoints{all, s.worlds, s.state, e.refused});
  all.selection.refused = e.refused;
  notify(exec, s, all.selection, false);
  exec.for_each(s.links.count, kernels::WriteArticulationJoints{all});
}

/// The same of joints.
template <class Exec>
void exchange_joints(Exec& exec, const StepContext& s, const ExchangeContext& e) {
  kernels::JointExchange all{s.joints, e.joint_of, e.joints, {e.chosen}};
  if (e.what == ExchangeContext::What::kReadJoints) {
    exec.for_each(e.joint_rows, kernels::ReadJoint{all});
    return;
  }
  exec.for_each(s.constants.world_count, kernels::ForgetRefused{e.refused});
  exec.for_each(e.joint_rows, kernels::CheckJoint{all, s.worlds, s.state, e.refused});
  all.selection.refused = e.refused;
  notify(exec, s, all.selection, false);
  exec.for_each(e.joint_rows, kernels::WriteJoint{all});
}

/// States of bodies <-> the user's arrays. Like a step, it does nothing while an earlier step waits for more capacity.
template <class Exec>
void exchange(Exec& exec, const StepContext& s, const ExchangeContext& e) {
  exec.guard(&s.state->overflow);
  const kernels::Selection chosen{e.chosen};
  switch (e.what) {
    case ExchangeContext::What::kRead:
      exec.for_each(e.rows, kernels::ReadState{s.bodies, e.frames, e.columns, chosen});
      break;
    case ExchangeContext::What::kWrite: {
      const kernels::Selection taken{e.chosen, e.refused};
      exec.for_each(s.constants.world_count, kernels::ForgetRefused{e.refused});
      exec.for_each(e.rows, kernels::CheckState{s.bodies, e.frames, s.worlds, s.state, e.columns, chosen, e.refused});
      notify(exec, s, taken, e.columns.position.data != nullptr);
      exec.for_each(e.rows, kernels::WriteState{s.bodies, e.frames, e.columns, taken});
      break;
    }
    case ExchangeContext::What::kNotify:
      notify(exec, s, chosen, e.poses);
      if (!e.motions) break;
      exec.for_each(s.links.count, kernels::PlaceLinks{{s.links, e.articulation_of, {}, chosen}, s.bodies, e.frames});
      break;
    case ExchangeContext::What::kMove: {
      const kernels::MoveTargets all{s.bodies, e.frames, e.columns, e.dt, chosen};
      kernels::MoveTargets taken = all;
      taken.selection.refused = e.refused;
      exec.for_each(s.constants.world_count, kernels::ForgetRefused{e.refused});
      exec.for_each(e.rows, kernels::CheckMove{all, s.worlds, s.state, e.refused});
      notify(exec, s, taken.selection, false);
      exec.for_each(e.rows, kernels::WriteMove{taken});
      break;
    }
    case ExchangeContext::What::kPush:
      exec.for_each(s.constants.body_count, kernels::PushClear{s.bodies});
      exec.for_each(e.pushes.rows, kernels::PushBody{s.bodies, e.pushes});
      exec.for_each(s.constants.body_count, kernels::PushWake{s.bodies});
      break;
    case ExchangeContext::What::kReadArticulations:
    case ExchangeContext::What::kWriteArticulations:
      exchange_articulations(exec, s, e);
      break;
    case ExchangeContext::What::kReadArticulationJoints:
    case ExchangeContext::What::kWriteArticulationJoints:
      exchange_articulation_joints(exec, s, e);
      break;
    case ExchangeContext::What::kReadJoints:
    case ExchangeContext::What::kWriteJoints:
      exchange_joints(exec, s, e);
      break;
  }
}

}  // namespace cairn
