#include "tests/reference/contact_lcp.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace cairn::reference {
namespace {

constexpr double kTolerance = 1e-10;  // [m/s] what the solver is asked for

ContactBody fixed() { return {}; }

ContactBody cube(double mass, double side, Vec3 v, Vec3 w = {}) {
  const double inv = 6 / (mass * side * side);
  return {1 / mass, diagonal({inv, inv, inv}), v, w};
}

// the four corners of a cube's lower face on body 0
std::vector<ContactPoint> corners(int body, double side, double mu) {
  std::vector<ContactPoint> points;
  for (const double x : {-side / 2, side / 2}) {
    for (const double y : {-side / 2, side / 2})
      points.push_back({0, body, {x, y, 0}, {x, y, -side / 2}, {0, 0, 1}, mu, 0, {}});
  }
  return points;
}

TEST(ContactLcp, a_ball_that_comes_down_stops_and_one_that_leaves_is_left_alone) {
  for (const double vz : {-2.0, 3.0}) {
    std::vector<ContactBody> bodies{fixed(), cube(2, 1, {0, 0, vz})};
    std::vector<ContactPoint> points{{0, 1, {}, {0, 0, -0.5}, {0, 0, 1}, 0.5, 0, {}}};
    solve_contacts(bodies, points);
    EXPECT_NEAR(bodies[1].v.z, std::max(vz, 0.0), kTolerance);
    EXPECT_NEAR(points[0].impulse.z, std::max(-2 * vz, 0.0), kTolerance);
  }
}

TEST(ContactLcp, a_block_sticks_within_the_cone_and_slips_on_its_surface) {
  // a point contact under the centre (arm zero): the block's velocity falls by mu times what the normal takes, in any
  // azimuth
  for (int k = 0; k < 12; ++k) {
    const double azimuth = k * std::numbers::pi / 6;
    const Vec3 along{std::cos(azimuth), std::sin(azimuth), 0};
    for (const double speed : {0.3, 2.0}) {
      std::vector<ContactBody> bodies{fixed(), cube(3, 1, speed * along - Vec3{0, 0, 1})};
      std::vector<ContactPoint> points{{0, 1, {}, {}, {0, 0, 1}, 0.5, 0, {}}};
      solve_contacts(bodies, points);
      EXPECT_NEAR(length(bodies[1].v - std::max(speed - 0.5, 0.0) * along), 0, kTolerance);
    }
  }
}

TEST(ContactLcp, a_bias_is_the_velocity_that_the_contact_must_leave_with) {
  std::vector<ContactBody> bodies{fixed(), cube(1, 1, {0, 0, -4})};
  std::vector<ContactPoint> points{{0, 1, {}, {0, 0, -0.5}, {0, 0, 1}, 0, -3, {}}};
  solve_contacts(bodies, points);
  EXPECT_NEAR(bodies[1].v.z, 3, kTolerance);
}

TEST(ContactLcp, a_tower_at_rest_carries_its_weight_at_every_floor) {
  // ten cubes under one step of gravity; the share of a corner isn't unique, the sum of a floor is
  const double h = 0.01, g = 9.81;
  std::vector<ContactBody> bodies{fixed()};
  std::vector<ContactPoint> points;
  for (int i = 1; i <= 10; ++i) {
    bodies.push_back(cube(1000, 1, {0, 0, -g * h}));
    for (ContactPoint p : corners(i, 1, 0.6)) {
      p.a = i - 1;
      if (i > 1) p.arm_a.z = 0.5;
      points.push_back(p);
    }
  }
  const ContactSolution solution = solve_contacts(bodies, points);
  EXPECT_LE(solution.residual.largest(), kTolerance);
  for (int i = 1; i <= 10; ++i) {
    double floor = 0;
    for (const ContactPoint& p : points) floor += p.b == i ? p.impulse.z : 0;
    // each body may keep a velocity of the order of the tolerance, and the ones above add up
    EXPECT_NEAR(floor, (11 - i) * 1000 * g * h, 1000 * 100 * kTolerance) << i;
  }
}

TEST(ContactLcp, random_problems_meet_the_laws_keep_momentum_and_never_gain_energy) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3{uniform(engine), uniform(engine), uniform(engine)}; };
  for (int round = 0; round < 200; ++round) {
    std::vector<ContactBody> bodies;
    for (int i = 0; i < 6; ++i) {
      ContactBody body = cube(std::exp(2 * uniform(engine)), 1, vector(), vector());
      body.inv_inertia = to_world(rotation(3.0 * vector()), diagonal({1.5, 4, 7}));
      bodies.push_back(body);
    }
    std::vector<ContactPoint> points;
    for (int i = 0; i < 8; ++i) {
      const int a = i % 6, b = (i + 1 + i / 6) % 6;
      points.push_back(
          {a, b, 0.5 * vector(), 0.5 * vector(), normalized(vector()), 0.5 + 0.5 * uniform(engine), 0, {}});
    }
    const auto momentum = [&] {
      Vec3 sum;
      for (const ContactBody& b : bodies) sum += b.v / b.inv_mass;
      return sum;
    };
    const auto energy = [&] {
      double sum = 0;
      for (const ContactBody& b : bodies)
        sum += 0.5 * dot(b.v, b.v) / b.inv_mass + 0.5 * dot(b.w, inverse(b.inv_inertia) * b.w);
      return sum;
    };
    const Vec3 p0 = momentum();
    const double e0 = energy();
    const ContactSolution solution = solve_contacts(bodies, points);
    ASSERT_LE(solution.residual.largest(), kTolerance) << round;
    ASSERT_NEAR(length(momentum() - p0), 0, 1e-12 * (1 + solution.sweeps)) << round;
    ASSERT_LE(energy(), e0 + 1e-8) << round;
    for (const ContactPoint& c : points) {
      const Vec3 u = relative_velocity(bodies, c);
      const double pn = dot(c.normal, c.impulse);
      const Vec3 pt = c.impulse - pn * c.normal, ut = u - dot(u, c.normal) * c.normal;
      ASSERT_GE(pn, 0);
      ASSERT_LE(length(pt), c.friction * pn + 1e-9);
      // friction opposes the slip
      ASSERT_NEAR(dot(pt, ut), -length(pt) * length(ut), 1e-8);
    }
  }
}

TEST(ContactLcp, the_residual_sees_a_wrong_impulse) {
  std::vector<ContactBody> bodies{fixed(), cube(1, 1, {1, 0, -1})};
  std::vector<ContactPoint> points{{0, 1, {}, {}, {0, 0, 1}, 0.5, 0, {}}};
  EXPECT_NEAR(contact_residual(bodies, points).signorini, 1, kTolerance);
  solve_contacts(bodies, points);
  points[0].impulse.x = 0;  // no friction where there is slip
  EXPECT_NEAR(contact_residual(bodies, points).coulomb, 0.5, kTolerance);
}

TEST(ContactLcp, too_few_sweeps_are_reported) {
  std::vector<ContactBody> bodies{fixed(), cube(1, 1, {0, 0.5, -1}, {1, 2, 0})};
  std::vector<ContactPoint> points = corners(1, 1, 0.6);
  EXPECT_THROW(solve_contacts(bodies, points, kTolerance, 1), std::runtime_error);
}

}  // namespace
}  // namespace cairn::reference
