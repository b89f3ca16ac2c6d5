#include "tests/reference/integrate.h"

#include <gtest/gtest.h>

#include "tests/reference/closed_forms.h"

namespace cairn::reference {
namespace {

// largest error of w over one second of both kinds of torque-free spin, against Jacobi's functions
double spin_error(Vec3 w0, int steps) {
  const Vec3 moments{1, 2, 3};
  const Motion end = integrate({1, diagonal(moments)}, {{}, {}, w0}, 1.0 / steps, steps);
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
    const Motion end = integrate(inertia, begin, 2.0 / steps, steps);
    return length(spin_momentum(inertia, end) - spin_momentum(inertia, begin)) +
           std::abs(kinetic_energy(inertia, end) - kinetic_energy(inertia, begin));
  };
  EXPECT_LT(drift(2000), 1e-8);
  EXPECT_GT(drift(500) / drift(1000), 14);
}

}  // namespace
}  // namespace cairn::reference
