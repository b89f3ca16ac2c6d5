#pragma once
// The step of articulations.

#include "kernels/articulations/substep.h"

namespace cairn::kernels::articulate {

/// Semi-implicit Euler, substep by substep: v += h a, q += h v with M a + C = the forces along the rates, C in the
/// middle of the substep, and forces of a Law at its end. An articulation that would exceed kMax goes back to the
/// step's start, and stops. Writes the lanes of articulation i only. One thread per articulation.
struct Articulate {
  Batch b;
  double h;                ///< [s] of a substep
  std::uint32_t substeps;  ///< [1]
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (b.stopped[i] != 0) return;
    const Lanes l{b, i};
    const Substep substep{b, h};
    const Lane was_q = l.coordinates(b.was_q), was_v = l.rates(b.was_v);
    copy(l.q(), was_q, b.coordinates);
    copy(l.v(), was_v, b.dofs);
    for (std::uint32_t s = 0; s < substeps; ++s) {
      substep.solve(Alone{}, l, DofModes{l});
      if (!substep.sound(Alone{}, l)) {
        b.stopped[i] = 1;
        copy(was_q, l.q(), b.coordinates);
        copy(was_v, l.v(), b.dofs);
        return;
      }
      substep.begin_advance(Alone{}, l);
      for (std::uint32_t n = 0; n < b.nodes; ++n) substep.advance(b.node[n], l);
      for (std::uint32_t d = 0; d < b.dofs; ++d) l.v()[d] = l.dof(d)[kRate];
    }
  }
};

}  // namespace cairn::kernels::articulate
