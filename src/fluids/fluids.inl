#pragma once

#include <bit>

#include "kernels/fluids/density.h"
#include "kernels/fluids/neighbours.h"
#include "kernels/fluids/pressure.h"
#include "kernels/fluids/viscosity.h"
#include "kernels/fluids/wall.h"
#include "src/step_context.h"

namespace cairn {

/// Poses -> neighbours of fluid particles: count, scan, fill. Sets the overflow flag if they exceed the capacity. Once
/// a step, as a part of `pair`.
template <class Exec>
void fluid_neighbours(Exec& exec, const StepContext& s) {
  const kernels::Fluids& fluids = s.fluids;
  if (fluids.count == 0) return;
  exec.for_each(fluids.count, kernels::NeighbourBucket{s.bodies, fluids});
  exec.sort(fluids.at.bucket, fluids.at.sorted_bucket, fluids.at.sorted, fluids.count,
            std::bit_width(fluids.buckets - 1));
  exec.find_begins(fluids.at.sorted_bucket, fluids.count, fluids.buckets, fluids.bucket_begin);
  const kernels::NeighbourQuery query{s.constants, s.bodies, fluids};
  exec.for_each(fluids.count, kernels::NeighbourCount{query});
  exec.exclusive_scan(fluids.at.neighbour_begin, fluids.count, &s.state->neighbour_needed);
  exec.for_each(fluids.count, kernels::SumWrap{fluids.at.neighbour_begin, fluids.count, &s.state->neighbour_needed,
                                               &s.state->neighbour_wrapped});
  exec.single(kernels::NeighbourCheck{fluids, s.state});
  exec.for_each(fluids.count, kernels::NeighbourFill{query});
}

/// Manifolds -> solids by particle, and particles by solid. Once a step, as a part of `prepare`.
template <class Exec>
void fluid_walls(Exec& exec, const StepContext& s) {
  const kernels::Fluids& fluids = s.fluids;
  if (fluids.count == 0) return;
  const kernels::FluidWalls& walls = fluids.walls;
  const std::uint32_t now = s.constants.parity, capacity = s.constants.pair_capacity, bodies = s.constants.body_count;
  const std::uint32_t* pairs = &s.state->pair_count[now];
  exec.for_each(pairs, capacity, kernels::WallOfPair{s.constants, s.bodies, s.shapes, s.pairs[now], fluids});
  exec.sort(walls.particle, walls.sorted_particle, walls.order, pairs, capacity, std::bit_width(fluids.count));
  exec.find_begins(walls.sorted_particle, pairs, capacity, kernels::AsItIs{}, fluids.count, fluids.at.wall_begin);
  exec.sort(walls.solid, walls.sorted_solid, walls.solid_order, pairs, capacity, std::bit_width(bodies));
  exec.find_begins(walls.sorted_solid, pairs, capacity, kernels::AsItIs{}, bodies, fluids.solid_begin);
}

/// Predicted positions -> velocities that keep the fluids from being denser than at rest.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void fluids(Exec& exec, const StepContext& s) {
  if (!may_have<Exec>(s.fluids.count != 0)) return;
  exec.enter(Stage::kFluids);
  const kernels::FluidPass pass{s.constants, s.bodies, s.fluids};
  if (s.fluids.viscous != 0) {
    const float part = 1.0f / static_cast<float>(s.fluids.sweeps);
    exec.each_body(s.fluid_parts, kernels::PlaceFluid{pass, false});
    exec.each_body(s.fluid_parts, kernels::ViscosityDrag{{pass, part, 0.0f}});
    for (std::uint32_t sweep = 0; sweep < s.fluids.sweeps; ++sweep) {
      const kernels::ViscosityPass viscosity{pass, part, sweep == 0 ? 1.0f : 0.0f};
      exec.each_body(s.fluid_parts, kernels::Viscosity{viscosity});
      exec.each_body(s.fluid_parts, kernels::TakeViscosity{viscosity});
    }
  }
  for (std::uint32_t sweep = 0; sweep < s.fluids.sweeps; ++sweep) {
    exec.each_body(s.fluid_parts, kernels::PlaceFluid{pass, sweep == 0});
    exec.each_body(s.fluid_parts, kernels::FluidDensity{pass});
    exec.each_body(s.fluid_parts, kernels::FluidPressure{pass});
    exec.each_body(s.parts, kernels::PushSolid{pass});
  }
  exec.mark(Stage::kFluids);
}

}  // namespace cairn
