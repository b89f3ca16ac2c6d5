// The pendulum against the elliptic integral.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cairn/world.h"

namespace cairn {
namespace {

constexpr double kG = 9.81, kLength = 1.0;

/// A rod of 1 m on a hinge along y, let go at `angle` from hanging straight down.
Scene pendulum(double angle, int substeps, SolverKind solver) {
  Scene scene;
  StepParams params;
  params.substeps = substeps;
  params.solver = solver;
  scene.set_params(params);
  Body rod;
  rod.name = "rod";
  rod.mass = 1.0f;
  rod.shapes = {{.geometry = Box{{0.02f, 0.02f, kLength / 2}}}};
  // turned by `angle` about -y: its end goes towards x
  const auto half = static_cast<float>(angle / 2);
  rod.orientation = {0, -std::sin(half), 0, std::cos(half)};
  const double s = std::sin(angle), c = std::cos(angle);
  rod.position = {kLength / 2 * s, 0, -kLength / 2 * c};
  scene.add_body(rod);
  Joint hinge{.name = "hinge", .body_b = 0, .kind = HingeJoint{}};
  // x of the joint is y of world and body
  const auto r = static_cast<float>(std::numbers::sqrt2 / 2);
  hinge.frame_a.orientation = {0, 0, r, r};
  hinge.frame_b = {{0, 0, kLength / 2}, {0, 0, r, r}};
  scene.add_joint(hinge);
  return scene;
}

/// [s] From the elliptic integral, by the arithmetic-geometric mean.
double period_of(double angle) {
  const double half_width = 0.02, inertia = (kLength * kLength + 4 * half_width * half_width) / 12 + kLength * kLength / 4;
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 20; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi * std::sqrt(inertia / (kG * kLength / 2)) / a;
}

/// [s] Between two passages through the lowest point in one direction, with the time between steps by Hermite.
double measured_period(double angle, int substeps, SolverKind solver) {
  World world(pendulum(angle, substeps, solver));
  const BodyHandle rod = world.bodies()[0];
  const double dt = world.params().dt;
  double first = -1, before = 0;
  for (int i = 0; i < 100000; ++i) {
    world.step();
    const BodyState s = world.state(rod);
    // the angle about -y and how fast it grows
    const double now = 2 * std::atan2(-static_cast<double>(s.orientation.y), static_cast<double>(s.orientation.w));
    if (i > 0 && before > 0 && now <= 0 && before < 1) {
      const double t = (i + before / (before - now)) * dt;
      if (first >= 0) return t - first;
      first = t;
    }
    before = now;
  }
  return -1;
}

TEST(Pendulum, prints) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    for (const double degrees : {30.0, 90.0, 150.0}) {
      const double angle = degrees * std::numbers::pi / 180, exact = period_of(angle);
      for (const int substeps : {1, 2, 4, 8, 16, 32, 64}) {
        std::printf("%d %5.0f %3d  %.6f %.6f  %.2e\n", static_cast<int>(solver), degrees, substeps,
                    measured_period(angle, substeps, solver), exact,
                    measured_period(angle, substeps, solver) / exact - 1);
      }
    }
  }
}

TEST(Pendulum, hangs) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse}) {
    World world(pendulum(0, 6, solver));
    for (int i = 0; i < 120; ++i) world.step();
    const JointState s = world.joint_state(world.joints()[0]);
    std::printf("force %.6f %.6f %.6f torque %.2e %.2e %.2e\n", s.force.x, s.force.y, s.force.z, s.torque.x, s.torque.y, s.torque.z);
    std::printf("at %.9f\n", world.state(world.bodies()[0]).position.z);
  }
}

}  // namespace
}  // namespace cairn
