// Ropes of particles that hang: stretch and forces against closed forms, the price of few sweeps, and plain PBD.

#include <algorithm>
#include <numbers>
#include <utility>

#include "tests/particles/sets.h"
#include "tests/support/svg.h"

namespace cairn::particles_test {
namespace {

struct Hung {
  double stretch, speed, residual;  ///< [m], [m/s] of the fastest, [m] most that a segment is off its spring's law
  std::vector<float> forces;        ///< [N]
};

Hung hang(const Rope& rope, const StepParams& params, double seconds) {
  World world(alone(rope.set(), params), test::cpu());
  for (int i = steps_in(world, seconds); i > 0; --i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  const std::vector<BodyState> at = states_of(world);
  Hung hung{-at.back().position.z - rope.length, 0, 0, forces_of(world)};
  for (std::size_t i = 1; i < at.size(); ++i) {
    hung.speed = std::max(hung.speed, std::abs(static_cast<double>(at[i].linear_velocity.z)));
    const double longer = at[i - 1].position.z - at[i].position.z - rope.segment();
    const double pulled = double{rope.law.compliance} * double{hung.forces[i - 1]};
    hung.residual = std::max(hung.residual, std::abs(longer - pulled));
  }
  return hung;
}

class Ropes : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Ropes, testing::ValuesIn(kMethods), name_of_method);

// Swept until no segment is off its law by more than 1e-4 of the stretch, the rope is a chain of springs: the k-th
// bears what hangs below it, whatever the substeps.
TEST_P(Ropes, stretch_as_springs_of_their_compliance_at_any_substeps) {
  const Rope rope;
  // a sweep carries a load on by few particles; the shorter the substep, the softer a spring is beside their inertia
  constexpr std::pair<int, int> kPlans[] = {{1, 400}, {5, 60}, {10, 15}, {40, 5}};
  const int times = GetParam().sweep == SweepKind::kJacobi ? 4 : 1;
  for (const auto& [substeps, sweeps] : kPlans) {
    // more than there may be
    if (times * sweeps > 1000) continue;
    const Hung hung = hang(rope, params_of(GetParam(), substeps, times * sweeps), 8);
    const double h = 1.0 / 60 / substeps;
    EXPECT_LT(hung.residual, 1e-4 * rope.stretch(h)) << substeps;
    EXPECT_NEAR(hung.stretch, rope.stretch(h), 0.01 * rope.stretch(h)) << substeps;
    for (int i = 0; i < rope.particles; i += 11) {
      const double below = rope.weight(h) * (rope.particles - i);
      EXPECT_NEAR(hung.forces[static_cast<std::size_t>(i)], below, 0.01 * below) << substeps << ", segment " << i;
    }
  }
}

// What one sweep leaves undone in a substep is a share of what the rope falls in it, which is of h^2; in a symmetric
// sweep, the share falls too.
TEST(Rope, is_longer_by_no_more_than_the_square_of_the_substep_at_one_sweep) {
  const Rope rope{.particles = 20};
  std::vector<double> excess;
  for (const int substeps : {10, 20, 40}) {
    const Hung hung = hang(rope, params_of(kMethods[0], substeps, 1), 20);
    EXPECT_LT(hung.speed, 1e-4) << substeps;
    excess.push_back(hung.stretch - rope.stretch(1.0 / 60 / substeps));
  }
  for (std::size_t i = 1; i < excess.size(); ++i) EXPECT_GT(excess[i - 1] / excess[i], 4) << i;
}

/// A polyline through points, and a mark on each.
void draw_curve(test::Svg& svg, const std::vector<Vec3d>& points, const char* color, const char* title) {
  svg.add("<polyline fill=\"none\" stroke=\"%s\" points=\"", color);
  for (const Vec3d& p : points) svg.add("%.1f,%.1f ", p.x, p.y);
  svg.add("\"/>\n");
  for (const Vec3d& p : points) svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", p.x, p.y, color);
  svg.add("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", points.back().x + 8, points.back().y + 4, color,
          title);
}

// docs/particles.md shows how much longer the rope is than its law has it, beside plain PBD, whose law is no stretch.
TEST(Rope, is_drawn_as_the_documents_show_it) {
  constexpr double kLeft = 70, kDecade = 70, kTop = 40, kOctave = 90;  // pixels
  constexpr int kSubsteps[] = {5, 10, 20, 40, 80};
  const auto place = [&](double octave, double metres) {
    return Vec3d{kLeft + kOctave * octave, kTop - kDecade * std::log10(metres / 10), 0};
  };
  test::Svg svg(640, 590);
  for (int k = -6; k <= 1; ++k) {
    const Vec3d at = place(0, std::pow(10.0, k));
    svg.add("<path stroke=\"#dddddd\" d=\"M%.1f %.1fh%.1f\"/>\n", kLeft, at.y, 4 * kOctave);
    svg.add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g m</text>\n", kLeft - 8, at.y + 4, std::pow(10.0, k));
  }
  for (int k = 0; k < 5; ++k) {
    svg.add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n", kLeft + k * kOctave, kTop + 7.3 * kDecade,
            kSubsteps[k]);
  }
  svg.add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">substeps of a step of 1/60 s, one sweep each</text>\n",
          kLeft + 2 * kOctave, kTop + 7.3 * kDecade + 20);
  const auto curve = [&](const ConstraintLaw& law, const char* color, const char* title) {
    const Rope rope{.particles = 20, .law = law};
    std::vector<Vec3d> points;
    for (int k = 0; k < 5; ++k) {
      const Hung hung = hang(rope, params_of(kMethods[0], kSubsteps[k], 1), 40);
      points.push_back(place(k, hung.stretch - rope.stretch(1.0 / 60 / kSubsteps[k])));
    }
    draw_curve(svg, points, color, title);
    return points;
  };
  curve({0, 0, 0.2f}, "#d55e00", "plain PBD, stiffness 0.2");
  curve({0, 0, 1}, "#e69f00", "plain PBD, stiffness 1");
  const std::vector<Vec3d> xpbd = curve({1e-4f, 0, 0}, "#0072b2", "XPBD, 1e-4 m/N");
  svg.add("<path stroke=\"#888888\" stroke-dasharray=\"4\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", xpbd[0].x, xpbd[0].y,
          xpbd[0].x + 4 * kOctave, xpbd[0].y + 4 * kDecade * std::log10(4.0));
  svg.add("<text x=\"%.1f\" y=\"%.1f\" fill=\"#888888\">h^2</text>\n", xpbd[0].x + 4 * kOctave + 8,
          xpbd[0].y + 4 * kDecade * std::log10(4.0) + 4);
  test::expect_picture("rope.svg", svg.done());
}

// Plain PBD is as hard as its sweeps make it: the same stiffness hangs lower with fewer of them.
TEST(Rope, of_plain_pbd_hangs_by_how_often_it_is_swept) {
  const Rope rope{.particles = 20, .law = {0, 0, 0.2f}};
  const double few = hang(rope, params_of(kMethods[0], 10, 1), 20).stretch;
  const double many = hang(rope, params_of(kMethods[0], 10, 8), 20).stretch;
  EXPECT_GT(few, 3 * many);
  EXPECT_GT(many, 0);
}

// A mass on one spring: the implicit step turns the phase by atan(omega h) a substep, and takes the damping that goes
// with it.
TEST(Rope, of_one_segment_swings_at_its_frequency) {
  const Rope rope{.particles = 1, .length = 1, .mass = 1, .law = {1e-2f, 0, 0}, .damping = 0};
  World world(alone(rope.set(), params_of(kMethods[0], 40, 1)), test::cpu());
  const double h = 1.0 / 60 / 40, omega = std::sqrt(1 / (1e-2 * 1.0)), rest = -1 - rope.stretch(h);
  double before = 1, first = 0, last = 0;
  int crossings = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    const double off = states_of(world)[1].position.z - rest;
    if (before < 0 && off >= 0) {
      last = (i + before / (before - off)) / 60;
      if (crossings++ == 0) first = last;
    }
    before = off;
  }
  const double turns = (crossings - 1) / (last - first) * 2 * std::numbers::pi;
  // implicit Euler: atan(omega h) / h; the crossing is interpolated between steps of omega dt = 0.17: within its cube
  EXPECT_NEAR(turns, std::atan(omega * h) / h, 1e-3 * omega);
  EXPECT_GT(crossings, 6);
}

}  // namespace
}  // namespace cairn::particles_test
