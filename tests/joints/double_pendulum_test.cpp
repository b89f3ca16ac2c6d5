// A double pendulum in both kinds of coordinates, against the reference: dense matrices and RK4, in double.

#include <array>
#include <cstdio>

#include "tests/joints/joint_scenes.h"
#include "tests/reference/dense_articulation.h"

namespace cairn::joints_test {
namespace {

constexpr double kLength = 1, kHalfWidth = 0.05;  // [m]
constexpr double kFrom = 1.5;                     // [rad] from hanging straight down, both rods
constexpr int kSoon = 1, kLater = 10;             // [s]

/// [J] Over hanging straight down at rest: what the energy's drift is a share of.
const double kSwing = 2 * kG * kLength * (1 - std::cos(kFrom));

/// Angle of each rod to the vertical after kSoon, and the energy's drift until kLater, at its end and at most.
struct Swung {
  std::array<double, 2> angle;  ///< [rad]
  double drift, most;           ///< [1] of kSwing
  double fastest;               ///< [rad/s] rate of a joint, of the reference
};

void take_energy(Swung& s, double energy, double at_first) {
  s.drift = (energy - at_first) / kSwing;
  s.most = larger(s.most, std::abs(s.drift));
}

/// Rods of 1 kg, of which the second hangs from the first.
Articulation reduced() {
  const auto wide = static_cast<float>((kLength * kLength + 4 * kHalfWidth * kHalfWidth) / 12),
             thin = static_cast<float>(8 * kHalfWidth * kHalfWidth / 12);
  Articulation of{.name = "double", .gravity = {0, 0, -kG}};
  for (int i = 0; i < 2; ++i) {
    ArticulationLink rod{.name = "rod " + std::to_string(i)};
    if (i > 0) rod.parent = 0;
    rod.frame_in_parent = {{0, 0, i == 0 ? 0 : -kLength}, x_to_y()};
    rod.frame_in_link = {{}, x_to_y()};
    rod.joint.kind = ArticulationJointKind::kRevolute;
    rod.mass = 1;
    rod.centre_of_mass = {0, 0, -kLength / 2};
    rod.inertia.moments = {wide, wide, thin};
    of.links.push_back(rod);
  }
  return of;
}

double energy_of(const Articulation& of, const std::vector<double>& q, const std::vector<double>& v) {
  const reference::ArticulationModel model = reference::articulation_model(of, q, v);
  return model.kinetic + model.potential;
}

Swung reference_swing() {
  const Articulation of = reduced();
  using State = std::array<double, 4>;  // both angles of joints, both rates
  const auto rate = [&](const State& s) -> State {
    const auto model = reference::articulation_model(of, {s[0], s[1]}, {s[2], s[3]});
    const std::vector<double> a = reference::accelerations(model, {0, 0});
    return {s[2], s[3], a[0], a[1]};
  };
  const auto ahead = [](const State& s, const State& by, double h) {
    State to = s;
    for (std::size_t i = 0; i < 4; ++i) to[i] += h * by[i];
    return to;
  };
  constexpr double kH = 1e-3;
  State s{-kFrom, 0, 0, 0};
  Swung found{};
  const double at_first = energy_of(of, {s[0], s[1]}, {0, 0});
  for (int i = 1; i <= std::lround(kLater / kH); ++i) {
    const State a = rate(s), b = rate(ahead(s, a, kH / 2)), c = rate(ahead(s, b, kH / 2)), d = rate(ahead(s, c, kH));
    for (std::size_t k = 0; k < 4; ++k) s[k] += kH / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    if (i == std::lround(kSoon / kH)) found.angle = {-s[0], -s[0] - s[1]};
    take_energy(found, energy_of(of, {s[0], s[1]}, {s[2], s[3]}), at_first);
    found.fastest = larger(found.fastest, larger(std::abs(s[2]), std::abs(s[3])));
  }
  return found;
}

Swung reduced_swing(int substeps) {
  const Articulation of = reduced();
  Articulations one(of, 1, Device::cpu(1));
  one.set_state(std::vector{-kFrom, 0.0}, std::vector{0.0, 0.0});
  Swung found{};
  const double at_first = energy_of(of, one.positions(), one.rates());
  for (int i = 1; i <= 60 * kLater; ++i) {
    for (int k = 0; k < substeps; ++k) one.step(1.0 / 60 / substeps);
    const std::vector<double> q = one.positions();
    if (i == 60 * kSoon) found.angle = {-q[0], -q[0] - q[1]};
    take_energy(found, energy_of(of, q, one.rates()), at_first);
  }
  return found;
}

Swung maximal_swing(SolverKind solver, int substeps) {
  const Scene scene =
      swinging_rods(2, kFrom, static_cast<float>(kHalfWidth), HingeJoint{}, params_of(solver, substeps));
  World world(scene);
  const QualityMeter meter(scene);
  const auto energy = [&] {
    const Quality q = meter.measure(world);
    return q.kinetic_energy + q.potential_energy;
  };
  Swung found{};
  const double at_first = energy();
  for (int i = 1; i <= 60 * kLater; ++i) {
    world.step();
    take_energy(found, energy(), at_first);
    if (i == 60 * kSoon) found.angle = {swung(world, world.bodies()[0]), swung(world, world.bodies()[1])};
  }
  return found;
}

Swung swing_by(int method, int substeps) {
  if (method == 2) return reduced_swing(substeps);
  return maximal_swing(method == 0 ? SolverKind::kSoftStep : SolverKind::kXpbd, substeps);
}

TEST(DoublePendulum, keeps_to_the_reference_to_first_order_and_its_energy_too) {
  const Swung exact = reference_swing();
  EXPECT_LE(exact.most, 1e-8) << "the reference itself";
  constexpr const char* kMethods[] = {"soft_step", "xpbd", "articulation"};
  for (int method = 0; method < 3; ++method) {
    double before = 0;
    for (const int substeps : {8, 16, 32}) {
      const Swung s = swing_by(method, substeps);
      const double off = std::hypot(s.angle[0] - exact.angle[0], s.angle[1] - exact.angle[1]);
      std::printf("%s, %d substeps: %.2e rad off after 1 s; energy %+.2e of the swing after 10 s, %.2e at most\n",
                  kMethods[method], substeps, off, s.drift, s.most);
      // a step of first order takes rates for those of half a substep later or earlier
      EXPECT_LE(s.most, exact.fastest / 60 / substeps) << kMethods[method] << ", " << substeps;
      // and halving it halves what it is off by
      if (before > 0) {
        EXPECT_NEAR(before / off, 2, 0.4) << kMethods[method] << ", " << substeps;
      }
      before = off;
    }
  }
}

}  // namespace
}  // namespace cairn::joints_test
