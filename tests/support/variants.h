#pragma once
// What a scene is solved by, where all of it must give the same bits.

#include "cairn/world.h"

namespace cairn::testing_support {

inline constexpr std::uint64_t kSeed = 1;

/// The solvers; the lively ones give every stage something to do.
struct Variant {
  const char* name;
  StepParams (*change)(StepParams);
  bool lively{false};  ///< all materials bounce and resist rolling
};
inline StepParams sleepy(StepParams p) {
  p.sleeping = true;
  p.sleep_speed = 0.05f;
  p.sleep_time = 0.2f;
  return p;
}
template <SweepKind kSweep>
StepParams xpbd(StepParams p) {
  p.solver = SolverKind::kXpbd;
  p.sweep = kSweep;
  return p;
}
inline StepParams sequential_impulse(StepParams p) {
  p.solver = SolverKind::kSequentialImpulse;
  return p;
}
inline StepParams avbd(StepParams p) {
  p.solver = SolverKind::kAvbd;
  return p;
}
/// Small islands are solved directly, the others by as many passes as they need.
inline StepParams direct(StepParams p) {
  p.direct_bodies = 12;
  p.direct_mass_ratio = 1;
  p.residual_target = 1e-3f;
  return p;
}
inline const Variant kVariants[] = {
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

/// The scene, solved as the variant says.
inline World world_of(Scene scene, const Variant& variant, const WorldOptions& options) {
  scene.set_params(variant.change(scene.params()));
  World world(scene, options);
  for (std::uint32_t i = 0; variant.lively && i < world.materials().size(); ++i) {
    Material material = world.materials()[i];
    material.restitution = 0.5f;
    material.rolling_friction = 0.02f;
    world.set_material(i, material);
  }
  return world;
}

}  // namespace cairn::testing_support
