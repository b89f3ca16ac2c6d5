#pragma once

#include "kernels/articulations/articulate.h"
#include "kernels/articulations/inverse.h"
#include "kernels/articulations/mass_matrix.h"
#include "kernels/articulations/place.h"
#include "src/articulations/articulate_context.h"

namespace cairn {

/// One worker an articulation, for every task.
template <class Exec>
void articulate(Exec& exec, const ArticulateContext& a) {
  namespace k = kernels::articulate;
  using What = ArticulateContext::What;
  const std::uint32_t n = a.batch.count;
  switch (a.what) {
    case What::kForward:
      exec.each_worker(n, k::ForwardDynamics{a.batch});
      break;
    case What::kInverse:
      exec.each_worker(n, k::InverseDynamics{a.batch});
      break;
    case What::kMass:
      exec.each_worker(n, k::MassMatrix{a.batch});
      break;
    case What::kJacobian:
      exec.each_worker(n, k::Jacobian{a.batch, a.link, a.point});
      break;
    case What::kLinks:
      exec.each_worker(n, k::LinkStates{a.batch});
      break;
    case What::kStep:
      exec.each_worker(n, k::Articulate{a.batch, a.h, a.substeps});
      break;
  }
}

}  // namespace cairn
