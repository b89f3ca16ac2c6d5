// What contacts keep: momentum, and energy that they never make. Random pairs of bodies that meet in empty space, and
// bodies thrown on a floor.

#include <algorithm>
#include <random>

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class Conservation : public EachSolver {};
class Thrown : public EachSolver {};

/// Numbers from a generator whose sequence the standard fixes.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : generator_(seed) {}
  double number(double low, double high) { return low + (high - low) * generator_() / 4294967296.0; }
  ref::Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  ref::Quat turn() { return ref::rotation(vector(3)); }
  Geometry shape() {
    const auto size = [&] { return static_cast<float>(number(0.2, 0.6)); };
    switch (generator_() % 3) {
      case 0:
        return Sphere{size()};
      case 1:
        return Box{{size(), size(), size()}};
      default:
        return Capsule{size(), size()};
    }
  }

 private:
  std::mt19937 generator_;
};

/// Two bodies of any shape on their way to meet in empty space, with spin.
void throw_pair(Lab& lab, std::uint32_t seed) {
  Dice dice(seed);
  lab.scene.set_gravity({});
  lab.material(dice.number(0, 1));
  for (const double side : {-1.0, 1.0}) {
    Body body = lab.make(dice.shape(), {1.4 * side, dice.number(-0.3, 0.3), dice.number(-0.3, 0.3)}, dice.turn());
    body.linear_velocity = narrow(ref::Vec3{-side * dice.number(0.5, 4), 0, 0} + dice.vector(0.3));
    body.angular_velocity = narrow(dice.vector(3));
    lab.add(std::move(body));
  }
}

/// Largest speed of any point of the pair, by which rounding scales.
constexpr double kFastest = 4 + 3 * 1.8 * 1.2;

TEST_P(Conservation, isolated_contacts_keep_linear_momentum_to_rounding) {
  int met = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Lab lab(GetParam());
    throw_pair(lab, seed);
    lab.world();
    const ref::Vec3 p0 = lab.momentum();
    const double m = lab.weight_mass();
    lab.run(1.5);
    met += lab.world().report().manifolds > 0 || length(lab.v(0) - wide(lab.scene.bodies()[0].linear_velocity)) > 0.1;
    // every push rounds the speeds of both: 2 passes of up to 4 points and 3 rows a substep, errors of any sign, so
    // that the sum of n goes with sqrt(n); six of those
    const double pushes = 2.0 * 7 * 6 * lab.steps;
    EXPECT_LT(length(lab.momentum() - p0), 6 * std::sqrt(pushes) * kUlp * m * kFastest) << seed;
  }
  EXPECT_GT(met, 80);
}

/// Contacts of avbd are springs as long as their multipliers act: what they took in a step they may give back in one of
/// the next, so that its energy is compared with that of the start.
bool springs(const Method& method) { return method.solver == SolverKind::kAvbd; }

TEST_P(Conservation, no_impact_raises_kinetic_energy_without_restitution) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Lab lab(GetParam());
    throw_pair(lab, seed);
    lab.world();
    const double start = lab.kinetic_energy();
    double before = start, most = 0;
    int at = 0;
    while (lab.time() < 1.5) {
      lab.step();
      const double now = lab.kinetic_energy();
      if (now - before > most) {
        most = now - before;
        at = lab.steps;
      }
      if (!springs(GetParam())) before = now;
    }
    // a step rounds speeds by an ulp for each of its 6 x 2 x 7 pushes, energies by twice that
    EXPECT_LT(most, 2 * 84 * kUlp * lab.weight_mass() * kFastest * kFastest)
        << seed << ", step " << at << " of " << start;
  }
}

TEST_P(Conservation, nor_does_a_slide) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Dice dice(seed);
    Lab lab(GetParam());
    lab.material(dice.number(0, 0.3));
    lab.add_floor();
    const double half = 0.2;
    Body body =
        lab.make(Box{{0.6f, 0.4f, static_cast<float>(half)}}, {0, 0, half}, ref::rotation({0, 0, dice.number(0, 6)}));
    body.linear_velocity = {static_cast<float>(dice.number(1, 5)), 0, 0};
    body.angular_velocity = {0, 0, static_cast<float>(dice.number(-3, 3))};
    lab.add(std::move(body));
    lab.world();
    double before = lab.kinetic_energy();
    const double m = lab.weight_mass();
    while (lab.time() < 2) {
      lab.step();
      const double now = lab.kinetic_energy();
      // its weight works on the way that it sinks, m g s in all; rounding as above
      ASSERT_LT(now - before, m * kG * soft_sink(lab) + 2 * 84 * kUlp * m * 64) << seed << ", step " << lab.steps;
      before = now;
    }
  }
}

TEST_P(Thrown, a_body_thrown_on_a_floor_gains_no_energy) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Dice dice(seed);
    Lab lab(GetParam());
    lab.material(dice.number(0, 1));
    lab.add_floor();
    Body body = lab.make(dice.shape(), {0, 0, 2}, dice.turn());
    body.linear_velocity = narrow(dice.vector(3));
    body.angular_velocity = narrow(dice.vector(3));
    const std::uint32_t thrown = lab.add(std::move(body));
    lab.world();
    const double m = lab.weight_mass();
    // symplectic Euler keeps v^2/2 + g x - g h v/2 (exactly, in free fall) instead of the energy
    const auto energy = [&] {
      return lab.kinetic_energy() + lab.potential_energy() - m * kG * lab.h() / 2 * lab.v(thrown).z;
    };
    double before = energy(), spin = length(lab.w(thrown)), allowed = 0;
    while (lab.time() < 4) {
      lab.step();
      const double now = energy();
      // contacts are linear in a step's displacements: a corner at the end of the arm r dips by the sagitta r (w dt)^2
      // / 2 below what they see, and the next step pushes it out again; besides, the 1 mm of its weight
      constexpr double kLongestArm = 1.2;  // of a capsule of radius and half height 0.6
      const double turn = spin * lab.dt();
      const double dip = m * kG * kLongestArm * turn * turn / 2;
      allowed = springs(GetParam()) ? allowed + dip : dip;
      ASSERT_LT(now - before, m * kG * 1e-3 + allowed) << seed << ", step " << lab.steps;
      if (!springs(GetParam())) before = now;
      spin = length(lab.w(thrown));
    }
  }
}

TEST_P(Conservation, the_error_of_angular_momentum_falls_with_the_step) {
  const auto mean = [&](double dt) {
    double sum = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      Lab lab(GetParam(), 6, dt);
      throw_pair(lab, seed);
      lab.world();
      const ref::Vec3 l0 = lab.angular_momentum();
      lab.run(1);
      sum += length(lab.angular_momentum() - l0) / lab.weight_mass();
    }
    return sum / 100;
  };
  const double coarse = mean(1.0 / 30), middle = mean(1.0 / 60), fine = mean(1.0 / 120);
  RecordProperty("angular_momentum_error_at_60_hz", std::to_string(middle));
  // first order in the mean over many impacts, whose phases within a step differ
  EXPECT_LT(middle, 0.7 * coarse);
  EXPECT_LT(fine, 0.7 * middle);
}

CAIRN_VERIFY_EACH(Conservation);
CAIRN_VERIFY_EACH(Thrown);

}  // namespace
}  // namespace cairn::verify
