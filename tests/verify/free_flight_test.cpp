// Bodies that touch nothing: free fall, projectile, slow travel far from the origin.

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class FreeFlight : public EachSolver {};

/// A speed that rounding alone may change in n substeps. A solver that takes velocities from positions divides by h a
/// displacement of up to v dt, so its rounding counts once a substep of the step more.
double rounding_of_speed(const Lab& lab, double v, int n) { return rounded_speed(v, n) * (1 + lab.substeps()); }
double rounding_of_distance(const Lab& lab, double v, int n) {
  return rounded_distance(v, n, lab.h()) * (1 + lab.substeps());
}

TEST_P(FreeFlight, free_fall_is_the_sum_that_symplectic_euler_makes) {
  for (const int substeps : {1, 6}) {
    Lab lab(GetParam(), substeps);
    lab.material(0.6);
    const std::uint32_t ball = lab.add(lab.make(Sphere{0.5f}, {0, 0, 100}));
    lab.run(2);
    const int n = lab.steps * lab.substeps();
    const ref::Vec3 want = ref::projectile_stepped({0, 0, 100}, {}, {0, 0, -kG}, lab.h(), n);
    const double v = kG * lab.h() * n;
    EXPECT_NEAR(lab.x(ball).z, want.z, rounding_of_distance(lab, v, n)) << substeps;
    EXPECT_NEAR(lab.v(ball).z, -v, rounding_of_speed(lab, v, n)) << substeps;
    EXPECT_EQ(lab.x(ball).x, 0);
    EXPECT_EQ(length(lab.w(ball)), 0);
  }
}

TEST_P(FreeFlight, a_projectile_flies_the_same_parabola_in_any_gravity_and_spin_does_not_matter) {
  Lab lab(GetParam());
  const ref::Vec3 g{1, -2, -3}, x0{5, 6, 7}, v0{10, 4, 12};
  lab.scene.set_gravity(narrow(g));
  lab.material(0.6);
  const std::uint32_t box = lab.launch(Box{{0.1f, 0.2f, 0.3f}}, x0, v0, {3, 5, -2});
  lab.run(2);
  const int n = lab.steps * lab.substeps();
  const ref::Vec3 want = ref::projectile_stepped(x0, v0, g, lab.h(), n);
  // 16 m/s: the largest speed of the flight, at its start
  EXPECT_LT(length(lab.x(box) - want), rounding_of_distance(lab, 17, n));
  EXPECT_LT(length(lab.v(box) - (v0 + lab.h() * n * g)), rounding_of_speed(lab, 17, n));
}

TEST_P(FreeFlight, the_error_of_a_projectile_halves_with_the_substep) {
  const auto error = [&](int substeps) {
    Lab lab(GetParam(), substeps);
    lab.material(0.6);
    const std::uint32_t ball = lab.add(lab.make(Sphere{0.5f}, {0, 0, 0}));
    lab.run(1);
    return lab.x(ball).z - ref::projectile({}, {}, {0, 0, -kG}, lab.time()).z;
  };
  // the error is -g t h/2, nothing else, so that its ratio is 2 but for rounding
  const Lab finest(GetParam(), 8);
  const double floor = 0.5 * kG * finest.h(), rounding = rounding_of_distance(finest, kG, 480);
  for (const int substeps : {1, 2, 4}) {
    EXPECT_NEAR(error(substeps) / error(2 * substeps), 2, 4 * rounding / floor) << substeps;
  }
}

TEST_P(FreeFlight, damping_takes_speed_as_its_law_says) {
  Lab lab = in_space(GetParam(), 0.6);
  const double c = 0.7, v0 = 5, w0 = 3;
  Body body = lab.make(Sphere{0.5f}, {});
  body.linear_damping = body.angular_damping = static_cast<float>(c);
  body.linear_velocity = {static_cast<float>(v0), 0, 0};
  body.angular_velocity = {0, 0, static_cast<float>(w0)};
  const std::uint32_t ball = lab.add(std::move(body));
  lab.run(2);
  // v' = -c v by an integrator of first order: its rate is off by c h/2 of itself at most, for t
  const double t = lab.time(), off = c * c * t * lab.h() / 2 + 720 * 7 * kUlp;
  EXPECT_NEAR(lab.v(ball).x, v0 * std::exp(-c * t), v0 * off);
  EXPECT_NEAR(lab.w(ball).z, w0 * std::exp(-c * t), w0 * off);
}

TEST_P(FreeFlight, a_body_at_1_mm_per_second_8_km_away_travels_60_mm_in_60_seconds) {
  Lab lab = in_space(GetParam(), 0.6);
  const ref::Vec3 x0{8000, -8000, 8000}, along = ref::normalized(ref::Vec3{1, 2, -2});
  const std::uint32_t box = lab.launch(Box{}, x0, 1e-3 * along);
  lab.run(60);
  // the 1 %
  EXPECT_LT(length(lab.x(box) - x0 - 0.06 * along), 0.01 * 0.06);
}

TEST_P(FreeFlight, the_same_on_a_frictionless_floor) {
  Lab lab = on_floor(GetParam(), 0);
  const ref::Vec3 x0{8000, -8000, 0.5};
  const std::uint32_t box = lab.launch(Box{}, x0, {1e-3, 0, 0});
  lab.run(60);
  EXPECT_NEAR(lab.x(box).x - x0.x, 0.06, 0.01 * 0.06);
  EXPECT_NEAR(lab.x(box).y, x0.y, 0.01 * 0.06);
  EXPECT_NEAR(lab.x(box).z, x0.z, soft_sink(lab) + 4 * kUlp);
}

CAIRN_VERIFY_EACH(FreeFlight);

}  // namespace
}  // namespace cairn::verify
