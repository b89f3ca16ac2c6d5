// What xpbd must hold up: towers and slopes. Their weight, sliding, bounces and the rest of the closed forms:
// tests/verify, with both sweeps.

#include <cmath>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::xpbd_test {
namespace {

using namespace testing_support;

constexpr double kG = 9.81f;
constexpr int kSubsteps = 12;

class Xpbd : public testing::TestWithParam<SweepKind> {
 protected:
  StepParams params() const { return {.solver = SolverKind::kXpbd, .sweep = GetParam(), .substeps = kSubsteps}; }
  double h() const { return params().dt / kSubsteps; }

  /// Deepest overlap of `n` unit boxes, one on the other, at rest. A contact starts each substep without an impulse,
  /// and must find the load of the k boxes above it, l = k m g h, in one position pass. Between two boxes of mass m, a
  /// sweep does 0.75 of what the row wants (1.5 over two rows a body): by Jacobi l = 0.75 (m / 2) d / h, d = (8/3) k g
  /// h^2. The floor's row turns only one body, against the fall g h of the substep too: l = 0.75 m (d / h + g h), d =
  /// (4/3 k - 1) g h^2, which is less. Gauss-Seidel's rows see what those before them gave, and sink less. Twice as
  /// much, for loads that a yawed box leaves to two of its corners.
  double deepest(int n) const { return 2 * (8.0 / 3.0) * (n - 1) * kG * h() * h(); }
};

TEST_P(Xpbd, a_tower_of_five_stands_for_ten_seconds_and_comes_to_rest) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Scene scene = scenes::make("tower:height=5", seed);
    scene.set_params(params());
    QualityMeter meter(scene);
    World world(scene, cpu());
    for (int i = 0; i < 600; ++i) {
      world.step();
      meter.observe(world);
    }
    const Quality q = meter.measure(world);
    EXPECT_EQ(q.fallen, 0u) << seed;
    EXPECT_LE(q.max_penetration, deepest(5)) << seed;
    // a contact that sinks on one side alone tilts what stands on it, by its depth over 1 m: at most 5 + 4 + 3 + 2 + 1
    // times that at the top. Nothing walks
    EXPECT_LE(q.max_excursion, 15 * deepest(5)) << seed;
    // at rest: slower than what gravity gives in a substep
    EXPECT_LT(q.rms_speed, kG * h()) << seed;
  }
}

TEST_P(Xpbd, a_tower_on_a_slope_does_not_creep) {
  // tan 0.3 with friction 0.6; a tower of two topples at tan 0.5
  const double angle = std::atan(0.3);
  Scene scene = tower(2, params());
  scene.set_gravity({static_cast<float>(kG * std::sin(angle)), 0, static_cast<float>(-kG * std::cos(angle))});
  World world(scene, cpu());
  run(world, 60);
  const std::vector<BodyState> early = states(world);
  run(world, 600);
  const std::vector<BodyState> late = states(world);
  // what one substep of gravity moves a body by is what is corrected in each; it doesn't add up over 7,200 of them
  for (std::size_t i = 1; i < late.size(); ++i)
    EXPECT_LT(length(late[i].position - early[i].position), kG * h() * h()) << i;
}

TEST_P(Xpbd, a_box_on_a_moving_table_takes_its_speed_and_keeps_its_place) {
  const Body table = body("table", Box{{5, 2, 0.5f}}, {0, 0, -0.5}, BodyType::kKinematic);
  World world(scene_of({moving(table, {1, 0, 0}), box("box", {0, 0, 0.5})}, params()), cpu());
  // it slides until mu g t = 1 m/s, and v^2 / 2 mu g back from where it was on the table
  const double mu = 0.6f, slide = 1 / (2 * mu * kG);
  run(world, 60);
  const auto place = [&] {
    return world.state(world.bodies()[1]).position.x - world.state(world.bodies()[0]).position.x;
  };
  const double at = place();
  // a substep at the start and one at the end are cut short
  EXPECT_NEAR(at, -slide, 2 * h() * 1);
  run(world, 120);
  EXPECT_NEAR(place(), at, kG * h() * h());
  EXPECT_NEAR(world.state(world.bodies()[1]).linear_velocity.x, 1, kG * h());
}

TEST_P(Xpbd, solvers_can_be_switched_under_a_tower) {
  World world(tower(5), cpu());
  const StepParams soft = world.params();
  run(world, 120);
  for (const StepParams& next : {params(), soft, params(), soft}) {
    world.set_params(next);
    for (int i = 0; i < 120; ++i) {
      world.step();
      for (const BodyHandle b : world.bodies()) {
        // either has the other's overlap to begin with, less than 2 mm: pushed out or let in at the speed of a fall
        // from there
        ASSERT_LT(speed(world, b), std::sqrt(2 * kG * 2e-3)) << "step " << i;
      }
    }
  }
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(world.state(world.bodies()[static_cast<std::size_t>(i) + 1]).position.x, 0, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Sweep, Xpbd, testing::Values(SweepKind::kGaussSeidel, SweepKind::kJacobi),
                         [](const auto& row) {
                           return std::string(row.param == SweepKind::kJacobi ? "jacobi" : "gauss_seidel");
                         });

}  // namespace
}  // namespace cairn::xpbd_test
