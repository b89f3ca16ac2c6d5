#pragma once
// What a scene is solved by, where all of it must give the same bits.

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/world.h"
#include "src/solve/traits.h"

namespace cairn::testing_support {

inline constexpr std::uint64_t kSeed = 1;

/// The solvers; the lively ones give every stage something to do.
struct Variant {
  const char* name;
  StepParams (*change)(StepParams);
  bool lively{false};  ///< all materials bounce and resist rolling
};
constexpr StepParams sleepy(StepParams p) {
  p.sleeping = true;
  p.sleep_speed = 0.05f;
  p.sleep_time = 0.2f;
  return p;
}
template <SweepKind kSweep>
constexpr StepParams xpbd(StepParams p) {
  p.solver = SolverKind::kXpbd;
  p.sweep = kSweep;
  return p;
}
constexpr StepParams sequential_impulse(StepParams p) {
  p.solver = SolverKind::kSequentialImpulse;
  return p;
}
constexpr StepParams avbd(StepParams p) {
  p.solver = SolverKind::kAvbd;
  return p;
}
/// Small islands are solved directly, the others by as many passes as they need.
constexpr StepParams direct(StepParams p) {
  p.direct_bodies = 12;
  p.direct_mass_ratio = 1;
  p.residual_target = 1e-3f;
  return p;
}
inline constexpr Variant kVariants[] = {
    {"soft_step", [](StepParams p) { return p; }},
    {"soft_step_lively", sleepy, true},
    {"gauss_seidel", xpbd<SweepKind::kGaussSeidel>},
    {"gauss_seidel_lively", [](StepParams p) { return sleepy(xpbd<SweepKind::kGaussSeidel>(p)); }, true},
    {"jacobi", xpbd<SweepKind::kJacobi>},
    {"sequential_impulse", sequential_impulse},
    {"sequential_impulse_lively", [](StepParams p) { return sleepy(sequential_impulse(p)); }, true},
    {"avbd", avbd},
    {"avbd_lively", [](StepParams p) { return sleepy(avbd(p)); }, true},
    {"soft_step_direct", [](StepParams p) { return direct(sleepy(p)); }},
};

inline std::string name_of_variant(const testing::TestParamInfo<Variant>& variant) { return variant.param.name; }

static_assert(std::ranges::all_of(kSolvers, [](const SolverTraits& solver) {
  return solver.elastic ||  // in scenes whose own it is
         std::ranges::any_of(kVariants, [&](const Variant& v) { return v.change(StepParams{}).solver == solver.kind; });
}));

/// Those that can take the scene, or its own where that is the law of grains.
inline std::vector<Variant> solvers_of(const Scene& scene) {
  const StepParams own = scene.params();
  if (traits_of(own.solver).elastic) return {{word_of(own.solver).data(), [](StepParams p) { return p; }}};
  std::vector<Variant> all;
  for (const Variant& variant : kVariants) {
    const StepParams params = variant.change(own);
    const SolverTraits& solver = traits_of(params.solver);
    const bool articulations = solver.articulations && params.sweep != SweepKind::kJacobi;
    if ((solver.joints || scene.joints().empty()) && (articulations || scene.articulations().empty()))
      all.push_back(variant);
  }
  return all;
}

inline Material lively_one(Material material) {
  material.restitution = 0.5f;
  material.rolling_friction = 0.02f;
  return material;
}

/// The bodies, articulations and joints of a scene, of its materials or of lively ones.
inline Scene with_materials(const Scene& from, bool lively) {
  Scene scene;
  for (const Material& material : from.materials()) scene.add_material(lively ? lively_one(material) : material);
  std::set<std::uint32_t> links;
  for (const SceneArticulation& robot : from.articulations()) links.insert(robot.bodies.begin(), robot.bodies.end());
  for (std::uint32_t i = 0; i < from.bodies().size(); ++i) {
    if (!links.contains(i)) scene.add_body(from.bodies()[i]);
  }
  for (const SceneArticulation& robot : from.articulations()) scene.add_articulation(robot.description, robot.start);
  for (const Joint& joint : from.joints()) scene.add_joint(joint);
  for (const BodyPair& pair : from.ignored()) scene.ignore(pair.a, pair.b);
  return scene;
}

/// The scene, solved as the variant says.
inline World world_of(Scene scene, const Variant& variant, const WorldOptions& options) {
  scene.set_params(variant.change(scene.params()));
  World world(scene, options);
  for (std::uint32_t i = 0; variant.lively && i < world.materials().size(); ++i)
    world.set_material(i, lively_one(world.materials()[i]));
  return world;
}

}  // namespace cairn::testing_support
