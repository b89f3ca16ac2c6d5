#pragma once
// Inputs of the algorithms of articulations.

#include "kernels/articulations/model.h"

namespace cairn {

struct ArticulateContext {
  enum class What { kForward, kInverse, kMass, kJacobian, kLinks, kStep };
  What what{What::kStep};
  kernels::articulate::Batch batch{};
  double h{0};                ///< [s] kStep, of a substep
  std::uint32_t substeps{1};  ///< [1] kStep
  std::uint32_t link{0};      ///< [1] kJacobian
  Vec3d point;                ///< [m] the same
};

/// In src/articulations/articulate_cpu.cpp and articulate_cuda.cu.
template <class Exec>
void articulate(Exec& exec, const ArticulateContext& a);

}  // namespace cairn
