// The pendulum against the elliptic integral.

#include "tests/joints/joint_scenes.h"
#include "tests/reference/closed_forms.h"

namespace cairn::joints_test {
namespace {

constexpr double kLength = 1, kHalfWidth = 0.02;  // [m]

/// [s] Of a point at the distance I / (m l / 2), I about the hinge.
double period_of(double angle) {
  const double inertia = (kLength * kLength + 4 * kHalfWidth * kHalfWidth) / 12 + kLength * kLength / 4;
  return reference::pendulum_period(inertia / (kLength / 2), kG, angle);
}

/// [s] Between two passages through the lowest point in one direction; the angle is a straight line between steps, to
/// within its second derivative there, which is 0.
double measured_period(double angle, const StepParams& params, const JointKind& kind = HingeJoint{}) {
  World world(swinging_rods(1, angle, static_cast<float>(kHalfWidth), kind, params));
  const BodyHandle rod = world.bodies()[0];
  double first = -1, before = angle;
  for (int i = 1; i < 100000; ++i) {
    world.step();
    const double now = swung(world, rod);
    if (before > 0 && now <= 0 && before < 1) {
      const double t = (i - 1 + before / (before - now)) * static_cast<double>(params.dt);
      if (first >= 0) return t - first;
      first = t;
    }
    before = now;
  }
  return -1;
}

class Pendulum : public testing::TestWithParam<SolverKind> {};

TEST_P(Pendulum, has_the_period_of_the_elliptic_integral_to_second_order) {
  for (const double degrees : {30.0, 90.0, 150.0}) {
    const double angle = degrees * std::numbers::pi / 180, exact = period_of(angle);
    std::vector<double> error;
    for (const int substeps : {8, 16, 32}) {
      error.push_back(std::abs(measured_period(angle, params_of(GetParam(), substeps)) / exact - 1));
    }
    // (omega h)^2, with the fastest omega of the swing; at 150 degrees the period itself depends on it 20 times as much
    const double h = 1.0 / 60 / 32, omega = 2 * std::sin(angle / 2) * std::sqrt(1.5 * kG / kLength);
    EXPECT_LE(error[2], 20 * omega * omega * h * h) << degrees;
    // halving h quarters the error, where it stands out of what crossings are found to; first order would halve it
    if (error[1] > 1e-4) {
      EXPECT_GE(error[0] / error[1], 2.8) << degrees;
    }
    if (error[2] > 1e-4) {
      EXPECT_GE(error[1] / error[2], 2.8) << degrees;
    }
  }
}

TEST_P(Pendulum, on_a_ball_at_150_degrees_and_6_substeps_is_within_a_part_in_500_of_its_period) {
  const double angle = 150 * std::numbers::pi / 180;
  EXPECT_NEAR(measured_period(angle, params_of(GetParam(), 6), BallJoint{}) / period_of(angle), 1, 0.002);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Pendulum, testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
