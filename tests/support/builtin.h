#pragma once
// Built-in scenes by another solver than their own.

#include <string>

#include "scenes/builtin.h"

namespace cairn::testing_support {

inline Scene scene_by(SolverKind solver, const std::string& spec) {
  Scene scene = scenes::make(spec, 1);
  StepParams params = scene.params();
  params.solver = solver;
  scene.set_params(params);
  return scene;
}

}  // namespace cairn::testing_support
