#pragma once
// The algorithms of articulations.

#include <variant>

#include "kernels/articulations/articulate.h"
#include "kernels/articulations/inverse.h"
#include "kernels/articulations/mass_matrix.h"
#include "kernels/articulations/place.h"

namespace cairn {

/// One of them, for a batch.
struct ArticulateContext {
  std::variant<kernels::articulate::Articulate, kernels::articulate::ForwardDynamics,
               kernels::articulate::InverseDynamics, kernels::articulate::MassMatrix, kernels::articulate::Jacobian,
               kernels::articulate::LinkStates>
      task;
};

/// In src/articulations/articulate_cpu.cpp and articulate_cuda.cu.
template <class Exec>
void articulate(Exec& exec, const ArticulateContext& a);

}  // namespace cairn
