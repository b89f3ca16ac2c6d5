// Steps: what is conserved and to which order, periods, and drives however stiff.

#include <complex>
#include <numbers>

#include "tests/articulations/models.h"
#include "tests/reference/closed_forms.h"

namespace cairn::articulations_test {
namespace {

constexpr double kG = 9.81;  // [m/s^2]

/// Links of all kinds in one piece that floats, without anything that takes energy.
Articulation floating_chain() {
  Articulation made = random_tree(8, 21, true, 0, 0);
  made.gravity = {};
  return made;
}

/// The first of a batch as the reference sees it.
reference::ArticulationModel model_of(const Articulations& of) {
  return reference::articulation_model(of.description(), slice(of.positions(), 0, of.coordinates()),
                                       slice(of.rates(), 0, of.dofs()));
}

TEST(ArticulationMotion, floating_chain_without_forces_keeps_energy_and_momentum_to_first_order) {
  const Articulation chain = floating_chain();
  struct Drift {
    double energy, momentum, angular;
  };
  std::vector<Drift> drifts;
  for (const int steps : {1000, 2000, 4000}) {
    Articulations batch(chain, 1, Device::cpu(1));
    Random random(5);
    const State s = random_state(batch, random);
    batch.set_state(s.q, s.v);
    const reference::ArticulationModel before = model_of(batch);
    for (int i = 0; i < steps; ++i) batch.step(1.0 / steps);
    const reference::ArticulationModel after = model_of(batch);
    drifts.push_back({std::abs(after.kinetic / before.kinetic - 1),
                      reference::length(after.momentum - before.momentum) / reference::length(before.momentum),
                      reference::length(after.angular_momentum - before.angular_momentum) /
                          reference::length(before.angular_momentum)});
  }
  // h halved halves the error; a quarter of it again is what the next order may be off
  for (const auto part : {&Drift::energy, &Drift::momentum, &Drift::angular}) {
    for (std::size_t i = 0; i + 1 < drifts.size(); ++i) {
      EXPECT_NEAR(drifts[i].*part / (drifts[i + 1].*part), 2, 0.5);
    }
    EXPECT_LE(drifts.back().*part, 1e-2);
  }
}

/// A rod of 1 m without width, on a hinge along y, at `angle` from hanging straight down.
Articulation pendulum() {
  ArticulationLink rod = link("rod", kWorldLink, Kind::kRevolute);
  const auto half = static_cast<float>(std::numbers::sqrt2 / 2);
  // x of the joint is y of the world, and the link hangs along -z
  rod.frame_in_parent = rod.frame_in_link = frame({}, {0, 0, half, half});
  rod.centre_of_mass = {0, 0, -0.5};
  rod.inertia.moments = {1.0f / 12, 1.0f / 12, 1e-4f};
  return {"pendulum", {rod}, {0, 0, -kG}};
}

double measured_period(double angle, double h) {
  Articulations batch = started(pendulum(), {angle}, {0});
  double first = -1, before = angle;
  for (int i = 1; i < 1000000; ++i) {
    batch.step(h);
    const double now = batch.positions()[0];
    if (before > 0 && now <= 0) {
      const double t = (i - 1 + before / (before - now)) * h;
      if (first >= 0) return t - first;
      first = t;
    }
    before = now;
  }
  return -1;
}

TEST(ArticulationMotion, pendulum_has_the_period_of_the_elliptic_integral_to_second_order) {
  for (const double degrees : {30.0, 60.0, 120.0, 150.0}) {
    // of a point at I / (m l / 2)
    const double angle = degrees * std::numbers::pi / 180, exact = reference::pendulum_period(2.0 / 3, kG, angle);
    std::vector<double> error;
    for (const double h : {1.0 / 240, 1.0 / 480, 1.0 / 960}) error.push_back(measured_period(angle, h) / exact - 1);
    // semi-implicit Euler is leapfrog seen half a step off: the period is right to second order
    const double omega = 2 * std::sin(angle / 2) * std::sqrt(1.5 * kG);
    EXPECT_LE(std::abs(error[2]), 20 * omega * omega / 960 / 960) << degrees;
    EXPECT_NEAR(error[0] / error[1], 4, 1) << degrees;
    EXPECT_NEAR(error[1] / error[2], 4, 1) << degrees;
  }
}

constexpr std::uint32_t kArmJoints = 7;

/// Seven joints that turn about z and y in turns, links of 20 cm along z, 3 kg to 0.6 kg, with motors behind gears.
Articulation arm(double kp, double kd) {
  Articulation made{.name = "arm"};
  const auto half = static_cast<float>(std::numbers::sqrt2 / 2);
  for (std::uint32_t i = 0; i < kArmJoints; ++i) {
    ArticulationLink l = link("link" + std::to_string(i), i == 0 ? kWorldLink : i - 1, Kind::kRevolute);
    const Quat axis = i % 2 == 0 ? Quat{0, -half, 0, half} : Quat{0, 0, half, half};
    l.frame_in_parent = frame({0, 0, i == 0 ? 0.0 : 0.2}, axis);
    l.frame_in_link = frame({}, axis);
    l.centre_of_mass = {0.01, -0.02, 0.1};
    l.mass = 3.0 - 0.4 * i;
    l.inertia.moments = {0.01f, 0.01f, 0.006f};
    l.joint.armature = 0.1;
    l.joint.drive_stiffness = kp;
    l.joint.drive_damping = kd;
    made.links.push_back(l);
  }
  return made;
}

/// Elbow bent, hand forward: where arms of seven joints are usually parked.
const std::vector<double> kPosture{
    0, 0.25 * std::numbers::pi, 0, 0.75 * std::numbers::pi, 0, -0.5 * std::numbers::pi, 0.25 * std::numbers::pi};

TEST(ArticulationMotion, drives_of_a_million_newton_metres_a_radian_stay_at_60_Hz) {
  const double h = 1.0 / 60;
  for (const double kp : {1e4, 1e6}) {
    for (const double kd : {0.0, 1e3}) {
      Articulations batch(arm(kp, kd), 1, Device::cpu(1));
      const std::vector<double> still(kArmJoints, 0.0);
      batch.set_targets(kPosture, still);
      double fastest = 0;
      for (int i = 0; i < 600; ++i) {
        batch.step(h);
        fastest = std::max(fastest, largest(batch.rates()));
      }
      // to the target in a step at most, with room for what the joints do to each other
      EXPECT_LE(fastest, 2 * 0.75 * std::numbers::pi / h);
      std::vector<double> off = batch.positions();
      for (std::size_t k = 0; k < kArmJoints; ++k) off[k] -= kPosture[k];
      // all the arm's weight at its whole length
      EXPECT_LE(largest(off), 12.6 * kG * 1.4 / kp);
      EXPECT_LE(largest(batch.rates()), 1e-6);
    }
  }
}

using Complex = std::complex<double>;

std::vector<Complex> solve(std::vector<std::vector<Complex>> a, std::vector<Complex> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t p = i;
    for (std::size_t r = i; r < n; ++r) p = std::abs(a[r][i]) > std::abs(a[p][i]) ? r : p;
    std::swap(a[i], a[p]);
    std::swap(b[i], b[p]);
    for (std::size_t r = i + 1; r < n; ++r) {
      const Complex f = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= f * a[i][c];
      b[r] -= f * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

/// How far the error of the track is from the linear model's.
struct Tracking {
  double amplitude;  // [1] of its own
  double phase;      // [rad]
};

/// All joints follow `reach` sin(omega t) about the posture, by drives; gravity is held by the forces that are applied.
Tracking track(double reach) {
  constexpr double kp = 400, kd = 20, omega = 2 * std::numbers::pi;
  constexpr int kRate = 240;
  const double h = 1.0 / kRate;
  Articulations batch(arm(kp, kd), 1, Device::cpu(1));
  const std::vector<double> none(kArmJoints, 0.0);
  batch.set_state(kPosture, none);
  const std::vector<double> mass = batch.mass_matrix();

  // with z = exp(i omega h): M Q (z - 1)^2 / (h^2 z) = z (kp (T - Q) + kd (R - Q (1 - 1/z) / h))
  const Complex z = std::polar(1.0, omega * h), rate = Complex{0, omega} * reach;
  std::vector<std::vector<Complex>> a(kArmJoints, std::vector<Complex>(kArmJoints));
  for (std::size_t i = 0; i < kArmJoints; ++i) {
    for (std::size_t k = 0; k < kArmJoints; ++k)
      a[i][k] = mass[i * kArmJoints + k] * (z - 1.0) * (z - 1.0) / (h * h * z);
    a[i][i] += z * (kp + kd * (1.0 - 1.0 / z) / h);
  }
  const std::vector<Complex> linear = solve(a, std::vector<Complex>(kArmJoints, z * (kp * reach + kd * rate)));

  Articulations still(batch.description(), 1, Device::cpu(1));
  std::vector<Complex> measured(kArmJoints);
  for (int i = 1; i <= 6 * kRate; ++i) {
    const double t = i * h;
    std::vector<double> target = kPosture, target_rate(kArmJoints, reach * omega * std::cos(omega * t));
    for (double& x : target) x += reach * std::sin(omega * t);
    // what holds the arm up where it is: inverse dynamics at rest
    still.set_state(batch.positions(), none);
    batch.set_forces(still.inverse_dynamics(none));
    batch.set_targets(target, target_rate);
    batch.step(h);
    if (i <= 5 * kRate) continue;
    // Q of q = Im(Q exp(i omega t)), over one period
    const std::vector<double> q = batch.positions();
    for (std::size_t k = 0; k < kArmJoints; ++k)
      measured[k] += Complex{0, 2.0 / kRate} * (q[k] - kPosture[k]) * std::polar(1.0, -omega * t);
  }
  Tracking worst{0, 0};
  for (std::size_t k = 0; k < kArmJoints; ++k) {
    const Complex got = reach - measured[k], want = reach - linear[k];
    worst.amplitude = std::max(worst.amplitude, std::abs(std::abs(got) / std::abs(want) - 1));
    worst.phase = std::max(worst.phase, std::abs(std::arg(got / want)));
  }
  return worst;
}

TEST(ArticulationMotion, gravity_compensated_arm_tracks_as_the_linear_model_does) {
  const Tracking wide = track(0.05), narrow = track(0.005);
  EXPECT_LE(wide.amplitude, 0.05);
  EXPECT_LE(wide.phase, 0.05);
  // what the linear model leaves out goes by the square of the reach
  EXPECT_LE(narrow.amplitude, 2 * wide.amplitude / 100);
  EXPECT_LE(narrow.phase, 2 * wide.phase / 100);
}

}  // namespace
}  // namespace cairn::articulations_test
