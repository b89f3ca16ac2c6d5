// Elastic solids of tetrahedra: Young's modulus, Poisson's ratio, bending; rotation, momentum, inversion; bits.

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "kernels/particles/element.h"
#include "src/particles/constraint_store.h"
#include "tests/particles/sets.h"
#include "tests/support/sums.h"

namespace cairn::particles_test {
namespace {

using kernels::operator+;
using kernels::operator-;
using kernels::operator*;

/// [N] What a pull of `stress` along x at both ends is for each particle: a third of each face's for its corners.
std::vector<double> pulls(const ParticleSet& set, double length, double stress) {
  std::vector<double> pulls(set.positions.size(), 0);
  const std::vector<std::uint32_t>& of = set.constraints[0].particles;
  for (std::size_t t = 0; t < of.size(); t += 4) {
    for (const double end : {0.0, length}) {
      std::vector<std::uint32_t> face;
      for (std::size_t k = t; k < t + 4; ++k) {
        if (std::abs(set.positions[of[k]].x - end) < 1e-9) face.push_back(of[k]);
      }
      if (face.size() != 3) continue;
      const Vec3d normal = kernels::cross(set.positions[face[1]] - set.positions[face[0]],
                                          set.positions[face[2]] - set.positions[face[0]]);
      for (const std::uint32_t i : face) pulls[i] += (end > 0 ? 1 : -1) * stress * kernels::length(normal) / 6;
    }
  }
  return pulls;
}

class Elastic : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Elastic, testing::ValuesIn(kMethods), name_of_method);

// Linear tetrahedra hold a uniform stretch exactly: pulled at both ends a bar is longer by stress / E, and narrower by
// Poisson's ratio of that, by however much. What sweeps leave undone falls to q^n of it (ConstraintHeld), here under
// 1e-4.
TEST_P(Elastic, bars_stretch_and_narrow_as_young_and_poisson_say) {
  for (const float poisson : {0.0f, 0.3f, 0.49f}) {
    const Block bar{.nx = 3, .poisson_ratio = poisson, .damping = 0.02f};
    const double stress = 5000, length = bar.step * bar.nx;
    const ParticleSet set = bar.set();
    // the volume is stiffer by 1 / (1 - 2 poisson)
    const int sweeps = (GetParam().sweep == SweepKind::kJacobi ? 20 : 1) * (poisson > 0.4f ? 32 : 8);
    World world(alone(set, params_of(GetParam(), 10, sweeps), {0, 0, 0}), test::cpu());
    const std::vector<BodyHandle> bodies = bodies_of(world);
    const std::vector<double> pull = pulls(set, length, stress);
    for (int i = steps_in(world, 0.5); i > 0; --i) {
      for (std::size_t k = 0; k < bodies.size(); ++k) world.add_force(bodies[k], {static_cast<float>(pull[k]), 0, 0});
      world.step();
    }
    const std::vector<BodyState> now = states_of(world);
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
      return kernels::length(now[b].position - now[a].position);
    };
    const double strain = stress / double{bar.young_modulus};
    const double longer = between(bar.at(0, 0, 0), bar.at(3, 0, 0)) / length - 1;
    const double wider = between(bar.at(1, 0, 0), bar.at(1, 1, 0)) / bar.step - 1;
    EXPECT_NEAR(longer, strain, 1e-3 * strain) << poisson;
    EXPECT_NEAR(wider, -double{poisson} * strain, 1e-3 * strain) << poisson;
    // uniaxial: von Mises' stress is the pull
    for (const float bears : forces_of(world)) EXPECT_NEAR(bears, stress, 2e-3 * stress);
    EXPECT_LT(world.particles().constraint_residual().max, 1e-3f * static_cast<float>(strain));
  }
}

/// Displacements of the same tetrahedra under gravity along z by linear elasticity, by conjugate gradients.
std::vector<Vec3d> linear_statics(const ParticleSet& set, double gravity) {
  const std::size_t n = set.positions.size();
  const ConstraintGroup& group = set.constraints[0];
  const double young = double{group.young_modulus}, poisson = double{group.poisson_ratio};
  std::vector<std::uint8_t> fixed(n, 0);
  for (const std::uint32_t i : set.fixed) fixed[i] = 1;
  struct Piece {
    const std::uint32_t* of;
    double volume;
    kernels::ElementMeasure m;
  };
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < group.particles.size(); i += 4) {
    const std::uint32_t* const of = &group.particles[i];
    const kernels::ConstraintElement e = element_of(set, of);
    const Vec3d r[] = {set.positions[of[0]], set.positions[of[1]], set.positions[of[2]], set.positions[of[3]]};
    pieces.push_back({of, e.volume, kernels::measure_element(e, r)});
  }
  const auto times = [&](const std::vector<Vec3d>& u) {
    std::vector<Vec3d> f(n, {0, 0, 0});
    for (const Piece& p : pieces) {
      double strain[6] = {};
      for (int a = 0; a < 6; ++a) {
        for (int k = 0; k < 4; ++k) strain[a] += kernels::dot(p.m.by[a][k], u[p.of[k]]);
      }
      const double c = young / (1 + poisson), sum = strain[0] + strain[1] + strain[2];
      for (int a = 0; a < 6; ++a) {
        const double stress = a < 3 ? c * (strain[a] + poisson / (1 - 2 * poisson) * sum) : 0.5 * c * strain[a];
        for (int k = 0; k < 4; ++k) f[p.of[k]] = f[p.of[k]] + (p.volume * stress) * p.m.by[a][k];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (fixed[i] != 0) f[i] = {0, 0, 0};
    }
    return f;
  };
  const auto product = [&](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += kernels::dot(a[i], b[i]);
    return sum;
  };
  std::vector<Vec3d> u(n, {0, 0, 0}), rest(n, {0, 0, 0});
  for (std::size_t i = 0; i < n; ++i) {
    if (fixed[i] == 0) rest[i] = {0, 0, -gravity * double{set.masses[i]}};
  }
  std::vector<Vec3d> way = rest;
  double square = product(rest, rest);
  for (const double enough = 1e-20 * square; square > enough;) {
    const std::vector<Vec3d> pushed = times(way);
    const double by = square / product(way, pushed);
    for (std::size_t i = 0; i < n; ++i) {
      u[i] = u[i] + by * way[i];
      rest[i] = rest[i] - by * pushed[i];
    }
    const double next = product(rest, rest);
    for (std::size_t i = 0; i < n; ++i) way[i] = rest[i] + (next / square) * way[i];
    square = next;
  }
  return u;
}

/// A beam that is held at x = 0, ten times as long as it is thick, of n cells across.
struct Cantilever {
  explicit Cantilever(std::uint32_t n, float young = 1e6f)
      : block{.nx = 10 * n, .ny = n, .nz = n, .step = 0.1 / n, .young_modulus = young}, set(block.set()) {
    for (std::uint32_t i = 0; i < set.positions.size(); ++i) {
      if (set.positions[i].x == 0) set.fixed.push_back(i);
    }
  }
  /// [m] What the free end's middle sinks by, of each particle's height over where it started.
  double tip(const std::vector<double>& z) const {
    double sum = 0;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (set.positions[i].x < 1 - 1e-9) continue;
      sum -= z[i];
      ++count;
    }
    return sum / count;
  }
  double tip_of_statics(double gravity) const {
    std::vector<double> z;
    for (const Vec3d& u : linear_statics(set, gravity)) z.push_back(u.z);
    return tip(z);
  }
  /// [m] By beam theory: q L^4 / (8 E I), and what shear adds (Timoshenko), q L^2 / (2 k G A) with k = 5 / 6.
  double tip_of_theory(double gravity) const {
    const double thick = 0.1, load = 1000 * thick * thick * gravity, young = double{block.young_modulus};
    const double bend = load / (8 * young * std::pow(thick, 4) / 12);
    const double shear = load * (1 + double{block.poisson_ratio}) / (young * thick * thick * 5 / 6);
    return bend + shear;
  }
  Block block;
  ParticleSet set;
};

// Linear tetrahedra are too stiff in bending, by an error that falls with the square of their size once there are some
// across: a beam sags by 0.35, 0.67, 0.81, 0.88 of beam theory with 1, 2, 3 and 4 cells across.
TEST(Beam, of_more_tetrahedra_goes_to_the_theory_of_beams) {
  double before = 1;
  for (const std::uint32_t n : {1u, 2u, 3u, 4u}) {
    const Cantilever beam(n);
    const double short_of = 1 - beam.tip_of_statics(0.2) / beam.tip_of_theory(0.2);
    EXPECT_GT(short_of, 0);
    if (n > 1) {
      const double order = std::log(before / short_of) / std::log(n / (n - 1.0));
      EXPECT_GT(order, n == 2 ? 0.9 : 1.3) << n;
    }
    before = short_of;
  }
  EXPECT_LT(before, 0.13);
}

// At the sweeps that the set takes by itself its beam sags as the statics of the same tetrahedra have it, within what
// springs may be softer by; a single sweep is soft by as much again.
TEST(Beam, sags_as_its_statics_say_at_the_sweeps_that_it_takes_by_itself) {
  const Cantilever beam(1);
  constexpr double kSag = 0.2;  ///< [m/s^2] so little that the beam sags by 1 % of its length
  const double want = beam.tip_of_statics(kSag);
  const double omega = 3.516 * std::sqrt(1e6 / 1000.0 * 0.01 / 12);  // the first bending mode
  const auto sag = [&](int sweeps) {
    ParticleSet set = beam.set;
    set.linear_damping = static_cast<float>(2 * omega);
    // a substep takes its share of what falls, too
    const double gravity = kSag * (1 + 2 * omega / 300);
    World world(alone(set, params_of(kMethods[0], 5, sweeps), {0, 0, -static_cast<float>(gravity)}), test::cpu());
    for (int i = steps_in(world, 8 / omega); i > 0; --i) world.step();
    std::vector<double> z;
    const std::vector<BodyState> now = states_of(world);
    for (std::size_t i = 0; i < now.size(); ++i) z.push_back(now[i].position.z - set.positions[i].z);
    return beam.tip(z);
  };
  EXPECT_GT(sag(1), 1.5 * want);
  EXPECT_NEAR(sag(0), want, kSpringExcess * want);
  EXPECT_NEAR(sag(16), want, 0.005 * want);
}

// As shapes, what is turned and moved as a whole feels nothing: to the rounding of places, 1e-7 of 3 m over 0.1 m.
TEST_P(Elastic, blocks_that_are_turned_and_moved_feel_nothing) {
  const Block block{.nx = 2, .ny = 2, .nz = 2};
  World world(alone(block.set(), params_of(GetParam(), 4, 4), {0, 0, 0}), test::cpu());
  const kernels::Quatd turn{0.1, 0.7, -0.5, 0.5};
  const auto map = [&](Vec3d p) { return Vec3d{3, -2, 1} + kernels::rotate(turn, p); };
  put(world, map);
  for (int i = 0; i < 30; ++i) world.step();
  expect_put(world, map, 1e-6);
  for (const float bears : forces_of(world)) EXPECT_LT(bears, 3e-6f * block.young_modulus);
}

TEST_P(Elastic, blocks_keep_momentum_and_gain_no_energy) {
  const Block block{.nx = 2, .ny = 2, .nz = 2};
  ParticleSet set = block.set();
  for (std::size_t i = 0; i < set.positions.size(); ++i) {
    const float k = static_cast<float>(i);
    set.velocities.push_back({1 + 0.3f * std::sin(k), 0.3f * std::cos(3 * k), 0.3f * std::sin(7 * k)});
  }
  World world(alone(set, params_of(GetParam(), 10, 2), {0, 0, 0}), test::cpu());
  const test::Sums before = test::sums_of(world);
  EXPECT_NEAR(before.mass, std::accumulate(set.masses.begin(), set.masses.end(), 0.0), 1e-6);
  for (int i = steps_in(world, 2); i > 0; --i) {
    world.step();
    const test::Sums now = test::sums_of(world);
    // each of some 40 visits a substep rounds the velocities of a tetrahedron's particles to 2^-24
    ASSERT_LT(kernels::length(now.momentum - before.momentum), 5e-5 * kernels::length(before.momentum));
    ASSERT_LT(now.kinetic, 1.001 * before.kinetic);
  }
}

// Each of its tetrahedra turned inside out, flat, or at one point.
TEST_P(Elastic, blocks_come_back_from_inside_out) {
  const Block block{.nx = 1, .ny = 1, .nz = 1, .young_modulus = 1e4f, .damping = 0.02f};
  ParticleSet set = block.set();
  // its particles pass each other on the way back
  set.filter.group = -1;
  for (const double squeeze : {-1.0, -0.3, 0.0}) {
    World world(alone(set, params_of(GetParam(), 10, 4), {0, 0, 0}), test::cpu());
    // not quite symmetric, as nothing is
    put(world, [&](Vec3d p) { return Vec3d{p.x + 0.01 * p.y, p.y, squeeze * p.z + 1e-3 * p.x}; });
    for (int i = steps_in(world, 3); i > 0; --i) world.step();
    EXPECT_EQ(world.report().status, 0u);
    const std::vector<BodyState> now = states_of(world);
    const std::vector<std::uint32_t>& of = set.constraints[0].particles;
    for (std::size_t t = 0; t < of.size(); t += 4) {
      const auto volume = [&](const auto& at) {
        return kernels::dot(kernels::cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0)) / 6;
      };
      const double is = volume([&](std::size_t k) { return now[of[t + k]].position; });
      const double was = volume([&](std::size_t k) { return set.positions[of[t + k]]; });
      EXPECT_NEAR(is, was, 1e-3 * std::abs(was)) << squeeze << ", tetrahedron " << t / 4;
    }
  }
}

TEST(ElasticSet, is_refused_by_name_where_it_breaks_a_rule) {
  const auto message = [](const auto& change) {
    ParticleSet set = Block{}.set();
    change(set.constraints[0]);
    return test::refusal_of([&] { alone(set, {}); });
  };
  using Group = ConstraintGroup&;
  EXPECT_EQ(message([](Group) {}), "");
  EXPECT_EQ(message([](Group g) { g.poisson_ratio = 0.5f; }), "");
  EXPECT_EQ(message([](Group g) { g.young_modulus = 0; }),
            "particles \"block\": young_modulus must be given of elastic");
  EXPECT_EQ(message([](Group g) { g.poisson_ratio = 0.6f; }),
            "particles \"block\": poisson_ratio must be between 0 and 0.5, is 0.6");
  EXPECT_EQ(message([](Group g) { g.law.compliance = 1; }),
            "particles \"block\": compliance and stiffness must be 0 of elastic: Young's modulus is in their place");
  EXPECT_EQ(message([](Group g) { g.law.breaking_force = 1; }),
            "particles \"block\": breaking_force must be infinite but for stretch: what bends and fills goes with the "
            "stretches of its particles");
  EXPECT_EQ(message([](Group g) { g.rest.assign(5, 0); }),
            "particles \"block\": rest must be none for shape and elastic: it is as the particles start");
  EXPECT_EQ(message([](Group g) { g.particles = {0, 1, 2, 3}; }), "particles \"block\": particles must not be flat");
  EXPECT_EQ(message([](Group g) { g.kind = ConstraintKind::kVolume; }),
            "particles \"block\": young_modulus must be 0 but for elastic");
  EXPECT_EQ(message([](Group g) {
              g = {.kind = ConstraintKind::kVolume, .particles = g.particles};
              g.poisson_ratio = 0;
            }),
            "particles \"block\": poisson_ratio must be left as it is but for elastic");
}

}  // namespace
}  // namespace cairn::particles_test
