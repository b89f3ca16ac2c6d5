// Each ready-made field against a closed form or a conservation law.

#include <algorithm>
#include <cstdio>

#include "tests/fields/systems.h"

namespace cairn::fields_test {
namespace {

ParticleSystem one(Vec3d v, double mass = 2) {
  return ParticleSystem({.position = {{0, 0, 0}}, .velocity = {v}, .mass = {mass}}, Device::cpu(1));
}

/// RK4's error of a decay of rate r over time t in steps of h: r t (r h)^4 / 120 of what decays, and rounding.
double rk4_error(double rate, double t, double h) {
  return rate * t * std::pow(rate * h, 4) / 120 + 8 * t / h * 0x1p-53;
}

TEST(Fields, gravity_throws_a_parabola) {
  // x = v t, z = -g t^2 / 2: RK4 has no error of second order in time
  ParticleSystem system = one({3, 0, 0});
  system.add(fields::Gravity{{0, 0, -10}});
  system.integrate(2, 0.01, Integrator::kRungeKutta4);
  EXPECT_LT(distance(system.state().position[0], {6, 0, -20}), 20 * 200 * 0x1p-52);
  // m (v^2 / 2 + g z)
  EXPECT_NEAR(system.kinetic_energy() + system.potential_energy(), 9, 400 * 200 * 0x1p-52);
}

TEST(Fields, linear_drag_decays_and_quadratic_drag_falls_off) {
  // v = v0 exp(-c t / m)
  ParticleSystem linear = one({3, 0, 4});
  linear.add(fields::LinearDrag{0.5});
  linear.integrate(2, 0.01, Integrator::kRungeKutta4);
  const double decay = std::exp(-0.5);
  EXPECT_LT(distance(linear.state().velocity[0], {3 * decay, 0, 4 * decay}), 5 * rk4_error(0.25, 2, 0.01));
  // v = v0 / (1 + c |v0| t / m); its fifth derivative is at most 5! (c v / m)^5
  ParticleSystem quadratic = one({3, 0, 4});
  quadratic.add(fields::QuadraticDrag{0.5});
  quadratic.integrate(2, 0.01, Integrator::kRungeKutta4);
  const double share = 1 / (1 + 0.5 * 5 * 2 / 2);
  EXPECT_LT(distance(quadratic.state().velocity[0], {3 * share, 0, 4 * share}), 5 * 120 * rk4_error(1.25, 2, 0.01));
}

TEST(Fields, wind_carries_along_and_its_gusts_go_by_the_sine) {
  ParticleSystem still = one({});
  still.add(fields::Wind{.velocity = {5, 0, 0}, .linear = 4});
  still.integrate(2, 0.01, Integrator::kRungeKutta4);
  EXPECT_NEAR(still.state().velocity[0].x, 5 * (1 - std::exp(-4)), 5 * rk4_error(2, 2, 0.01));
  // at t the force is linear gust sin(rate t)
  ParticleSystem gusty = one({});
  gusty.add(fields::Wind{.linear = 4, .gust = {0, 3, 0}, .gust_rate = 2});
  gusty.set_time(0.6);
  EXPECT_NEAR(gusty.rates().acceleration[0].y, 4 * 3 * std::sin(1.2) / 2, 8 * 0x1p-52);
}

TEST(Fields, a_damped_spring_swings_as_its_closed_form) {
  // along x: m x'' = -k x - c x'; x = exp(-d t)(cos w t + d/w sin w t), d = c / 2m, w^2 = k/m - d^2
  ParticleSystem system = oscillator(4, {1, 0, 0}, {}, 0.4);
  system.integrate(1, 0.005, Integrator::kRungeKutta4);
  const double d = 0.2, w = std::sqrt(4 - d * d);
  EXPECT_NEAR(system.state().position[1].x, std::exp(-d) * (std::cos(w) + d / w * std::sin(w)), rk4_error(2, 1, 0.005));
}

TEST(Fields, springs_with_dampers_keep_momentum_and_lose_energy) {
  ParticleStates s;
  fields::Springs springs;
  for (std::uint32_t i = 0; i < 64; ++i) {
    const auto r = random_uniforms(3, 0, RandomStream::kUser, i), q = random_uniforms(4, 0, RandomStream::kUser, i);
    s.position.push_back({4 * r[0], 4 * r[1], 4 * r[2]});
    s.velocity.push_back({q[0], q[1], q[2]});
    s.mass.push_back(0.5 + r[3]);
    for (const std::uint32_t step : {1u, 5u}) {
      if (i >= step) springs.springs.push_back({i - step, i, 50, 0.2, 1});
    }
  }
  ParticleSystem system(s, Device::cpu(2));
  system.add(springs);
  const Vec3d before = system.momentum();
  const double energy = system.kinetic_energy() + system.potential_energy();
  system.integrate(2, 0.001, Integrator::kVerlet);
  // both ends are opposite to the bit: what is left is rounding of 64 velocities, 2000 times
  EXPECT_LT(distance(system.momentum(), before), 64 * 2000 * 10 * 0x1p-53);
  EXPECT_LT(system.kinetic_energy() + system.potential_energy(), energy);
}

/// A cube of a lattice with the nearest distance of Lennard-Jones, and slow random velocities of no momentum in sum.
ParticleStates droplet(int side, double speed) {
  ParticleStates s;
  const double gap = std::pow(2.0, 1.0 / 6.0);
  Vec3d sum{};
  for (int i = 0; i < side * side * side; ++i) {
    s.position.push_back({gap * (i % side), gap * (i / side % side), gap * (i / side / side)});
    const auto r = random_uniforms(7, 0, RandomStream::kUser, static_cast<std::uint32_t>(i));
    s.velocity.push_back({speed * (r[0] - 0.5), speed * (r[1] - 0.5), speed * (r[2] - 0.5)});
    sum = {sum.x + s.velocity.back().x, sum.y + s.velocity.back().y, sum.z + s.velocity.back().z};
  }
  const double n = side * side * side;
  for (Vec3d& v : s.velocity) v = {v.x - sum.x / n, v.y - sum.y / n, v.z - sum.z / n};
  return s;
}

TEST(LennardJones, with_Verlet_keeps_its_energy_to_1e_4_over_10000_steps) {
  ParticleSystem system(droplet(5, 1.5), Device::cpu(2));
  system.add(fields::LennardJones{});
  const double initial = system.kinetic_energy() + system.potential_energy();
  double worst = 0;
  for (int k = 1; k <= 200; ++k) {
    ASSERT_EQ(system.integrate(0.1 * k, 0.002, Integrator::kVerlet).stop, Stop::kTime);
    worst = std::max(worst, std::abs(system.kinetic_energy() + system.potential_energy() - initial));
  }
  EXPECT_LT(worst, 1e-4 * std::abs(initial));
  std::printf("Lennard-Jones, 125 particles, 10,000 steps: energy %.6f, drift %.3g of it\n", initial,
              worst / std::abs(initial));
  const Vec3d p = system.momentum();
  EXPECT_LT(distance(p, {}), 125 * 10000 * 4 * 0x1p-53);
}

TEST(LennardJones, finds_every_neighbour_that_all_pairs_find) {
  // far from the origin, and cells that share buckets
  ParticleStates s;
  for (std::uint32_t i = 0; i < 257; ++i) {
    const auto r = random_uniforms(11, 0, RandomStream::kUser, i);
    s.position.push_back({1e5 + 9 * r[0], -1e5 + 9 * r[1], 9 * r[2]});
  }
  constexpr double kCut = 2.0, kSigma = 0.4;
  ParticleSystem system(s, Device::cpu(2));
  system.add(fields::LennardJones{.epsilon = 1, .sigma = kSigma, .cut_off = kCut});
  const ParticleRates rates = system.rates();
  const auto plain = [&](double r) { return 24 / r * std::pow(kSigma / r, 6) * (2 * std::pow(kSigma / r, 6) - 1); };
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    Vec3d want{};
    double size = 0;
    for (std::size_t j = 0; j < s.position.size(); ++j) {
      const double r = distance(s.position[i], s.position[j]);
      if (j == i || r >= kCut) continue;
      const double f = (plain(r) - plain(kCut)) / r;
      want.x += f * (s.position[i].x - s.position[j].x);
      want.y += f * (s.position[i].y - s.position[j].y);
      want.z += f * (s.position[i].z - s.position[j].z);
      size += std::abs(f) * r + std::abs(plain(r));
    }
    EXPECT_LT(distance(rates.acceleration[i], want), 200 * size * 0x1p-53) << i;
  }
}

TEST(Boids, that_fly_alike_at_the_right_distance_only_cruise) {
  // three abreast, further apart than separation reaches, in a row: the middle one has nothing to mend
  ParticleStates s;
  for (int i = -1; i <= 1; ++i) s.position.push_back({0, 0.8 * i, 0});
  s.velocity.assign(3, {2, 0, 0});
  ParticleSystem system(s, Device::cpu(1));
  system.add(fields::Boids{.radius = 1, .separation_radius = 0.5, .cohesion = 3, .cruise_speed = 3, .cruise = 0.5});
  const ParticleRates r = system.rates();
  EXPECT_LT(distance(r.acceleration[1], {0.5, 0, 0}), 8 * 0x1p-53);
  // those outside go to the only neighbour that they see: 3 * 0.8
  EXPECT_LT(distance(r.acceleration[0], {0.5, 2.4, 0}), 16 * 0x1p-53);
}

TEST(Boids, line_up_as_they_fly) {
  ParticleSystem system(flock(200, 6), Device::cpu(2));
  system.add(fields::Boids{.radius = 1.5,
                           .separation_radius = 0.5,
                           .separation = 2,
                           .alignment = 2,
                           .cohesion = 0.5,
                           .cruise_speed = 1,
                           .cruise = 2});
  // [1] 1 where all fly the same way
  const auto order = [&] {
    Vec3d sum{};
    for (const Vec3d& v : system.state().velocity) {
      const double speed = distance(v, {});
      sum = {sum.x + v.x / speed, sum.y + v.y / speed, sum.z + v.z / speed};
    }
    return distance(sum, {}) / 200;
  };
  const double before = order();
  system.integrate(20, 0.02, Integrator::kTrapezoid);
  // random directions have 1 / sqrt(200) in the mean square
  EXPECT_LT(before, 0.2);
  EXPECT_GT(order(), 0.5);
  std::printf("boids: mean direction %.3f at first, %.3f after 20 s\n", before, order());
}

}  // namespace
}  // namespace cairn::fields_test
