#pragma once

#include "kernels/direct/order.h"
#include "kernels/direct/solve.h"
#include "src/step_context.h"

namespace cairn {

inline kernels::Islands islands_of(const StepContext& s) {
  return {s.constants,
          s.bodies,
          s.shapes,
          s.worlds,
          s.pairs[s.constants.parity],
          s.parts,
          s.direct.bodies,
          s.direct.end,
          s.direct.max_bodies,
          s.direct.mass_ratio};
}

/// Contacts with their colours -> the islands that are solved directly, each with its own order of bodies.
template <class Exec>
void find_islands(Exec& exec, const StepContext& s) {
  const kernels::Direct& d = s.direct.bodies;
  const std::uint32_t bodies = s.constants.body_count;
  const std::uint32_t* pairs = &s.state->pair_count[s.constants.parity];
  const std::uint32_t capacity = s.constants.pair_capacity;
  const kernels::Islands islands = islands_of(s);
  exec.for_each(bodies + 1, kernels::IslandStart{islands});
  exec.for_each(pairs, capacity, kernels::IslandJoin{islands});
  exec.for_each(bodies, kernels::IslandLabel{islands});
  exec.for_each(pairs, capacity, kernels::IslandCount{islands, s.materials, s.restitution, s.rolling});
  exec.for_each(s.joint_layout.count, kernels::IslandRefuseJoint{islands, s.joints});
  exec.for_each(bodies, kernels::IslandMark{islands});
  exec.exclusive_scan(d.number, bodies, d.number + bodies);
  exec.exclusive_scan(d.room, bodies, d.room + bodies);
  exec.exclusive_scan(d.end_begin, bodies, d.end_begin + bodies);
  exec.for_each(bodies + 1, kernels::IslandBegin{islands});
  exec.for_each(bodies, kernels::IslandBodies{islands});
  exec.for_each(pairs, capacity, kernels::IslandEnds{islands});
  exec.for_each(bodies, kernels::IslandSort{islands});
  exec.each_group(d.number, d.number + bodies, bodies, kernels::IslandOrder{islands});
}

/// Slots of the islands' rows -> the islands' lists of rows.
template <class Exec>
void list_island_rows(Exec& exec, const StepContext& s) {
  const kernels::Islands islands = islands_of(s);
  exec.each_row(s.parts, s.constants.pair_capacity, kernels::IslandSlots{s.work, s.parts, s.work.pending});
  exec.for_each(s.constants.body_count, kernels::IslandRows{islands, s.work.pending});
}

/// Velocities -> velocities with the contacts of all directly solved islands, all at once.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void direct_pass(Exec& exec, const StepContext& s, bool carried) {
  exec.each_island(s.parts, s.direct.bodies.number,
                   kernels::DirectSolve{s.constants, s.bodies.solve, s.rows, s.direct.bodies, s.direct.places,
                                        s.direct.rows, s.direct.end, carried});
}

/// After the motion: removes the velocities of depenetration.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void direct_relax(Exec& exec, const StepContext& s) {
  exec.each_island(s.parts, s.direct.bodies.number,
                   kernels::DirectRelax{s.bodies.solve, s.direct.bodies, s.direct.places});
}

}  // namespace cairn
