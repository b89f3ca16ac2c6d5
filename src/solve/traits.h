#pragma once
// Traits of each solver, a row a solver: its part in a step beside its own passes (solve.inl), and features it lacks.

#include <array>
#include <cstddef>
#include <cstdint>

#include "cairn/params.h"
#include "kernels/predict/predict.h"

namespace cairn {

struct SolverTraits {
  SolverKind kind;
  kernels::Guess later{kernels::Guess::kForces};  ///< initial guess of substeps after the first
  bool whole{false};          ///< one substep a step, with as many passes over its rows as others take substeps
  bool keeps_push{false};     ///< velocities of depenetration stay, without their energy: nothing is relaxed
  bool positional{false};     ///< corrects positions, and derives velocities from them
  bool elastic{false};        ///< contacts are forces, in predict, and dissipate by their own law
  bool soft_contacts{false};  ///< contacts may have extra damping, anchors and rests; some islands are solved directly
  bool starts_warm{true};     ///< starts with the impulses of the contact cache
  bool relaxes_rows{false};   ///< a pass without the bias after each substep
  bool gathers_ends{false};   ///< bodies gather their impulses
  bool colors_bodies{false};  ///< bodies are solved colour by colour, not rows
  bool jacobi{false};         ///< supports SweepKind::kJacobi
  bool joints{true}, articulations{true};  ///< supports them
  friend bool operator==(const SolverTraits&, const SolverTraits&) = default;
};

inline constexpr std::array<SolverTraits, EnumWords<SolverKind>::all.size()> kSolvers{{
    {.kind = SolverKind::kSoftStep, .later = kernels::Guess::kCarry, .soft_contacts = true, .relaxes_rows = true},
    {.kind = SolverKind::kXpbd, .positional = true, .starts_warm = false, .gathers_ends = true, .jacobi = true},
    {.kind = SolverKind::kSequentialImpulse, .whole = true, .keeps_push = true},
    {.kind = SolverKind::kAvbd,
     .later = kernels::Guess::kKeep,
     .relaxes_rows = true,
     .gathers_ends = true,
     .colors_bodies = true,
     .joints = false,
     .articulations = false},
    {.kind = SolverKind::kHertzMindlin, .elastic = true, .starts_warm = false, .articulations = false},
}};
static_assert([] {
  for (std::size_t i = 0; i < kSolvers.size(); ++i) {
    if (static_cast<std::size_t>(kSolvers[i].kind) != i) return false;
  }
  return true;
}());

constexpr const SolverTraits& traits_of(SolverKind kind) { return kSolvers[static_cast<std::size_t>(kind)]; }

inline constexpr SolverTraits kSoftStepTraits = traits_of(SolverKind::kSoftStep);

/// [1] The solver's substeps of a step.
constexpr int substeps_of(const StepParams& params) { return traits_of(params.solver).whole ? 1 : params.substeps; }

}  // namespace cairn
