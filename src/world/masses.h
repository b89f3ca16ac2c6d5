#pragma once
// Which masses may meet in a world: where all are alike, no islands are looked for that are solved directly for their
// ratio (kernels/direct/direct_islands.h).

#include <cstdint>
#include <limits>
#include <vector>

#include "cairn/random.h"
#include "src/world/frame.h"

namespace cairn {

/// Bounds on the masses that the dynamic bodies of each world have; bodies that were removed may still count. Links
/// don't: they are in no such island.
class MassRanges {
 public:
  /// Knows nothing of any of so many worlds, but for the scales.
  void restart(std::size_t worlds);
  void take(const BodySlot& slot);
  /// Bodies may have scales of their own from `least` to `most`. Those of worlds change no ratio.
  void take_own(const BodyScales& least, const BodyScales& most);
  /// Bodies may have any.
  void take_any_own();

  /// [1] At least the largest in any world, of a body's mass to another's.
  double ratio() const;

 private:
  struct Range {
    double least{std::numeric_limits<double>::infinity()}, most{0};  ///< [kg]
  };
  std::vector<Range> of_;           ///< (worlds)
  double widest_{1};                ///< [1]
  double own_min_{1}, own_max_{1};  ///< [1] of a body's mass, by its own scales
};

}  // namespace cairn
