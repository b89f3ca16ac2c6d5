#pragma once

#include "kernels/common/rounds.h"
#include "kernels/common/rows.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// A pass over the cold rows alone (kernels/collide/cold.h).
template <class Row>
struct ColdRows {
  Row of;
  AskedRounds rounds;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    if (rounds.over()) return;
    each(slot, T{});
  }

 private:
  CAIRN_HD bool is_cold(std::uint32_t slot) const {
    return of.rows[slot / kRowLanes].cold[slot % kRowLanes] > 0.0f;
  }
  CAIRN_HD void each(std::uint32_t slot, float) const {
    if (is_cold(slot)) of.template row<float>(slot);
  }
#if !defined(__CUDA_ARCH__)
  /// Lanes of a pack give the bits that they give one by one, and those that aren't cold must keep theirs.
  CAIRN_HD void each(std::uint32_t slot, Pack) const {
    std::uint32_t cold = 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) cold += is_cold(slot + i) ? 1 : 0;
    if (cold == kPackLanes) return of.template row<Pack>(slot);
    for (std::uint32_t i = 0; cold != 0 && i < kPackLanes; ++i) each(slot + i, 0.0f);
  }
#endif
};

}  // namespace cairn::kernels
