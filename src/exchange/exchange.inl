#pragma once

#include "kernels/exchange/exchange.h"
#include "kernels/sleep/sleep.h"
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

// What the user's columns are rows of.

inline kernels::StateExchange rows_of(const StepContext& s, const ExchangeContext& e, const kernels::StateColumns& of) {
  return {{s.bodies, e.frames, of}};
}
inline kernels::ArticulationExchange rows_of(const StepContext& s, const ExchangeContext& e,
                                             const kernels::ArticulationColumns& of) {
  return {{s.links, e.articulation_of}, of, s.bodies, e.frames};
}
inline kernels::ArticulationJointExchange rows_of(const StepContext& s, const ExchangeContext& e,
                                                  const kernels::ArticulationJointColumns& of) {
  return {{s.links, e.articulation_of}, of};
}
inline kernels::JointExchange rows_of(const StepContext& s, const ExchangeContext& e, const kernels::JointColumns& of) {
  return {s.joints, e.joint_of, of};
}
inline kernels::MaterialExchange rows_of(const StepContext& s, const ExchangeContext& e,
                                         const kernels::MaterialColumns& of) {
  return {s.worlds, e.materials, of};
}

/// Applies rows in worlds where none breaks a rule.
template <class Exec, class Rows>
void write_rows(Exec& exec, const StepContext& s, const ExchangeContext& e, const Rows& rows) {
  const kernels::Selection chosen{e.chosen}, taken{e.chosen, e.refused};
  bool poses = false;
  if constexpr (requires { rows.moves(); }) poses = rows.moves();
  exec.for_each(s.constants.world_count, kernels::Fill<std::uint32_t>{e.refused, 0});
  exec.for_each(e.rows, kernels::CheckRow<Rows>{rows, chosen, s.worlds, s.state, e.refused});
  notify(exec, s, taken, poses);
  exec.for_each(e.rows, kernels::WriteRow<Rows>{rows, taken});
}

/// Rows of the user's arrays <-> the World's. Like a step, it does nothing while an earlier step waits for more
/// capacity.
template <class Exec>
void exchange(Exec& exec, const StepContext& s, const ExchangeContext& e) {
  exec.guard(&s.state->overflow);
  const kernels::Selection chosen{e.chosen};
  const auto with_rows = [&](const auto& f) {
    std::visit([&](const auto& columns) { f(rows_of(s, e, columns)); }, e.columns);
  };
  switch (e.what) {
    case ExchangeContext::What::kRead:
      with_rows([&]<class Rows>(const Rows& rows) { exec.for_each(e.rows, kernels::ReadRow<Rows>{rows, chosen}); });
      break;
    case ExchangeContext::What::kWrite:
      with_rows([&](const auto& rows) { write_rows(exec, s, e, rows); });
      break;
    case ExchangeContext::What::kMove: {
      const auto& poses = std::get<kernels::StateColumns>(e.columns);
      write_rows(exec, s, e, kernels::MoveExchange{{s.bodies, e.frames, poses}, e.dt});
      break;
    }
    case ExchangeContext::What::kNotify:
      notify(exec, s, chosen, e.poses);
      if (!e.motions) break;
      exec.for_each(s.links.count, kernels::PlaceLinks{rows_of(s, e, kernels::ArticulationColumns{}), chosen});
      break;
    case ExchangeContext::What::kPush:
      exec.for_each(s.constants.body_count, kernels::Fill<std::uint32_t>{s.bodies.wake, 0});
      exec.for_each(e.pushes.rows, kernels::PushBody{s.bodies, e.pushes});
      exec.for_each(s.constants.body_count, kernels::WakeIsland{s.bodies, 0});
      break;
  }
}

}  // namespace cairn
