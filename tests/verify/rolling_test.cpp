// Spheres that roll, and the change from slipping to rolling.

#include <cmath>

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class Rolling : public EachSolver {};

constexpr double kRadius = 0.5;

/// A ball on a slope, which it goes down by these.
struct Downhill {
  ref::Vec3 down;
  Lab lab;
  std::uint32_t ball;
  ref::Vec3 start;

  Downhill(const Method& method, double theta, double mu, int substeps = 6)
      : down{std::cos(theta), 0, -std::sin(theta)}, lab(method, substeps) {
    const ref::Vec3 normal{std::sin(theta), 0, std::cos(theta)};
    lab.material(mu);
    lab.add_floor(normal);
    ball = lab.add(lab.make(Sphere{static_cast<float>(kRadius)}, kRadius * normal));
    start = lab.x(ball);
  }
  double way() { return dot(lab.x(ball) - start, down); }
  double speed() { return dot(lab.v(ball), down); }
};

/// Share by which a sphere's lever is short of its radius: what the contact sinks.
double short_lever(const Lab& lab) { return soft_sink(lab) / kRadius; }

TEST_P(Rolling, a_sphere_rolls_down_at_five_sevenths_of_g_sin_theta) {
  const double theta = 0.4;
  Downhill rolls(GetParam(), theta, 0.6);
  Lab& lab = rolls.lab;
  lab.run(1.5);
  const double a = ref::rolling_acceleration(theta, kG), t = lab.time(), h = lab.h();
  // symplectic Euler's sum is a t (t + h)/2. While the cache is cold the sphere slides, for up to two substeps; about
  // the contact its angular momentum grows at the same rate all the while, so that this is worth 2/7 of the slip
  const double slip = 2 * kG * h * std::sin(theta);
  const double tolerance = slip * h + short_lever(lab) * a * t * t / 2 + rounded_distance(a * t, lab.steps * 6, h);
  EXPECT_NEAR(rolls.way(), a * t * (t + h) / 2, tolerance);
  EXPECT_NEAR(rolls.speed(), a * t, (slip * h + short_lever(lab) * a * t) + rounded_speed(a * t, lab.steps * 6));
  // the point that touches rests: what gravity adds in a substep is the most that it may slip
  EXPECT_NEAR(rolls.speed(), kRadius * lab.w(rolls.ball).y, slip / 2 + short_lever(lab) * a * t);
}

TEST_P(Rolling, its_error_halves_with_the_substep) {
  const double theta = 0.4;
  const auto error = [&](int substeps) {
    Downhill rolls(GetParam(), theta, 0.6, substeps);
    rolls.lab.run(1);
    const double t = rolls.lab.time();
    return rolls.way() - ref::rolling_acceleration(theta, kG) * t * t / 2;
  };
  // a t h/2, and terms in h^2 that the test above bounds: under a tenth of it at these steps
  EXPECT_NEAR(error(2) / error(4), 2, 0.2);
  EXPECT_NEAR(error(4) / error(8), 2, 0.2);
}

TEST_P(Rolling, on_too_steep_a_slope_it_slips_as_well_as_rolls) {
  // past tan theta = 7/2 mu friction is mu m g cos theta, and spins the sphere at 5/2 mu g cos theta / r
  const double mu = 0.1f, theta = 1.5 * ref::rolling_limit_angle(mu);
  Downhill slips(GetParam(), theta, mu);
  Lab& lab = slips.lab;
  lab.run(1);
  const double t = lab.time(), h = lab.h();
  const double late = 2 * mu * kG * h + short_lever(lab) * mu * kG * t + rounded_speed(kG * t, lab.steps * 6);
  EXPECT_NEAR(slips.speed(), ref::incline_acceleration(theta, mu, kG) * t, late);
  EXPECT_NEAR(lab.w(slips.ball).y * kRadius, 2.5 * mu * kG * std::cos(theta) * t, 2.5 * late);
}

TEST_P(Rolling, a_sliding_sphere_rolls_at_five_sevenths_of_its_speed_after_2_v_over_7_mu_g) {
  const double v0 = 5, mu = 0.2f;
  for (int k = 0; k < 12; ++k) {
    const double azimuth = k * std::numbers::pi / 6 + 0.1;
    const ref::Vec3 along{std::cos(azimuth), std::sin(azimuth), 0}, axis{-along.y, along.x, 0};
    Lab lab = on_floor(GetParam(), mu);
    const std::uint32_t ball = lab.launch(Sphere{static_cast<float>(kRadius)}, {0, 0, kRadius}, v0 * along);
    // friction takes mu g h of slip, and 5/2 of it by spin, a substep: less than that left over is rolling
    const double h = lab.h(), slip = 3.5 * mu * kG * h;
    while (dot(lab.v(ball), along) - kRadius * dot(lab.w(ball), axis) > slip && lab.time() < 5) lab.step();
    const double tolerance = short_lever(lab) * v0 + rounded_speed(v0, lab.steps * 6);
    EXPECT_NEAR(dot(lab.v(ball), along), ref::slip_to_roll_speed(v0), slip + tolerance) << azimuth;
    // seen at the end of a step, and two substeps late for the cold cache
    EXPECT_NEAR(lab.time(), ref::slip_to_roll_time(v0, mu, kG), lab.dt() + 2 * h) << azimuth;
    EXPECT_NEAR(dot(lab.x(ball), along), ref::slip_to_roll_distance(v0, mu, kG), v0 * (lab.dt() + 2 * h)) << azimuth;
    EXPECT_NEAR(dot(lab.x(ball), axis), 0, rounded_distance(v0, lab.steps * 6, h)) << azimuth;
    // and so it goes on: no friction is left
    lab.run(0.5);
    EXPECT_NEAR(dot(lab.v(ball), along), ref::slip_to_roll_speed(v0), tolerance) << azimuth;
  }
}

CAIRN_VERIFY_EACH(Rolling);

}  // namespace
}  // namespace cairn::verify
