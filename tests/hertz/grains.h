#pragma once
// Elastic spheres for tests, and what theory says of them.

#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/builders.h"

namespace cairn::hertz_test {

namespace test = cairn::testing_support;
using test::operator-;

inline constexpr double kG = 9.81;  ///< [m/s^2]

/// The spheres of issue 6: R = 1 cm, 2650 kg/m^3, 70 GPa, 0.3.
struct Grain {
  double radius{0.01};    ///< [m]
  double density{2650};   ///< [kg/m^3]
  double young{70e9};     ///< [Pa]
  double poisson{0.3};    ///< [1]
  double friction{0};     ///< [1]
  double restitution{1};  ///< [1]
  double rolling{0};      ///< [m]

  double mass() const { return density * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3); }
  /// [Pa] Of two of this material: 1/E* = 2 (1 - nu^2) / E.
  double modulus() const { return young / (2 * (1 - poisson * poisson)); }
  /// [N/m^1.5] Of F = K d^1.5: 4/3 E* sqrt(R*).
  double stiffness(double effective_radius) const { return 4.0 / 3.0 * modulus() * std::sqrt(effective_radius); }

  Material material(const std::string& name = "grain") const {
    return {.name = name,
            .density = static_cast<float>(density),
            .friction = static_cast<float>(friction),
            .restitution = static_cast<float>(restitution),
            .rolling_friction = static_cast<float>(rolling),
            .young_modulus = static_cast<float>(young),
            .poisson_ratio = static_cast<float>(poisson)};
  }
};

inline StepParams elastic(double h, int substeps = 1) {
  return {.solver = SolverKind::kHertzMindlin, .substeps = substeps, .dt = static_cast<float>(h * substeps)};
}

inline Body sphere(const std::string& name, Vec3d at, double radius) {
  return {.name = name, .position = at, .shapes = {test::shape(Sphere{static_cast<float>(radius)})}};
}

/// What stands still, of the grains' material.
inline Body fixed(const std::string& name, const Geometry& geometry, Vec3d at = {}) {
  return {.name = name, .type = BodyType::kStatic, .position = at, .shapes = {test::shape(geometry)}};
}

inline Scene scene_of(const Grain& grain, const StepParams& params, Vec3 gravity = Scene{}.gravity()) {
  Scene scene = test::scene_of({}, params);
  scene.add_material(grain.material());
  scene.set_gravity(gravity);
  return scene;
}

/// [m] Greatest overlap of an elastic impact at the closing speed v: (5/4 m* v^2 / K)^(2/5).
inline double impact_depth(double mass, double stiffness, double speed) {
  return std::pow(1.25 * mass * speed * speed / stiffness, 0.4);
}
/// [1] Of duration = this times depth / speed: 4/5 sqrt(pi) Gamma(2/5) / Gamma(9/10).
inline const double kImpact = 0.8 * std::sqrt(std::numbers::pi) * std::tgamma(0.4) / std::tgamma(0.9);

/// What a body did from before a contact until after it.
struct Impact {
  double depth{0}, duration{0};  ///< [m], [s]
  BodyState first, second;       ///< after it
};

/// Two equal spheres at a closing speed along x, without gravity, that will touch within the first step.
inline Scene facing(const Grain& grain, double speed, double h, int substeps, Vec3 sideways = {}) {
  Scene scene = scene_of(grain, elastic(h, substeps), {});
  const double apart = grain.radius + 0.2 * h * substeps * speed;
  const Vec3 v{static_cast<float>(speed / 2) + sideways.x / 2, sideways.y / 2, sideways.z / 2};
  scene.add_body(test::moving(sphere("left", {-apart, 0, 0}, grain.radius), v));
  scene.add_body(test::moving(sphere("right", {apart, 0, 0}, grain.radius), {-v.x, -v.y, -v.z}));
  return scene;
}

/// What becomes of them, until they part.
inline Impact collide(const Grain& grain, double speed, double h, Vec3 sideways = {}) {
  World world(facing(grain, speed, h, 1, sideways), test::cpu());
  const BodyHandle left = world.bodies()[0], right = world.bodies()[1];
  const auto gap = [&] {
    return test::length(world.state(right).position - world.state(left).position) - 2 * grain.radius;
  };
  Impact impact;
  const double dt = double{world.params().dt};
  double before = gap(), began = -1;
  for (int i = 1; i < 200000; ++i) {
    world.step();
    const double now = gap();
    impact.depth = std::max(impact.depth, -now);
    // where the line between two steps crosses 0
    const double crossing = (i - 1 + before / (before - now)) * dt;
    if (before >= 0 && now < 0) began = crossing;
    if (before < 0 && now >= 0) {
      impact.duration = crossing - began;
      break;
    }
    before = now;
  }
  impact.first = world.state(left);
  impact.second = world.state(right);
  EXPECT_EQ(world.report().status, 0u);
  return impact;
}

}  // namespace cairn::hertz_test
