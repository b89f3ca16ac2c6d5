#include "tests/reference/integrate.h"

#include <gtest/gtest.h>

#include "tests/reference/closed_forms.h"

namespace cairn::reference {
namespace {

TEST(Integrate, free_fall_is_exact_for_any_step) {
  Motion m{{{1, 2, 3}, {}}, {4, -5, 6}, {}};
  const Vec3 g{0, 0, -9.81};
  const Motion end = integrate({2, diagonal({1, 1, 1})}, m, 0, 0.25, 8, [&](double, const Motion&) {
    return Wrench{2 * g, {}};
  });
  // order 4 holds a parabola exactly; what is left is rounding
  EXPECT_NEAR(length(end.pose.x - projectile(m.pose.x, m.v, g, 2)), 0, 1e-13);
}

// largest error of w over one second of both kinds of torque-free spin, against Jacobi's functions
double spin_error(Vec3 w0, int steps) {
  const Vec3 moments{1, 2, 3};
  const Motion end = integrate({1, diagonal(moments)}, {{}, {}, w0}, 0, 1.0 / steps, steps);
  return length(end.w_body - torque_free_velocity(moments, w0, 1));
}

TEST(Integrate, torque_free_spin_converges_to_jacobis_functions_with_order_four) {
  // about the short axis (L^2 > 2 E i2) and about the long one (less)
  for (const Vec3 w0 : {Vec3{2, 0, 4}, Vec3{4, 0, 1}}) {
    const double coarse = spin_error(w0, 100), fine = spin_error(w0, 200);
    EXPECT_LT(fine, 1e-6);
    // halving h divides by 2^4, up to the next order's h w ~ 0.05
    EXPECT_NEAR(coarse / fine, 16, 1.6);
  }
}

TEST(Integrate, spin_keeps_energy_and_angular_momentum_to_its_order) {
  // a full tensor, so that nothing rests on principal axes
  const Inertia inertia{3, to_world(rotation({0.3, -0.4, 0.5}), diagonal({1, 2, 3}))};
  const Motion begin{{{}, rotation({1, 0.2, 0})}, {}, {1, 5, 0.5}};
  const auto drift = [&](int steps) {
    const Motion end = integrate(inertia, begin, 0, 2.0 / steps, steps);
    return length(spin_momentum(inertia, end) - spin_momentum(inertia, begin)) +
           std::abs(kinetic_energy(inertia, end) - kinetic_energy(inertia, begin));
  };
  EXPECT_LT(drift(2000), 1e-8);
  EXPECT_GT(drift(500) / drift(1000), 14);
}

TEST(Integrate, a_physical_pendulum_swings_with_the_elliptic_period) {
  // a body that turns about its pivot (as its origin) with moment l^2 and weight 1 at distance l below
  const double l = 0.7, g = 9.81, amplitude = 2.5;
  const Inertia inertia{1, diagonal({l * l, l * l, l * l})};
  const Load weight = [&](double, const Motion& m) {
    return Wrench{{}, cross(rotate(m.pose.q, {0, 0, -l}), {0, 0, -g})};
  };
  const Motion begin{{{}, rotation({0, amplitude, 0})}, {}, {}};
  const double period = pendulum_period(l, g, amplitude);
  const int steps = 4000;
  const Motion end = integrate(inertia, begin, 0, period / steps, steps, weight);
  // at the turning point the angle is stationary and the speed is what a late or early return shows: RK4 with
  // h w = 2e-3 is off by about (h w)^4 x 10 rad
  EXPECT_NEAR(length(end.w_body), 0, 1e-9);
  EXPECT_NEAR(length(rotate(end.pose.q, {0, 0, 1}) - rotate(begin.pose.q, {0, 0, 1})), 0, 1e-9);
}

TEST(Integrate, a_torque_about_a_principal_axis_turns_by_half_a_t_squared) {
  const Load torque = [](double, const Motion&) { return Wrench{{}, {0, 0, 6}}; };
  const Motion end = integrate({1, diagonal({1, 2, 3})}, {}, 0, 0.001, 1000, torque);
  EXPECT_NEAR(end.w_body.z, 2, 1e-12);
  EXPECT_NEAR(length(rotate(end.pose.q, {1, 0, 0}) - Vec3{std::cos(1.0), std::sin(1.0), 0}), 0, 1e-12);
}

}  // namespace
}  // namespace cairn::reference
