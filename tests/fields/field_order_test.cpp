// The order of each integrator, and its damping, against closed forms.

#include <algorithm>
#include <cstdio>
#include <string>

#include "tests/fields/systems.h"

namespace cairn::fields_test {
namespace {

/// The next order's share of the error falls by half a halving: with four halvings from a start where it is a tenth,
/// the fitted slope is within 0.1.
constexpr double kSlopeTolerance = 0.1;

class Order : public ::testing::TestWithParam<Integrator> {};

template <class Make, class Exact>
void expect_order(const char* problem, Integrator method, const Make& make, const Exact& exact, int first, int most) {
  const OrderFit fit = order_fit(method, make, exact, 3.0, first, most);
  ASSERT_GE(fit.h.size(), 4u);
  EXPECT_NEAR(fit.slope(), order_of(method), kSlopeTolerance) << name_of(method);
  std::printf("%-11s %-16s order %.4f, error %.3g at h %.3g\n", problem, name_of(method), fit.slope(), fit.error.back(),
              fit.h.back());
}

TEST_P(Order, is_what_it_should_be_on_a_harmonic_oscillator) {
  const auto make = [] { return oscillator(1.0, {1, 0, 0}, {0, 0.5, 0.25}); };
  const auto exact = [](double t) { return Vec3d{std::cos(t), 0.5 * std::sin(t), 0.25 * std::sin(t)}; };
  const int order = order_of(GetParam());
  expect_order("oscillator", GetParam(), make, exact, order == 1 ? 512 : 64, order == 1 ? 16384 : 2048);
}

TEST_P(Order, is_what_it_should_be_on_a_Kepler_orbit) {
  const int order = order_of(GetParam());
  // from where the error is a hundredth of the orbit
  expect_order("Kepler", GetParam(), Kepler::system, Kepler::position, order == 1 ? 2048 : (order == 2 ? 256 : 96),
               order == 1 ? 65536 : 8192);
}

INSTANTIATE_TEST_SUITE_P(Each, Order, ::testing::ValuesIn(kIntegrators), [](const auto& each) {
  std::string name = name_of(each.param);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// x + i v / w of the oscillator after n steps, against z0 factor^n.
void expect_powers(Integrator method, double stiffness, double h, int n, std::complex<double> factor) {
  const double w = std::sqrt(stiffness);
  ParticleSystem system = oscillator(stiffness, {1, 0, 0});
  system.integrate(n * h, h, method, {}, {.tolerance = 1e-14});
  const ParticleStates s = system.state();
  const std::complex<double> got{s.position[1].x, s.velocity[1].x / w}, want = std::pow(factor, n);
  // a few roundings a step, each carried on by the same factor
  EXPECT_LT(std::abs(got - want), 8 * n * 0x1p-53 * std::abs(want) * std::max(1.0, w * h)) << n;
}

TEST(ExplicitEuler, spirals_outward_as_powers_of_1_minus_iwh) {
  // z' = z + h (v - i w x ...) = (1 - i w h) z with z = x + i v / w
  for (const double wh : {0.01, 0.1, 0.5}) {
    for (const int n : {1, 10, 200}) expect_powers(Integrator::kExplicitEuler, 4.0, wh / 2, n, {1, -wh});
  }
}

TEST(ImplicitEuler, damps_as_powers_of_1_over_1_plus_iwh) {
  for (const double wh : {0.01, 0.1, 0.5, 3.0}) {
    for (const int n : {1, 10, 100}) {
      expect_powers(Integrator::kImplicitEuler, 4.0, wh / 2, n, 1.0 / std::complex<double>(1, wh));
    }
  }
}

TEST(ImplicitEuler, is_stable_where_k_h_squared_over_m_is_a_million) {
  // one spring: the factor's size is 1 / sqrt(1 + 1e6) a step
  ParticleSystem one = oscillator(1e6, {1, 0, 0}, {0, 3, 0});
  EXPECT_EQ(one.integrate(1, 1, Integrator::kImplicitEuler).stop, Stop::kTime);
  EXPECT_NEAR(one.state().position[1].x, 1 / (1 + 1e6), 1e-10 * 1e6 * 0x1p-20);
  EXPECT_EQ(one.integrate(50, 1, Integrator::kImplicitEuler).stop, Stop::kTime);
  EXPECT_LT(distance(one.state().position[1], {}), 1e-12);

  // a hanging chain of such springs: k h^2 / m = 1e6 with h = 0.1, started level, comes to rest below what holds it
  constexpr int kLinks = 20;
  constexpr double kStiffness = 1e8, kGravity = 9.80665;
  ParticleStates s;
  fields::Springs springs;
  for (int i = 0; i <= kLinks; ++i) s.position.push_back({0.1 * i, 0, 0});
  for (std::uint32_t i = 0; i < kLinks; ++i) {
    springs.springs.push_back({.a = i, .b = i + 1, .stiffness = kStiffness, .rest_length = 0.1});
  }
  s.held.assign(kLinks + 1, 0);
  s.held[0] = 1;
  ParticleSystem chain(s, Device::cpu(2));
  chain.add(springs);
  chain.add(fields::Gravity{});
  double energy = chain.kinetic_energy() + chain.potential_energy();
  for (int i = 1; i <= 400; ++i) {
    const IntegrationReport report = chain.integrate(0.1 * i, 0.1, Integrator::kImplicitEuler);
    ASSERT_EQ(report.stop, Stop::kTime) << i;
    const double now = chain.kinetic_energy() + chain.potential_energy();
    // it takes energy and gives none; what a residual leaves is far below a millijoule
    EXPECT_LE(now, energy + 1e-3) << i;
    energy = now;
  }
  // below a link hang kLinks - i masses: stretched by (kLinks - i) m g / k
  double z = 0;
  const ParticleStates end = chain.state();
  for (int i = 1; i <= kLinks; ++i) {
    z -= 0.1 + (kLinks - i + 1) * kGravity / kStiffness;
    EXPECT_NEAR(end.position[i].z, z, 1e-3) << i;
  }
}

/// A charge in a magnetic field: m dv/dt = b v x z, whose derivative isn't symmetric at all.
struct Magnet {
  double b;  ///< [kg/s]
  CAIRN_FUNCTOR Vec3d operator()(const ParticleView<double>& p, std::uint32_t i) const {
    return {b * p.velocity[i].y, -b * p.velocity[i].x, 0};
  }
};

TEST(ImplicitEuler, solves_forces_whose_derivative_is_not_symmetric) {
  // v' = v / (1 + i b h / m) with v = vx + i vy
  for (const double bh : {0.1, 1.0, 30.0}) {
    ParticleSystem system({.position = {{1, 2, 3}, {4, 5, 6}}, .velocity = {{1, 0, 2}, {0, 1, 0}}}, Device::cpu(1));
    system.add(Field("magnet", Magnet{bh}));
    const IntegrationReport report = system.integrate(5, 1, Integrator::kImplicitEuler);
    ASSERT_EQ(report.stop, Stop::kTime) << bh;
    const std::complex<double> want = std::pow(1.0 + std::complex<double>(0, bh), -5);
    const Vec3d v = system.state().velocity[0];
    // what the equations' tolerance leaves, of the momenta at each step's start
    EXPECT_LT(std::abs(std::complex<double>(v.x, v.y) - want), 5 * 4e-10 * (1 + bh)) << bh;
    EXPECT_NEAR(v.z, 2, 5 * 4e-10 * (1 + bh));
  }
}

}  // namespace
}  // namespace cairn::fields_test
