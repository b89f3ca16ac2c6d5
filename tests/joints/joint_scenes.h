#pragma once
// What the tests of joints hang up.

#include <cmath>
#include <numbers>
#include <string>

#include "cairn/world.h"
#include "tests/support/builders.h"

namespace cairn::joints_test {

using testing_support::kJointSolvers;
using testing_support::name_of_solver;

inline constexpr double kG = 9.81;  ///< [m/s^2]

/// Turns x of a joint to y.
inline Quat x_to_y() {
  const auto r = static_cast<float>(std::numbers::sqrt2 / 2);
  return {0, 0, r, r};
}

inline StepParams params_of(SolverKind solver, int substeps) {
  StepParams params;
  params.solver = solver;
  params.substeps = substeps;
  return params;
}

inline Body block(std::string name, Vec3d position, Vec3 half_extents, float mass) {
  Body body;
  body.name = std::move(name);
  body.position = position;
  body.mass = mass;
  body.shapes = {{.geometry = Box{half_extents}}};
  return body;
}

/// Links of 1 kg that hang one below the other, `length` apart, the last of them of another mass.
inline Scene chain(std::uint32_t links, float length, float last, const StepParams& params, const JointKind& kind) {
  Scene scene;
  scene.set_params(params);
  for (std::uint32_t i = 0; i < links; ++i) {
    scene.add_body(block("link " + std::to_string(i), {0, 0, -(i + 0.5) * static_cast<double>(length)},
                         {0.1f * length, 0.1f * length, 0.45f * length}, i + 1 == links ? last : 1.0f));
    Joint joint{.name = "joint " + std::to_string(i), .body_a = i == 0 ? kWorldBody : i - 1, .body_b = i, .kind = kind};
    joint.frame_a.position = {0, 0, i == 0 ? 0 : -static_cast<double>(length) / 2};
    joint.frame_b.position = {0, 0, static_cast<double>(length) / 2};
    scene.add_joint(joint);
  }
  return scene;
}

/// The larger of two, and NaN for good where one is: std::max would take what comes after it.
inline double larger(double a, double b) { return b > a || std::isnan(b) ? b : a; }

inline double length_of(Vec3 v) { return std::hypot(v.x, v.y, v.z); }

inline void run(World& world, double seconds) {
  const auto steps = static_cast<int>(std::lround(seconds / static_cast<double>(world.params().dt)));
  for (int i = 0; i < steps; ++i) world.step();
}

}  // namespace cairn::joints_test
