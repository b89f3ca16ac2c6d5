#pragma once
// The runs whose hashes are in tests/determinism/golden.json.

#include <iterator>
#include <string>
#include <vector>

#include "scenes/builtin.h"
#include "tests/support/builders.h"
#include "tests/support/golden_file.h"
#include "tests/support/variants.h"

namespace cairn::testing_support {

inline constexpr int kSteps = 130;
inline constexpr const char* kScenes[] = {"tower:height=8",
                                          "wall:base=8",
                                          "pyramid:base=5",
                                          "lattice:n=4",
                                          "pile:count=70",
                                          "heavy:height=4,ratio=100",
                                          "slope:height=3",
                                          "spinner",
                                          "rain:count=50,kinds=3",
                                          "shapes",
                                          "grains:count=80,rolling=0.1",
                                          "rubble:count=40",
                                          "conveyor:count=12"};
inline constexpr const char* kJointScenes[] = {"ragdolls:count=2", "four_bar", "gear_train", "wheel_drop"};
inline constexpr const char* kArticulatedScenes[] = {"quadrupeds:count=2", "delta"};
inline constexpr const char* kParticleScenes[] = {"rope:segments=8,sweeps=4", "cloth:side=10", "jelly:cells=2",
                                                  "dam_break:side=5", "flag:rows=6"};

/// All that a variant can solve: avbd knows no joints, nor Jacobi sweeps articulations.
inline std::vector<const char*> specs_of(const Variant& variant) {
  std::vector<const char*> specs(std::begin(kScenes), std::end(kScenes));
  specs.insert(specs.end(), std::begin(kParticleScenes), std::end(kParticleScenes));
  const StepParams params = variant.change({});
  if (params.solver == SolverKind::kAvbd) return specs;
  specs.insert(specs.end(), std::begin(kJointScenes), std::end(kJointScenes));
  if (params.solver == SolverKind::kXpbd && params.sweep == SweepKind::kJacobi) return specs;
  specs.insert(specs.end(), std::begin(kArticulatedScenes), std::end(kArticulatedScenes));
  return specs;
}

/// The other way about.
inline std::vector<Variant> variants_of(const std::string& spec) {
  std::vector<Variant> variants;
  for (const Variant& variant : kVariants) {
    for (const char* each : specs_of(variant)) {
      if (spec == each) variants.push_back(variant);
    }
  }
  return variants;
}

/// In the order of golden.json.
inline std::vector<const char*> all_specs() { return specs_of(kVariants[0]); }

/// Hashes of a run, every tenth step.
inline std::vector<std::string> hashes(const std::string& spec, const Variant& variant, int threads,
                                       int steps = kSteps) {
  World world = world_of(scenes::make(spec, kSeed), variant, cpu(threads));
  std::vector<std::string> all;
  for (int i = 1; i <= steps; ++i) {
    world.step();
    if (i % 10 == 0) all.push_back(hex(world.state_hash()));
  }
  EXPECT_EQ(world.report().status, 0u) << spec;
  return all;
}

}  // namespace cairn::testing_support
