#include "tests/reference/closed_forms.h"

#include <gtest/gtest.h>

#include "tests/reference/integrate.h"

namespace cairn::reference {
namespace {

// rounding of a handful of operations on numbers of order 1
constexpr double kRounding = 1e-14;

TEST(ClosedForms, elliptic_k_has_its_known_values) {
  EXPECT_NEAR(elliptic_k(1), std::numbers::pi / 2, kRounding);
  // Abramowitz & Stegun, table 17.1, m = 1/2
  EXPECT_NEAR(elliptic_k(std::sqrt(0.5)), 1.854074677301372, kRounding);
  // K -> log(4/k') as k' -> 0, with an error of order k'^2 log k'
  EXPECT_NEAR(elliptic_k(1e-9), std::log(4e9), 1e-13);
}

TEST(ClosedForms, jacobi_functions_keep_their_identities_and_quarter_period) {
  for (const double kc : {1.0, 0.9, 0.5, 1e-3, 1e-6}) {
    const double k = std::sqrt((1 - kc) * (1 + kc)), quarter = elliptic_k(kc);
    for (int i = -8; i <= 8; ++i) {
      const Jacobi j = jacobi(0.3 * i * quarter, k, kc);
      EXPECT_NEAR(j.sn * j.sn + j.cn * j.cn, 1, kRounding);
      EXPECT_NEAR(j.dn * j.dn + k * k * j.sn * j.sn, 1, kRounding);
    }
    const Jacobi end = jacobi(quarter, k, kc);
    EXPECT_NEAR(end.sn, 1, kRounding);
    // cn falls at the rate k' there; its argument is off by rounding of K, magnified by the way down the sequence
    EXPECT_NEAR(end.cn, 0, 1e-12);
    EXPECT_NEAR(end.dn, kc, 1e-12);
  }
}

TEST(ClosedForms, the_dzhanibekov_flip_has_the_period_of_issue_2) {
  const Vec3 moments{1, 2, 3}, w{0.01, 10, 0.01};
  const double period = torque_free_period(moments, w);
  // the figure is the full period of the angular velocity in the body: two flips, 2.753084 s apart
  EXPECT_NEAR(period, 5.506168, 0.5e-6);
}

TEST(ClosedForms, the_flip_comes_back_after_its_period_in_the_integrator_and_is_upside_down_after_half) {
  const Inertia inertia{1, diagonal({1, 2, 3})};
  const Vec3 w0{0.01, 10, 0.01};
  const double half = torque_free_period({1, 2, 3}, w0) / 2;
  Motion m{{}, {}, w0};
  // RK4 at h w = 1e-3: error (h w)^4 a radian over some 30, magnified by the instability's e^(5.77 t) until the flip:
  // under 1e-5
  const int steps = 30000;
  m = integrate(inertia, m, half / steps, steps);
  EXPECT_NEAR(m.w_body.y, -10, 1e-5);
  m = integrate(inertia, m, half / steps, steps);
  EXPECT_NEAR(m.w_body.x, w0.x, 1e-5);
  EXPECT_NEAR(m.w_body.y, w0.y, 1e-5);
  EXPECT_NEAR(m.w_body.z, w0.z, 1e-5);
}

TEST(ClosedForms, pendulum_period_agrees_with_its_series_and_lengthens_with_amplitude) {
  const double a = 0.1;
  // 2 pi sqrt(l/g) (1 + a^2/16 + 11 a^4/3072 + 173 a^6/737280 + ...): the next term is 2e-5 a^8
  const double series = 1 + a * a / 16 + 11 * std::pow(a, 4) / 3072 + 173 * std::pow(a, 6) / 737280;
  EXPECT_NEAR(pendulum_period(9.81, 9.81, a), 2 * std::numbers::pi * series, 2e-4 * std::pow(a, 8));
}

TEST(ClosedForms, stepped_projectile_is_what_semi_implicit_euler_does) {
  const Vec3 x0{1, 2, 3}, v0{4, 5, 6}, g{0.5, -1, -9.81};
  const double h = 1.0 / 64;
  Vec3 x = x0, v = v0;
  for (int i = 0; i < 128; ++i) {
    v += h * g;
    x += h * v;
  }
  EXPECT_NEAR(length(x - projectile_stepped(x0, v0, g, h, 128)), 0, 128 * kRounding);
  // and differs from the parabola by g t h / 2
  EXPECT_NEAR(length(x - projectile(x0, v0, g, 2)), length(g) * 2 * h / 2, 128 * kRounding);
}

TEST(ClosedForms, impacts_keep_momentum_and_turn_the_relative_speed) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const ImpactSpeeds after = central_impact(2, 3, 5, -1, e);
    EXPECT_NEAR(2 * after.a + 5 * after.b, 2 * 3 - 5, kRounding);
    EXPECT_NEAR(after.b - after.a, e * 4, kRounding);
  }
}

TEST(ClosedForms, slip_to_roll_is_consistent) {
  // v0 - mu g t = 5/7 v0, and the distance is the mean speed times t
  const double v0 = 7, mu = 0.3, g = 9.81, t = slip_to_roll_time(v0, mu, g);
  EXPECT_NEAR(v0 - mu * g * t, slip_to_roll_speed(v0), kRounding);
  EXPECT_NEAR((v0 + slip_to_roll_speed(v0)) / 2 * t, slip_to_roll_distance(v0, mu, g), kRounding);
  EXPECT_NEAR(sliding_stop_distance(v0, mu, g), v0 / 2 * sliding_stop_time(v0, mu, g), kRounding);
}

TEST(ClosedForms, four_bricks_reach_past_the_table_by_more_than_a_whole_one) {
  EXPECT_NEAR(harmonic_overhang(4), 25.0 / 24.0, kRounding);
}

}  // namespace
}  // namespace cairn::reference
