#pragma once

#include "kernels/articulations/in_world.h"
#include "kernels/prepare/effective_mass.h"
#include "src/step_context.h"

namespace cairn {

CAIRN_BOTH inline kernels::ArticulationPass articulation_pass(const StepContext& s) {
  return {s.constants, s.bodies, s.worlds, s.links};
}

CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void effective_masses(Exec& exec, const StepContext& s, bool renewed = false) {
  exec.rows(s.parts, s.row_capacity, kernels::RowEffectiveMass{s.links, s.rows, s.rolling, renewed});
}

/// Forces, drives and joints of a substep -> velocities of links, and their responses to rows.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void articulation_predict(Exec& exec, const StepContext& s, int substep) {
  if (!may_have<Exec>(s.links.count != 0)) return;
  const bool carries = substep != 0 && s.solver.later == kernels::Guess::kCarry;
  exec.each_body(s.articulation_parts,
                 kernels::ArticulationPredict{articulation_pass(s), s.state, substep == 0, carries});
  effective_masses(exec, s);
}

/// Impulses of rows -> rates that friction, limits and drives hold then, and the velocities with them.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void articulation_settle(Exec& exec, const StepContext& s) {
  if (!may_have<Exec>(s.links.count != 0)) return;
  exec.each_body(s.articulation_parts, kernels::ArticulationSettle{articulation_pass(s)});
  effective_masses(exec, s, true);
}

/// Velocities -> pose at the substep's end, for its rows.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void articulation_turn(Exec& exec, const StepContext& s) {
  if (!may_have<Exec>(s.links.joined != 0)) return;
  exec.each_body(s.articulation_parts, kernels::ArticulationTurn{articulation_pass(s)});
  effective_masses(exec, s);
}

CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void articulation_advance(Exec& exec, const StepContext& s) {
  if (!may_have<Exec>(s.links.count != 0)) return;
  exec.each_body(s.articulation_parts, kernels::ArticulationAdvance{articulation_pass(s)});
}

}  // namespace cairn
