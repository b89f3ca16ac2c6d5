#pragma once
// Systems of particles whose motion is known.

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/particle_system.h"
#include "cairn/random.h"

namespace cairn::fields_test {

inline constexpr Integrator kIntegrators[] = {
    Integrator::kExplicitEuler, Integrator::kSymplecticEuler, Integrator::kMidpoint,     Integrator::kTrapezoid,
    Integrator::kVerlet,        Integrator::kRungeKutta4,     Integrator::kImplicitEuler};
inline const char* name_of(Integrator method) {
  constexpr const char* kNames[] = {"explicit Euler", "symplectic Euler", "midpoint", "trapezoid", "Verlet", "RK4",
                                    "implicit Euler"};
  return kNames[static_cast<int>(method)];
}
inline int order_of(Integrator method) {
  constexpr int kOrders[] = {1, 1, 2, 2, 2, 4, 1};
  return kOrders[static_cast<int>(method)];
}

/// A particle of 1 kg on a spring of length 0 to a held one at the origin: x(t) = x0 cos wt + v0/w sin wt, w = sqrt(k).
inline ParticleSystem oscillator(double stiffness, Vec3d x0 = {1, 0, 0}, Vec3d v0 = {}, double damping = 0,
                                 Precision precision = Precision::kDouble) {
  ParticleSystem system({.position = {{0, 0, 0}, x0}, .velocity = {{0, 0, 0}, v0}, .held = {1, 0}}, Device::cpu(1),
                        precision);
  system.add(fields::Springs{{{.a = 0, .b = 1, .stiffness = stiffness, .damping = damping}}});
  return system;
}

inline double distance(const Vec3d& a, const Vec3d& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/// So many in a square of `side` [m], which fly slowly to any side.
inline ParticleStates flock(std::uint32_t count, double side) {
  ParticleStates s;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto r = random_uniforms(5, 0, RandomStream::kUser, i), q = random_uniforms(6, 0, RandomStream::kUser, i);
    s.position.push_back({side * r[0], side * r[1], 0});
    s.velocity.push_back({q[0] - 0.5, q[1] - 0.5, 0});
  }
  return s;
}

/// A light particle about a held one of mass 1, G = 1: an ellipse of semi-major axis 1, from its nearest point on.
struct Kepler {
  static constexpr double kEccentricity = 0.3;
  static ParticleSystem system() {
    const double speed = std::sqrt((1 + kEccentricity) / (1 - kEccentricity));
    ParticleSystem system({.position = {{0, 0, 0}, {1 - kEccentricity, 0, 0}},
                           .velocity = {{0, 0, 0}, {0, speed, 0}},
                           .mass = {1, 1e-3},
                           .held = {1, 0}},
                          Device::cpu(1));
    system.add(fields::PairGravity{.constant = 1});
    return system;
  }
  /// Where it is: E - e sin E = t by Newton's method, x = cos E - e, y = sqrt(1 - e^2) sin E.
  static Vec3d position(double t) {
    double anomaly = t;
    for (int i = 0; i < 50; ++i) {
      anomaly -= (anomaly - kEccentricity * std::sin(anomaly) - t) / (1 - kEccentricity * std::cos(anomaly));
    }
    return {std::cos(anomaly) - kEccentricity, std::sqrt(1 - kEccentricity * kEccentricity) * std::sin(anomaly), 0};
  }
};

/// Slope of log error over log step by least squares, and what it was taken from.
struct OrderFit {
  std::vector<double> h, error;
  double slope() const {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < h.size(); ++i) {
      const double a = std::log(h[i]), b = std::log(error[i]);
      n += 1;
      x += a;
      y += b;
      xx += a * a;
      xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
  }
};

/// Errors at time t for steps t/first, t/(2 first), ... as long as truncation is over 100 times rounding: of n steps,
/// each adds half an ulp of the state's size to either side.
template <class Make, class Exact>
OrderFit order_fit(Integrator method, const Make& make, const Exact& exact, double t, int first, int most) {
  OrderFit fit;
  for (int n = first; n <= most; n *= 2) {
    ParticleSystem system = make();
    const IntegrationReport report = system.integrate(t, t / n, method, {}, {.tolerance = 1e-13});
    EXPECT_EQ(report.stop, Stop::kTime) << name_of(method);
    EXPECT_EQ(report.steps, static_cast<std::uint64_t>(n)) << name_of(method);
    const double error = distance(system.state().position[1], exact(t));
    const double rounding = 0x1p-53 * n;
    if (error < 100 * rounding) break;
    fit.h.push_back(t / n);
    fit.error.push_back(error);
  }
  return fit;
}

}  // namespace cairn::fields_test
