#pragma once
// Quality of all worlds of a batch.

#include <span>
#include <vector>

#include "cairn/quality.h"
#include "cairn/world.h"
#include "tools/cairn/source.h"

namespace cairn::cli {

/// A QualityMeter for each world. Depths, drifts and losses are the max over all worlds, counts and energies their
/// sums, and means are over all overlaps and bodies.
class Judge {
 public:
  explicit Judge(std::span<const Source> worlds);
  void observe(const World& world);
  /// [m] Max of each world so far; and to continue from.
  std::vector<double> excursions() const;
  void observe(std::span<const double> excursions);
  Quality measure(const World& world) const;

 private:
  struct Watched {
    QualityMeter meter;
    std::size_t bodies;   ///< [1]
    std::size_t dynamic;  ///< [1] among them
  };
  /// Calls f(watched, states) for each world.
  template <class Worlds, class F>
  static void each(Worlds& worlds, const World& world, F f) {
    std::vector<BodyState> states(world.body_count());
    world.read_states(states);
    std::size_t first = 0;
    for (auto& watched : worlds) {
      f(watched, std::span<const BodyState>(states).subspan(first, watched.bodies));
      first += watched.bodies;
    }
  }

  std::vector<Watched> worlds_;
};

}  // namespace cairn::cli
