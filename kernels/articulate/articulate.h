#pragma once
// The step of articulations.

#include "kernels/articulate/substep.h"

namespace cairn::kernels::articulate {

/// Semi-implicit Euler, substep by substep: v += h a, q += h v with M a + C = what acts along the rates, C in the
/// middle of the substep, and what acts by Law at its end. What would leave kMost stays where it is, and stops.
/// Writes the lanes of articulation i only. One thread an articulation.
struct Articulate {
  Batch b;
  double h;                ///< [s] of a substep
  std::uint32_t substeps;  ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (b.stopped[i] != 0) return;
    const Lanes l{b, i};
    const Substep substep{b, h};
    for (std::uint32_t s = 0; s < substeps; ++s) {
      substep.solve(l, DofModes{l});
      if (!substep.sound(l)) {
        b.stopped[i] = 1;
        return;
      }
      for (std::uint32_t n = 0; n < b.nodes; ++n) substep.advance(b.node[n], l);
      for (std::uint32_t d = 0; d < b.dofs; ++d) l.v()[d] = l.dof(d)[kRate];
    }
  }
};

}  // namespace cairn::kernels::articulate
