#include "tests/reference/simulate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/reference/closed_forms.h"

namespace cairn::reference {
namespace {

constexpr double kG = 9.81;

// The stepper is of first order: errors are at most c h, with c from the problem (a speed, or an acceleration times the
// duration), and where the sum that it makes is known in closed form, nothing but the contact problem's tolerance is
// left.

Simulation on_floor(double mu, double e = 0) {
  Simulation s;
  s.bodies.push_back(fixed_plane({0, 0, 1}, 0));
  s.bodies[0].shapes[0].friction = mu;
  s.bodies[0].shapes[0].restitution = e;
  return s;
}

int add(Simulation& s, RigidBody body, double mu, double e = 0) {
  body.shapes[0].friction = mu;
  body.shapes[0].restitution = e;
  s.bodies.push_back(body);
  return static_cast<int>(s.bodies.size()) - 1;
}

TEST(Simulate, free_fall_is_the_sum_that_semi_implicit_euler_makes) {
  Simulation s;
  add(s, solid_sphere(0.5, 2, {0, 0, 100}), 0);
  s.bodies[0].motion.v = {3, 0, 4};
  s.run(2, 0.01);
  const Vec3 want = projectile_stepped({0, 0, 100}, {3, 0, 4}, {0, 0, -kG}, 0.01, 200);
  EXPECT_NEAR(length(s.bodies[0].motion.pose.x - want), 0, 1e-11);
}

TEST(Simulate, a_sliding_block_stops_after_v_squared_over_2_mu_g_in_12_azimuths) {
  const double mu = 0.4, v = 3, h = 1e-3;
  for (int k = 0; k < 12; ++k) {
    const double azimuth = k * std::numbers::pi / 6 + 0.1;
    const Vec3 along{std::cos(azimuth), std::sin(azimuth), 0};
    Simulation s = on_floor(mu);
    // flat, so that it doesn't tip: mu times the height is under the width
    const int block = add(s, solid_box({0.5, 0.5, 0.2}, 10, {0, 0, 0.2}), mu);
    s.bodies[block].motion.v = v * along;
    s.run(1.2 * sliding_stop_time(v, mu, kG), h);
    const Motion& m = s.bodies[block].motion;
    EXPECT_NEAR(length(m.v), 0, 1e-9);
    // sum of v - mu g h i: short of the integral by half a step of v
    EXPECT_NEAR(dot(m.pose.x, along), sliding_stop_distance(v, mu, kG) - v * h / 2, h * h * kG);
    // and straight on
    EXPECT_NEAR(length(m.pose.x - dot(m.pose.x, along) * along - Vec3{0, 0, 0.2}), 0, 1e-8);
  }
}

TEST(Simulate, a_box_on_an_incline_holds_below_the_friction_angle_and_slides_above) {
  const double theta = 0.35, t = 1, h = 1e-3;
  for (const double mu : {1.02 * std::tan(theta), 0.98 * std::tan(theta), 0.1}) {
    Simulation s = on_floor(mu);
    s.gravity = kG * Vec3{std::sin(theta), 0, -std::cos(theta)};
    const int box = add(s, solid_box({0.5, 0.5, 0.3}, 10, {0, 0, 0.3}), mu);
    s.run(t, h);
    const double a = incline_acceleration(theta, mu, kG);
    EXPECT_NEAR(s.bodies[box].motion.pose.x.x, a * t * (t + h) / 2, 1e-7);
  }
}

TEST(Simulate, a_block_on_a_belt_gains_mu_g_until_it_goes_along) {
  const double mu = 0.4, u = 2, h = 1e-3;
  Simulation s = on_floor(mu);
  s.bodies[0].motion.pose.q = rotation({0, 0, 0.6});
  s.bodies[0].shapes[0].surface_velocity = {u, 0, 7};
  const Vec3 along{std::cos(0.6), std::sin(0.6), 0};
  const int block = add(s, solid_box({0.5, 0.5, 0.2}, 10, {0, 0, 0.2}), mu);
  s.run(0.3, h);
  EXPECT_NEAR(length(s.bodies[block].motion.v - mu * kG * 0.3 * along), 0, 1e-8);
  s.run(0.7, h);
  EXPECT_NEAR(length(s.bodies[block].motion.v - u * along), 0, 1e-9);
  // the sum is ahead of the integral by half a step of u
  const Vec3 want = (u * 1 - sliding_stop_distance(u, mu, kG) + u * h / 2) * along + Vec3{0, 0, 0.2};
  EXPECT_NEAR(length(s.bodies[block].motion.pose.x - want), 0, h * h * kG);
}

TEST(Simulate, a_sphere_on_a_belt_goes_two_sevenths_of_its_speed) {
  Simulation s = on_floor(0.3);
  s.bodies[0].shapes[0].surface_velocity = {0, 2, 0};
  const int ball = add(s, solid_sphere(0.5, 3, {0, 0, 0.5}), 0.3);
  s.run(0.5, 1e-3);
  EXPECT_NEAR(length(s.bodies[ball].motion.v - Vec3{0, 4.0 / 7, 0}), 0, 1e-7);
}

TEST(Simulate, a_sphere_rolls_down_at_five_sevenths_of_g_sin_theta) {
  const double theta = 0.4, t = 1, r = 0.3;
  const auto error = [&](double h) {
    Simulation s = on_floor(0.5);
    s.gravity = kG * Vec3{std::sin(theta), 0, -std::cos(theta)};
    const int ball = add(s, solid_sphere(r, 2, {0, 0, r}), 0.5);
    s.run(t, h);
    const Motion& m = s.bodies[ball].motion;
    EXPECT_NEAR(m.v.x, angular_velocity(m).y * r, 1e-8);
    return std::abs(m.pose.x.x - rolling_acceleration(theta, kG) * t * t / 2);
  };
  // x is ahead by a t h / 2
  EXPECT_NEAR(error(0.01), rolling_acceleration(theta, kG) * t * 0.01 / 2, 1e-6);
  EXPECT_NEAR(error(0.01) / error(0.005), 2, 0.01);
}

TEST(Simulate, a_sphere_set_down_sliding_rolls_at_five_sevenths_of_its_speed) {
  const double v0 = 5, mu = 0.2, r = 0.5, h = 1e-3, rolls = slip_to_roll_time(v0, mu, kG);
  Simulation s = on_floor(mu);
  const int ball = add(s, solid_sphere(r, 3, {0, 0, r}), mu);
  s.bodies[ball].motion.v = {v0, 0, 0};
  while (s.bodies[ball].motion.v.x - r * angular_velocity(s.bodies[ball].motion).y > 1e-6) s.step(h);
  EXPECT_NEAR(s.bodies[ball].motion.v.x, slip_to_roll_speed(v0), 1e-6);
  EXPECT_NEAR(s.time, rolls, 1.01 * h);
  EXPECT_NEAR(s.bodies[ball].motion.pose.x.x, slip_to_roll_distance(v0, mu, kG), v0 * h);
}

TEST(Simulate, bounces_reach_e_to_the_2n_of_the_height) {
  const double drop = 2, e = 0.8, r = 0.25;
  const auto worst = [&](double h) {
    Simulation s = on_floor(0, e);
    s.restitution_threshold = 0.1;
    const int ball = add(s, solid_sphere(r, 1, {0, 0, r + drop}), 0, e);
    double error = 0, top = 0;
    int bounce = 0;
    while (bounce < 4) {
      const double before = s.bodies[ball].motion.v.z;
      s.step(h);
      const double after = s.bodies[ball].motion.v.z;
      if (before < 0 && after > 0) top = 0;
      top = std::max(top, s.bodies[ball].motion.pose.x.z - r);
      if (before > 0 && after <= 0) error = std::max(error, std::abs(top - bounce_height(drop, e, ++bounce)));
    }
    return error;
  };
  // an impact is early by h at most and so off by h times the speed, sqrt(2 g drop) = 6.3 m/s, once a bounce
  const double v = std::sqrt(2 * kG * drop);
  EXPECT_LT(worst(1e-3), 4 * v * 1e-3);
  EXPECT_LT(worst(1e-4), 4 * v * 1e-4);
}

TEST(Simulate, two_body_impacts_follow_newtons_law) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Simulation s;
    s.gravity = {};
    const int a = add(s, solid_sphere(0.5, 2, {0, 0, 0}), 0.3, e), b = add(s, solid_sphere(0.3, 5, {2, 0, 0}), 0.3, e);
    s.bodies[a].motion.v = {3, 0, 0};
    s.bodies[b].motion.v = {-1, 0, 0};
    s.run(1, 1e-3);
    const ImpactSpeeds want = central_impact(2, 3, 5, -1, e);
    EXPECT_NEAR(s.bodies[a].motion.v.x, want.a, 1e-9);
    EXPECT_NEAR(s.bodies[b].motion.v.x, want.b, 1e-9);
    // touching (e = 0) or apart, never inside
    EXPECT_GE(body_distance(s.bodies[a], s.bodies[b]), -1e-9);
  }
}

TEST(Simulate, a_tower_stands_still_and_each_floor_carries_what_is_above) {
  for (const double top_mass : {1000.0, 100000.0}) {
    const int n = 6;
    const double h = 0.01;
    Simulation s = on_floor(0.6);
    for (int i = 0; i < n; ++i) {
      add(s, solid_box({0.5, 0.5, 0.5}, i == n - 1 ? top_mass : 1000, {0, 0, 0.5 + i}), 0.6);
      s.bodies.back().motion.pose.q = rotation({0, 0, 0.01 * i});
    }
    s.run(0.5, h);
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(length(s.bodies[i + 1].motion.pose.x - Vec3{0, 0, 0.5 + i}), 0, 1e-7) << i;
      double carried = 0;
      for (const BodyContact& c : s.contacts) carried += c.b == i + 1 ? c.impulse.z : 0;
      const double above = (n - 1 - i) * 1000.0 + top_mass;
      // tolerance of the velocities, for all the mass above
      EXPECT_NEAR(carried / h, above * kG, above * 100 * s.tolerance / h) << i;
    }
    EXPECT_NEAR(s.contact_impulse(0).z / h, -((n - 1) * 1000 + top_mass) * kG, 1e-3);
  }
}

TEST(Simulate, a_falling_box_lands_flat_on_another_and_rests) {
  Simulation s = on_floor(0.6);
  const int low = add(s, solid_box({0.5, 0.5, 0.5}, 1000, {0, 0, 0.6}), 0.6);
  const int high = add(s, solid_box({0.5, 0.5, 0.5}, 1000, {0.2, 0.1, 1.9}), 0.6);
  s.bodies[high].motion.pose.q = rotation({0.05, -0.02, 0.3});
  double energy = s.energy();
  for (int i = 0; i < 2000; ++i) {
    s.step(1e-3);
    // gaps close to first order, and their correction lifts by no more than (h w)^2 a step
    EXPECT_LE(s.energy(), energy + 1e-3 * 2000 * kG);
    energy = s.energy();
    EXPECT_GT(body_distance(s.bodies[low], s.bodies[high]), -1e-5);
    EXPECT_GT(body_distance(s.bodies[0], s.bodies[low]), -1e-5);
  }
  EXPECT_NEAR(s.bodies[high].motion.pose.x.z, 1.5, 1e-6);
  EXPECT_NEAR(length(s.bodies[high].motion.v), 0, 1e-6);
}

TEST(Simulate, columns_topple_past_atan_one_over_n_and_not_before) {
  // gravity tilted by 3 % less and more than the limit
  for (const int n : {2, 4}) {
    for (const double share : {0.97, 1.03}) {
      Simulation s = on_floor(1);
      const double theta = share * topple_angle(n);
      s.gravity = kG * Vec3{std::sin(theta), 0, -std::cos(theta)};
      for (int i = 0; i < n; ++i) add(s, solid_box({0.5, 0.5, 0.5}, 1000, {0, 0, 0.5 + i}), 1);
      s.run(1, 5e-3);
      const double moved = s.bodies.back().motion.pose.x.x;
      if (share < 1) {
        EXPECT_NEAR(moved, 0, 1e-6);
      } else {
        EXPECT_GT(moved, 0.05);
      }
    }
  }
}

TEST(Simulate, a_box_rides_a_turntable_until_w_squared_r_is_mu_g) {
  const double mu = 0.5, r = 2;
  for (const double share : {0.97, 1.03}) {
    Simulation s;
    RigidBody table = solid_box({4, 4, 0.1}, 1, {0, 0, -0.1});
    table.dynamic = false;
    const double w = share * turntable_limit(mu, kG, r);
    table.motion.w_body = {0, 0, w};
    add(s, table, mu);
    const int box = add(s, solid_box({0.1, 0.1, 0.05}, 1, {r, 0, 0.05}), mu);
    s.bodies[box].motion.v = {0, w * r, 0};
    s.bodies[box].motion.w_body = {0, 0, w};
    s.run(1.5, 1e-3);
    const Vec3 x = s.bodies[box].motion.pose.x;
    const double radius = std::hypot(x.x, x.y);
    // on the table the step goes along the tangent: r grows by (w h)^2 r / 2 a step, 1500 steps
    const double spiral = 1500 * w * w * 1e-6 * r;
    if (share < 1) {
      EXPECT_NEAR(radius, r, spiral);
    } else {
      EXPECT_GT(radius, r + 10 * spiral);
    }
  }
}

TEST(Simulate, damping_and_held_loads_act_as_stated) {
  Simulation s;
  s.gravity = {};
  add(s, solid_sphere(0.5, 2, {}), 0);
  RigidBody& ball = s.bodies[0];
  ball.motion.v = {1, 0, 0};
  ball.linear_damping = 0.7;
  s.run(1, 0.01);
  EXPECT_NEAR(ball.motion.v.x, std::exp(-0.7), 1e-12);
  ball.linear_damping = 0;
  ball.load = {{0, 4, 0}, {0, 0, 0.4}};
  s.run(1, 0.01);
  EXPECT_NEAR(ball.motion.v.y, 2, 1e-12);
  // the torque is turned into body axes within the step, by a quaternion good to (h w)^5
  EXPECT_NEAR(angular_velocity(ball.motion).z, 0.4 / (0.4 * 2 * 0.25), 1e-8);
}

}  // namespace
}  // namespace cairn::reference
