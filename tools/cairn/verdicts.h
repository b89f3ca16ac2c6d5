#pragma once
// Rate at which a solver is right about structures whose stability is known.

#include <cstdint>

#include "cairn/device.h"
#include "cairn/params.h"
#include "tools/cairn/planar.h"

namespace cairn::cli {

struct Verdicts {
  std::uint32_t standing{0}, stood{0};  ///< [1] cases that can stand, and those of them that did
  std::uint32_t falling{0}, fell{0};    ///< [1] cases that can't, and those of them that fell

  double right() const { return static_cast<double>(stood + fell) / static_cast<double>(standing + falling); }
};

/// Cases of a family from seed `first` on, each on either side of its limit by the share `margin` of it, in batches.
/// One with a status bit, or a body that moved over 0.2 m in `seconds`, fell. Blocks are about 1 m long.
Verdicts judge(const Family& family, std::uint64_t first, std::uint32_t cases, double margin, const StepParams& params,
               const Device& device, double seconds);

}  // namespace cairn::cli
