// Gravity between all particles, by pairs and by the tree.

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tests/fields/systems.h"

namespace cairn::fields_test {
namespace {

/// Particles that crowd towards the middle, of masses that differ tenfold.
ParticleStates cluster(std::uint32_t n) {
  ParticleStates s;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto r = random_uniforms(21, 0, RandomStream::kUser, i);
    const double far = 0.2 + r[3] * r[3] * 5;
    s.position.push_back({far * (r[0] - 0.5), far * (r[1] - 0.5), far * (r[2] - 0.5)});
    s.mass.push_back(0.1 + r[1] * 0.9);
  }
  return s;
}

ParticleRates rates_of(const ParticleStates& s, const fields::PairGravity& field, int threads = 2,
                       Precision precision = Precision::kDouble) {
  ParticleSystem system(s, Device::cpu(threads), precision);
  system.add(field);
  return system.rates();
}

/// [1] Of accelerations: the largest against its own size, and the mean square against the mean square.
struct Difference {
  double own, rms;
};
Difference difference(const ParticleRates& got, const ParticleRates& want) {
  Difference d{0, 0};
  double squares = 0, size = 0;
  for (std::size_t i = 0; i < got.acceleration.size(); ++i) {
    const double error = distance(got.acceleration[i], want.acceleration[i]), a = distance(want.acceleration[i], {});
    d.own = std::max(d.own, error / a);
    squares += error * error;
    size += a * a;
  }
  d.rms = std::sqrt(squares / size);
  return d;
}

TEST(PairGravity, by_the_tree_is_within_1e_3_of_all_pairs) {
  constexpr std::uint32_t kCount = 12000;
  const ParticleStates s = cluster(kCount);
  const fields::PairGravity all{.constant = 1, .softening = 0.01, .tree_above = kCount},
      tree{.constant = 1, .softening = 0.01};
  const auto clock = [] { return std::chrono::steady_clock::now(); };
  const auto t0 = clock();
  const ParticleRates want = rates_of(s, all);
  const auto t1 = clock();
  const ParticleRates got = rates_of(s, tree);
  const auto t2 = clock();
  const Difference d = difference(got, want);
  // each against its own, even where the pulls of all others nearly cancel
  EXPECT_LT(d.own, 1e-3);
  EXPECT_GT(d.own, 1e-9) << "the default takes the tree";
  // in the mean square a wider angle holds it, too
  const Difference wide = difference(rates_of(s, {.constant = 1, .softening = 0.01, .opening_angle = 0.3}), want);
  EXPECT_LT(wide.rms, 1e-3);
  const auto ms = [](auto span) { return std::chrono::duration<double, std::milli>(span).count(); };
  std::printf(
      "gravity of %u particles: tree off by %.3g at worst, %.3g in the mean square; at angle 0.3 by %.3g and %.3g; "
      "%.0f ms, all pairs %.0f ms\n",
      kCount, d.own, d.rms, wide.own, wide.rms, ms(t2 - t1), ms(t1 - t0));

  ParticleSystem a(s, Device::cpu(2)), b(s, Device::cpu(2));
  a.add(all);
  b.add(tree);
  EXPECT_NEAR(b.potential_energy(), a.potential_energy(), 1e-3 * std::abs(a.potential_energy()));
}

TEST(PairGravity, by_a_tree_that_opens_everything_is_that_of_all_pairs) {
  // an opening angle of 0 takes every pair, in another order: sizes around those of leaves and levels
  for (const std::uint32_t n : {1u, 2u, 7u, 8u, 9u, 63u, 64u, 65u, 513u}) {
    const ParticleStates s = cluster(n);
    const ParticleRates want = rates_of(s, {.constant = 1, .softening = 0.1, .tree_above = n});
    const ParticleRates got = rates_of(s, {.constant = 1, .softening = 0.1, .tree_above = 0, .opening_angle = 0});
    for (std::uint32_t i = 0; i < n; ++i) {
      // each pair pulls with no more than m / s^2 * 0.385
      EXPECT_LT(distance(got.acceleration[i], want.acceleration[i]), 40.0 * n * n * 0x1p-53) << n << ", " << i;
    }
  }
}

TEST(PairGravity, of_a_narrower_angle_is_nearer_to_that_of_all_pairs) {
  const ParticleStates s = cluster(2000);
  const ParticleRates want = rates_of(s, {.constant = 1, .softening = 0.01});
  double before = 1;
  for (const double angle : {0.9, 0.6, 0.4, 0.2}) {
    const Difference d =
        difference(rates_of(s, {.constant = 1, .softening = 0.01, .tree_above = 0, .opening_angle = angle}), want);
    EXPECT_LT(d.rms, before) << angle;
    before = d.rms;
  }
}

TEST(PairGravity, keeps_energy_and_momentum_of_a_Kepler_pair) {
  // Verlet is symplectic: over 10 turns the energy swings by its order and doesn't drift
  ParticleSystem system(
      {.position = {{-0.5, 0, 0}, {0.5, 0, 0}}, .velocity = {{0, -0.5, 0}, {0, 0.5, 0}}, .mass = {0.5, 0.5}},
      Device::cpu(1));
  system.add(fields::PairGravity{.constant = 1});
  const double energy = system.kinetic_energy() + system.potential_energy();
  EXPECT_NEAR(energy, 0.125 - 0.25, 4 * 0x1p-53);
  const double h = 0.01;
  system.integrate(20 * std::numbers::pi, h, Integrator::kVerlet);
  EXPECT_NEAR(system.kinetic_energy() + system.potential_energy(), energy, h * h * std::abs(energy));
  EXPECT_LT(distance(system.momentum(), {}), 6300 * 0x1p-53);
}

TEST(PairGravity, where_particles_coincide_is_finite) {
  ParticleStates s = cluster(40);
  for (std::size_t i = 1; i < 20; ++i) s.position[i] = s.position[0];
  for (const std::uint32_t above : {0u, 100u}) {
    for (const Vec3d& a : rates_of(s, {.constant = 1, .tree_above = above}).acceleration) {
      EXPECT_TRUE(std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z));
    }
  }
}

TEST(PairGravity, in_float_is_near_that_in_double) {
  const ParticleStates s = cluster(3000);
  const fields::PairGravity tree{.constant = 1, .softening = 0.05, .tree_above = 0};
  const Difference d = difference(rates_of(s, tree, 2, Precision::kFloat), rates_of(s, tree));
  // roundings of about 3000 terms, and groups that are opened in one and not in the other, which differ by less than
  // the tree's own error
  EXPECT_LT(d.rms, 1e-3);
}

}  // namespace
}  // namespace cairn::fields_test
