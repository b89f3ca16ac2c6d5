#pragma once
// Ratios of masses in a world: if all masses are alike, no islands are searched for a direct solution because of their
// ratio (kernels/direct/direct_islands.h).

#include <cstdint>
#include <limits>
#include <vector>

#include "cairn/random.h"
#include "src/world/frame.h"

namespace cairn {

/// Bounds on the masses of each world's dynamic bodies; removed bodies may still count. Links don't count: they are in
/// no such island.
class MassRanges {
 public:
  /// Starts over for so many worlds; keeps the bounds of scales.
  void restart(std::size_t worlds);
  void take(const BodySlot& slot);
  /// Bodies may have their own scales from `least` to `most`. Scales of worlds change no ratio.
  void take_own(const BodyScales& least, const BodyScales& most);
  /// Bodies may have any scales.
  void take_any_own();

  /// [1] Upper bound over all worlds of a body's mass over another's.
  double ratio() const;

 private:
  struct Range {
    double min{std::numeric_limits<double>::infinity()}, max{0};  ///< [kg]
  };
  std::vector<Range> of_;           ///< (worlds)
  double widest_{1};                ///< [1]
  double own_min_{1}, own_max_{1};  ///< [1] of a body's mass, by its own scales
};

}  // namespace cairn
