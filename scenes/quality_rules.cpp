#include "scenes/quality_rules.h"

#include <algorithm>
#include <vector>

namespace cairn::scenes {
namespace {

// Each of a lattice's layers starts at its own height, so that a body's layer is the rank of its height.
std::vector<double> layer_heights(const Scene& scene) {
  std::vector<double> starts;
  for (const Body& body : scene.bodies()) {
    if (body.type == BodyType::kDynamic) starts.push_back(body.position.z);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  std::vector<double> heights;
  for (const Body& body : scene.bodies()) {
    const auto layer = std::lower_bound(starts.begin(), starts.end(), body.position.z) - starts.begin();
    heights.push_back(static_cast<double>(layer) + 0.5);
  }
  return heights;
}

}  // namespace

QualityRules quality_rules(const Built& built) {
  QualityRules rules;
  if (built.nominal_height > 0) rules.nominal_height = built.nominal_height;
  switch (built.rule) {
    case FallenRule::kDefault:
      break;
    case FallenRule::kLattice:
      rules.fallen = cairn::FallenRule::kLayer;
      rules.layer_height = layer_heights(built.scene);
      break;
    case FallenRule::kBin:
      rules.fallen = cairn::FallenRule::kBin;
      rules.bin_min = built.bin_min;
      rules.bin_max = built.bin_max;
      break;
    case FallenRule::kNever:
      rules.fallen = cairn::FallenRule::kNever;
      break;
  }
  return rules;
}

}  // namespace cairn::scenes
