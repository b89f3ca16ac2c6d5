// Impacts: bounces on a floor, two bodies central and off-centre, and what they keep.

#include <array>
#include <cmath>

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class Impact : public EachSolver {};
class Landing : public EachSolver {};
class Glancing : public EachSolver {};

void expect_bounces(const Method& method, double friction, float e) {
  const double drop = 2, r = 0.25;
  Lab lab = on_floor(method, friction, e);
  const std::uint32_t ball = lab.add(lab.make(Sphere{static_cast<float>(r)}, {0, 0, r + drop}));
  double top = 0, apex = 0, before = 0, allowed = 0;
  for (int bounce = 0; bounce < 4 && lab.time() < 20;) {
    lab.step();
    const double now = lab.v(ball).z, height = lab.x(ball).z - r, h = lab.h();
    if (before < 0 && now > 0) top = apex = 0;
    top = std::max(top, height);
    // between two samples the apex is where the velocity leads, which is that of half a substep ago
    const double lead = now - kG * h / 2;
    apex = std::max(apex, height + (now > 0 ? lead * lead / (2 * kG) : 0));
    if (before > 0 && now <= 0) {
      ++bounce;
      // symplectic Euler falls at v^2/2g + v h/2 = height, so it arrives g h/2 slow; the approach may be taken from
      // up to a substep earlier: 3/2 v h of height in all. A rise at e v ends e v h/2 short for the same reason,
      // and its apex is seen up to half a step off, g dt^2/8. What went before counts by e^2
      const double v = std::sqrt(2 * kG * ref::bounce_height(drop, e, bounce - 1));
      allowed = double{e} * e * (allowed + 1.5 * v * h) + e * v * h / 2 + kG * lab.dt() * lab.dt() / 8;
      const double wanted = ref::bounce_height(drop, e, bounce);
      EXPECT_NEAR(top, wanted, allowed) << e << " " << bounce;
      // the bound
      EXPECT_NEAR(apex / wanted, 1, bounce <= 2 ? 0.005 : 1) << e << " " << bounce;
      // slower than the threshold there is no bounce
      if (2 * kG * wanted < 1.2 * lab.params.restitution_threshold) break;
    }
    before = now;
  }
  EXPECT_GT(lab.time(), 1);
  EXPECT_LT(lab.time(), 20);
}

TEST_P(Impact, bounces_reach_e_to_the_2n_of_the_height) {
  for (const float e : {0.5f, 0.8f, 1.0f}) {
    for (const double friction : {0.0, 0.6}) expect_bounces(GetParam(), friction, e);
  }
}

TEST_P(Landing, without_restitution_a_dropped_box_stays_where_it_lands) {
  for (const double drop : {0.01, 1.0, 20.0}) {
    Lab lab = on_floor(GetParam(), 0.6);
    const std::uint32_t box = lab.add(lab.make(Box{}, {0, 0, 0.5 + drop}));
    bool landed = false;
    while (lab.time() < std::sqrt(2 * drop / kG) + 0.5) {
      lab.step();
      const double gap = lab.x(box).z - 0.5;
      landed = landed || gap < soft_sink(lab);
      // speculative contacts stop it at the surface: what is left is rest, and rounding of the way
      ASSERT_GT(gap, -2 * soft_sink(lab) - drop * 64 * kUlp) << drop;
      if (landed) {
        ASSERT_LT(gap, soft_sink(lab)) << drop;
      }
    }
    EXPECT_TRUE(landed) << drop;
  }
}

TEST_P(Impact, central_impacts_follow_newtons_law_and_keep_momentum) {
  for (const float e : {0.0f, 0.5f, 1.0f}) {
    for (const double ratio : {1.0, 10.0, 0.05}) {
      Lab lab = in_space(GetParam(), 0.6, e);
      const double ma = 2, mb = ma * ratio;
      Body left = lab.make(Sphere{0.5f}, {0, 0, 0}), right = lab.make(Sphere{0.3f}, {2, 0, 0});
      left.mass = static_cast<float>(ma);
      right.mass = static_cast<float>(mb);
      left.linear_velocity = {3, 0, 0};
      right.linear_velocity = {-1, 0, 0};
      lab.add(left);
      right.name = "right";
      lab.add(right);
      lab.run(1);
      const ref::ImpactSpeeds want = ref::central_impact(ma, 3, mb, -1, e);
      // 20 operations on speeds of up to 8 m/s
      const double tolerance = 8 * 20 * kUlp;
      EXPECT_NEAR(lab.v(0).x, want.a, tolerance) << e << " " << ratio;
      EXPECT_NEAR(lab.v(1).x, want.b, tolerance) << e << " " << ratio;
      EXPECT_NEAR(lab.momentum().x, ma * 3 - mb, (ma + mb) * tolerance);
    }
  }
}

/// Two frictionless spheres that meet off their centres; errors against the closed form.
struct Oblique {
  double velocity;  ///< [m/s]   against the law of impact along the line of centres at touch
  double law;       ///< [m/s]   against the same along the normal that the contact had
  double momentum;  ///< [kg m/s]
  double angular;   ///< [kg m^2/s]
};
Oblique oblique(const Method& method, double e, double start, double dt) {
  Lab lab = in_space(method, 0, e, 6, dt);
  const double radius = 0.5, speed = 3, aside = 0.6;
  Body a = lab.make(Sphere{0.5f}, {-2 - start, 0, 0}), b = lab.make(Sphere{0.5f}, {0, aside, 0});
  b.name = "struck";
  a.mass = 1.0f;
  b.mass = 2.0f;
  a.linear_velocity = {static_cast<float>(speed), 0, 0};
  lab.add(a);
  lab.add(b);
  const ref::Vec3 p0 = lab.momentum(), l0 = lab.angular_momentum();
  ref::Vec3 normal;
  while (lab.time() < 2) {
    lab.step();
    for (const Contact& c : lab.world().contacts()) {
      if (c.points[0].impulse > 0 && length(normal) == 0) normal = wide(c.normal);
    }
  }
  // they touch where the centres are 2 r apart
  const double sine = aside / (2 * radius);
  const auto after = [&](ref::Vec3 n) {
    const ref::ImpactSpeeds along = ref::central_impact(1, speed * n.x, 2, 0, e);
    return std::array{ref::Vec3{speed, 0, 0} + (along.a - speed * n.x) * n, along.b * n};
  };
  const auto off = [&](ref::Vec3 n) {
    const auto want = after(n);
    return std::max(length(lab.v(0) - want[0]), length(lab.v(1) - want[1]));
  };
  return {off({std::sqrt(1 - sine * sine), sine, 0}), off(normal), length(lab.momentum() - p0),
          length(lab.angular_momentum() - l0)};
}

TEST_P(Glancing, off_centre_impacts_follow_newtons_law_along_the_contact_normal) {
  for (const double e : {0.0, 0.5, 1.0}) {
    for (const double start : {0.0, 0.01, 0.02, 0.03, 0.04}) {
      const Oblique error = oblique(GetParam(), e, start, 1.0 / 60);
      // without a relax pass a step ends the approach at the gap's end, and the next one does the rest along a normal
      // that has turned by up to v dt sine / 2 r; sequential impulses are given shorter steps here. Of a direct solve,
      // a share of 1e-4 of the approach is left
      const bool direct = GetParam().all_direct;
      const double turns = GetParam().solver == SolverKind::kSequentialImpulse ? 3.0 / 360 : 3.0 / 60 * 0.6;
      const bool twice = GetParam().solver == SolverKind::kSequentialImpulse || direct;
      EXPECT_LT(error.law, 3 * 40 * kUlp + (twice ? 3 * turns : 0) + (direct ? 3e-4 : 0)) << e << " " << start;
      EXPECT_LT(error.momentum, 3 * 3 * 40 * kUlp) << e << " " << start;
      // the normal is that of the step's start, when the line of centres had still to turn by up to v dt sine / 2 r
      // (twice over, since it looks a step ahead); it moves the impulse, 2/3 (1 + e) v, by so much, and both its
      // factors
      const double turn = 2 * 3 * (1.0 / 60) * 0.6;
      EXPECT_LT(error.velocity, 2 * turn * (1 + e) * 3 * 2 / 3) << e << " " << start;
    }
  }
}

TEST_P(Impact, and_their_errors_of_direction_and_of_angular_momentum_fall_with_the_step) {
  const auto mean = [&](double dt) {
    Oblique sum{};
    // spread over a step's travel, so that every phase of the step counts alike
    constexpr int kPhases = 16;
    for (int i = 0; i < kPhases; ++i) {
      const Oblique error = oblique(GetParam(), 0.5, 3 * dt * i / kPhases, dt);
      sum.velocity += error.velocity / kPhases;
      sum.angular += error.angular / kPhases;
    }
    return sum;
  };
  // first order, so about a half each time
  const Oblique coarse = mean(1.0 / 30), middle = mean(1.0 / 60), fine = mean(1.0 / 120);
  EXPECT_LT(middle.velocity, 0.7 * coarse.velocity);
  EXPECT_LT(fine.velocity, 0.7 * middle.velocity);
  // the impulse goes through both centres, but along the line on which they were at the step's start
  EXPECT_LT(middle.angular, 0.7 * coarse.angular);
  EXPECT_LT(fine.angular, 0.7 * middle.angular);
  // 2/3 (1 + e) v of impulse, with a lever of what goes by aside in a step and the one that it looks ahead
  EXPECT_LT(fine.angular, 2.0 / 3 * 1.5 * 3 * 2 * 3 / 120 * 0.6);
}

TEST_P(Impact, a_row_of_equal_balls_passes_the_speed_on) {
  // with gaps between them these are four impacts of two, each of which swaps the speeds
  Lab lab = in_space(GetParam(), 0, 1);
  for (int i = 0; i < 5; ++i) lab.add(lab.make(Sphere{0.5f}, {1.5 * i, 0, 0}));
  lab.world().set_velocity(lab.handle(0), {4, 0, 0}, {});
  lab.run(1.5);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_NEAR(lab.v(i).x, i == 4 ? 4 : 0, 4 * 80 * kUlp) << i;
}

CAIRN_VERIFY_EACH(Impact);
CAIRN_VERIFY_EACH(Landing);
CAIRN_VERIFY_WITHOUT_AVBD(Glancing);

}  // namespace
}  // namespace cairn::verify
