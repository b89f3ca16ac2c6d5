#pragma once
// What the tests of joints hang up.

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>

#include "cairn/world.h"
#include "tests/support/builders.h"

namespace cairn::joints_test {

using testing_support::afloat;
using testing_support::fastest;
using testing_support::kJointSolvers;
using testing_support::larger;
using testing_support::largest_over;
using testing_support::moving;
using testing_support::name_of_solver;
using testing_support::scene_of;

inline constexpr double kG = 9.81;  ///< [m/s^2]

/// Turns x of a joint to y.
inline Quat x_to_y() {
  const auto r = static_cast<float>(std::numbers::sqrt2 / 2);
  return {0, 0, r, r};
}

inline StepParams params_of(SolverKind solver, int substeps) { return {.solver = solver, .substeps = substeps}; }

/// [s] Of a substep: of those sequential impulses have one a step.
inline double substep(const StepParams& params) {
  const int count = params.solver == SolverKind::kSequentialImpulse ? 1 : params.substeps;
  return static_cast<double>(params.dt) / count;
}

/// [m] How far a row gives way at most under a load, its inverse mass being `inverse`.
inline double give_of(double load, double inverse, const World& world) {
  const double h = substep(world.params());
  return 1.2 * load * h * h * inverse + 2e-5;
}

/// [rad] Of the rocker of the built-in scene `four_bar` where its crank is at t, by Freudenstein's equation,
/// d/a cos r - d/c cos t + (a^2 - b^2 + c^2 + d^2) / (2 a c) = cos(t - r), solved for r by the tangent of its half.
inline double rocker_angle(double crank, double t) {
  const double b = 0.9, c = 0.7, d = 1, k1 = d / crank, k2 = d / c,
               k3 = (crank * crank - b * b + c * c + d * d) / (2 * crank * c);
  const double p = std::cos(t) - k1 - k2 * std::cos(t) + k3, q = -2 * std::sin(t), r = k1 - (k2 + 1) * std::cos(t) + k3;
  return 2 * std::atan2(-q - std::sqrt(q * q - 4 * p * r), 2 * p);
}

inline Body block(std::string name, Vec3d position, Vec3 half_extents, float mass) {
  return {.name = std::move(name), .position = position, .shapes = {{.geometry = Box{half_extents}}}, .mass = mass};
}

/// A ball of 1 kg, whatever its radius.
inline Body sphere(const std::string& name, Vec3d position, float radius) {
  Body body = testing_support::ball(name, position, radius);
  body.density = {};
  body.mass = 1.0f;
  return body;
}
/// Static, without a mass.
inline Body made_static(Body body) {
  body.type = BodyType::kStatic;
  body.mass.reset();
  return body;
}

/// One body on a hinge about y, which is at the origin of the world, and there on the body.
inline Scene hinged(const Body& body, Vec3d there, const JointAxis& turn, const StepParams& params) {
  Scene scene = scene_of({body}, params);
  scene.add_joint({.name = "hinge",
                   .body_b = 0,
                   .frame_a = {{}, x_to_y()},
                   .frame_b = {there, x_to_y()},
                   .kind = HingeJoint{turn}});
  return scene;
}

/// Rods of 1 m and 1 kg that hang one from the other by joints along y. They are let go at `angle` from hanging
/// straight down.
inline Scene swinging_rods(std::uint32_t count, double angle, float half_width, const JointKind& kind,
                           const StepParams& params) {
  Scene scene = scene_of({}, params);
  const auto half = static_cast<float>(angle / 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    Body rod = block("rod " + std::to_string(i), {(i + 0.5) * std::sin(angle), 0, -(i + 0.5) * std::cos(angle)},
                     {half_width, half_width, 0.5f}, 1);
    rod.orientation = {0, -std::sin(half), 0, std::cos(half)};
    scene.add_body(rod);
    scene.add_joint({.name = "hinge " + std::to_string(i),
                     .body_a = i == 0 ? kWorldBody : i - 1,
                     .body_b = i,
                     .frame_a = {{0, 0, i == 0 ? 0 : -0.5}, x_to_y()},
                     .frame_b = {{0, 0, 0.5}, x_to_y()},
                     .kind = kind});
  }
  return scene;
}
/// [rad] Of a rod to the vertical.
inline double swung(const World& world, BodyHandle rod) {
  const Quat q = world.state(rod).orientation;
  return 2 * std::atan2(-static_cast<double>(q.y), static_cast<double>(q.w));
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

/// Wheels in a row, each on its axle along x, without gravity.
inline Scene wheels(int count, SolverKind solver) {
  Scene scene = afloat({}, params_of(solver, 6));
  for (int i = 0; i < count; ++i) {
    const double x = 0.5 * i;
    scene.add_body(block("wheel " + std::to_string(i), {x, 0, 0}, {0.1f, 0.1f, 0.1f}, 1));
    Joint axle{.name = "axle " + std::to_string(i), .body_b = static_cast<std::uint32_t>(i), .kind = HingeJoint{}};
    axle.frame_a.position = {x, 0, 0};
    scene.add_joint(axle);
  }
  return scene;
}

inline double length_of(Vec3 v) { return std::hypot(v.x, v.y, v.z); }

inline void run(World& world, double seconds) {
  testing_support::run(world, testing_support::steps_in(world, seconds));
}

/// The mean of a value after each of so many steps.
template <class F>
double mean_over(World& world, int steps, const F& value) {
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    world.step();
    sum += value();
  }
  return sum / steps;
}

}  // namespace cairn::joints_test
