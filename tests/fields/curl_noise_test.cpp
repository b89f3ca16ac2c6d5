// The flow of curl noise has no divergence: its text is run with numbers that carry their derivatives.

#include "kernels/fields/curl_noise.h"

#include <algorithm>
#include <cstdio>

#include "tests/fields/systems.h"

namespace cairn::fields_test {
namespace dual_numbers {

/// a + b e with e^2 = 0.
struct Dual {
  double a{0}, b{0};
  Dual() = default;
  Dual(double value, double slope = 0) : a(value), b(slope) {}  // NOLINT: numbers are duals
};
Dual operator+(Dual x, Dual y) { return {x.a + y.a, x.b + y.b}; }
Dual operator-(Dual x, Dual y) { return {x.a - y.a, x.b - y.b}; }
Dual operator-(Dual x) { return {-x.a, -x.b}; }
Dual operator*(Dual x, Dual y) { return {x.a * y.a, x.a * y.b + x.b * y.a}; }
Dual fma(Dual x, Dual y, Dual z) { return x * y + z; }
std::int32_t whole_below(Dual x) { return kernels::whole_below(x.a); }

}  // namespace dual_numbers

namespace {

using dual_numbers::Dual;

TEST(CurlNoise, has_no_divergence_but_rounding_and_is_smooth) {
  const kernels::CurlNoiseForce<Dual> field{1.0, 1.0, 1.0, 3, 42, {}};
  const kernels::CurlNoiseForce<double> plain{1.0, 1.0, 1.0, 3, 42, {}};
  double worst = 0, squares = 0, slopes = 0;
  constexpr std::uint32_t kCount = 2000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const auto r = random_uniforms(2, 0, RandomStream::kUser, i);
    const double x[3] = {20 * r[0] - 10.0, 20 * r[1] - 10.0, 20 * r[2] - 10.0};
    double divergence = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3T<Dual> at{{x[0], axis == 0 ? 1.0 : 0.0}, {x[1], axis == 1 ? 1.0 : 0.0}, {x[2], axis == 2 ? 1.0 : 0.0}};
      const Vec3T<Dual> u = field.flow(at, 0.0);
      divergence += axis == 0 ? u.x.b : (axis == 1 ? u.y.b : u.z.b);
      slopes = std::max({slopes, std::abs(u.x.b), std::abs(u.y.b), std::abs(u.z.b)});
    }
    worst = std::max(worst, std::abs(divergence));
    const Vec3d u = plain.flow({x[0], x[1], x[2]}, 0.0);
    squares += u.x * u.x + u.y * u.y + u.z * u.z;
  }
  // six slopes of each octave cancel in pairs, each a sum over 8 corners of some products
  EXPECT_LT(worst, 3 * 6 * 8 * 8 * slopes * 0x1p-53);
  // three octaves whose squares add up as 1 + 1/4 + 1/16; by counting 2000 places, to some hundredths
  EXPECT_NEAR(std::sqrt(squares / kCount / (1 + 0.25 + 0.0625)), 1.7, 0.1);
  std::printf("curl noise: divergence at most %.3g where slopes are up to %.3g; mean square speed %.3f\n", worst,
              slopes, std::sqrt(squares / kCount));
}

TEST(CurlNoise, goes_on_without_a_jump_from_cell_to_cell) {
  const kernels::CurlNoiseForce<double> field{1.0, 1.0, 1.0, 1, 7, {}};
  for (const double y : {0.1, 0.5, 0.83}) {
    const Vec3d below = field.flow({3 - 1e-9, y, 0.3}, 0), above = field.flow({3 + 1e-9, y, 0.3}, 0);
    // slopes are at most some tens
    EXPECT_LT(distance(below, above), 100 * 2e-9);
  }
}

TEST(CurlNoise, moves_with_its_drift) {
  const kernels::CurlNoiseForce<double> field{1.0, 2.0, 0.5, 2, 7, {1, 2, 0}};
  EXPECT_EQ(field.flow({4, 5, 6}, 0), field.flow({4 + 0.5, 5 + 1, 6}, 0.5));
}

TEST(CurlNoise, carries_particles_along_after_a_while) {
  ParticleSystem system({.position = {{0.3, 0.4, 0.5}}}, Device::cpu(1));
  system.add(fields::CurlNoise{.rate = 200, .scale = 5, .seed = 3});
  // a lag of some slopes times speed over rate
  system.integrate(1, 0.001, Integrator::kRungeKutta4);
  const kernels::CurlNoiseForce<double> flow{200, 1, 0.2, 1, 3, {}};
  const ParticleStates end = system.state();
  const Vec3d u = flow.flow(end.position[0], 1);
  EXPECT_LT(distance(end.velocity[0], u), 0.1 * distance(u, {}));
}

}  // namespace
}  // namespace cairn::fields_test
