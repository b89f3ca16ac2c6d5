#include "tools/cairn/judge.h"

#include <algorithm>
#include <cmath>

namespace cairn::cli {

Judge::Judge(std::span<const Source> worlds) {
  for (const Source& source : worlds) {
    const std::vector<Body>& bodies = source.scene.bodies();
    const auto dynamic = std::count_if(bodies.begin(), bodies.end(),
                                       [](const Body& b) { return b.type == BodyType::kDynamic && b.enabled; });
    worlds_.push_back({QualityMeter(source.scene, source.rules), bodies.size(), static_cast<std::size_t>(dynamic)});
  }
}

void Judge::observe(const World& world) {
  each(worlds_, world, [](Watched& w, std::span<const BodyState> states) { w.meter.observe(states); });
}

std::vector<double> Judge::excursions() const {
  std::vector<double> all;
  for (const Watched& w : worlds_) all.push_back(w.meter.max_excursion());
  return all;
}

void Judge::observe(std::span<const double> excursions) {
  for (std::size_t w = 0; w < worlds_.size(); ++w) worlds_[w].meter.observe(excursions[w]);
}

Quality Judge::measure(const World& world) const {
  if (worlds_.size() == 1) return worlds_[0].meter.measure(world);
  Quality all;
  double depths = 0, speeds = 0, bodies = 0, height_loss = -HUGE_VAL;
  each(worlds_, world, [&](const Watched& w, std::span<const BodyState> states) {
    const Quality q = w.meter.measure(states);
    const auto n = static_cast<double>(w.dynamic);
    all.max_penetration = std::max(all.max_penetration, q.max_penetration);
    depths += q.mean_penetration * static_cast<double>(q.overlaps);
    all.overlaps += q.overlaps;
    all.max_drift = std::max(all.max_drift, q.max_drift);
    all.max_excursion = std::max(all.max_excursion, q.max_excursion);
    height_loss = std::max(height_loss, q.height_loss);
    speeds += n * q.rms_speed * q.rms_speed;
    bodies += n;
    all.kinetic_energy += q.kinetic_energy;
    all.potential_energy += q.potential_energy;
    all.momentum = {all.momentum.x + q.momentum.x, all.momentum.y + q.momentum.y, all.momentum.z + q.momentum.z};
    all.fallen += q.fallen;
    all.finite = all.finite && q.finite;
  });
  all.height_loss = height_loss;
  if (all.overlaps != 0) all.mean_penetration = depths / static_cast<double>(all.overlaps);
  if (bodies != 0) all.rms_speed = std::sqrt(speeds / bodies);
  return all;
}

}  // namespace cairn::cli
