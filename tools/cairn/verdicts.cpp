#include "tools/cairn/verdicts.h"

#include <cmath>
#include <vector>

#include "tools/cairn/judge.h"
#include "tools/cairn/simulate.h"

namespace cairn::cli {

Verdicts judge(const Family& family, std::uint64_t first, std::uint32_t cases, double margin, const StepParams& params,
               const Device& device, double seconds) {
  constexpr double kFallen = 0.2;        ///< [m]
  constexpr std::uint32_t kBatch = 500;  ///< [1] worlds at once, so that memory stays small
  Verdicts verdicts;
  std::vector<Source> sources;
  std::vector<bool> stands;
  const auto run = [&] {
    if (sources.empty()) return;
    World world = make_world(sources, {.device = device});
    Judge meters(sources);
    const std::int64_t steps = std::llround(seconds / double{params.dt});
    for (std::int64_t i = 0; i < steps; ++i) {
      world.step();
      if (i % 10 == 9 || i + 1 == steps) meters.observe(world);
    }
    const std::vector<double> moved = meters.excursions();
    const std::vector<WorldReport> reports = world.reports();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const bool fell = !(moved[i] <= kFallen) || reports[i].status != 0;
      (stands[i] ? verdicts.standing : verdicts.falling) += 1;
      if (stands[i] && !fell) verdicts.stood += 1;
      if (!stands[i] && fell) verdicts.fell += 1;
    }
    sources.clear();
    stands.clear();
  };
  std::uint64_t seed = first;
  for (std::uint32_t n = 0; n < cases; ++seed) {
    const double limit = limit_of(family, seed);
    if (!std::isfinite(limit)) continue;
    ++n;
    for (const double side : {1 - margin, 1 + margin}) {
      Source source{family.name, family.make(seed, side * limit).scene, {}, {}};
      source.scene.set_params(params);
      sources.push_back(std::move(source));
      stands.push_back((side > 1) == family.stands_above);
    }
    if (sources.size() >= kBatch) run();
  }
  run();
  return verdicts;
}

}  // namespace cairn::cli
