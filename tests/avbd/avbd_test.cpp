// What avbd must do: its blocks, its colours, and what it holds up. Bits: tests/determinism and tests/batch.

#include <array>
#include <cmath>

#include "kernels/solve/avbd_force.h"
#include "kernels/solve/block6.h"
#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::avbd_test {
namespace {

using namespace testing_support;

constexpr double kG = 9.81f;

StepParams avbd(int substeps = 6) { return {.solver = SolverKind::kAvbd, .substeps = substeps}; }

TEST(Block6, solves_what_its_rows_add_up_to) {
  // a body of 3 kg with eight rows in different directions; A x = r is checked in double precision
  const float mass = 3;
  const Vec3 linear{0.3f, -2, 1}, angular{0.1f, 4, -0.5f};
  kernels::Block6 block(mass, 1.0f, linear, angular);
  std::array<std::array<double, 6>, 6> a{};
  std::array<double, 6> r{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (std::size_t d = 0; d < 6; ++d) a[d][d] = d < 3 ? mass : 1;
  for (int i = 0; i < 8; ++i) {
    const auto t = static_cast<float>(i);
    const std::array<float, 6> j{std::sin(t), std::cos(t), 0.5f, 0.3f * t - 1, std::sin(2 * t), 0.7f};
    const float l = 0.5f * t - 1, stiffness = 0.25f * (t + 1);
    block.add({j[0], j[1], j[2]}, {j[3], j[4], j[5]}, l, stiffness);
    for (std::size_t row = 0; row < 6; ++row) {
      r[row] += double{l} * j[row];
      for (std::size_t column = 0; column < 6; ++column) a[row][column] += double{stiffness} * j[row] * j[column];
    }
  }
  Vec3 v, w;
  block.solve(v, w);
  const std::array<double, 6> x{v.x, v.y, v.z, w.x, w.y, w.z};
  for (std::size_t row = 0; row < 6; ++row) {
    double sum = 0, size = 0;
    for (std::size_t column = 0; column < 6; ++column) {
      sum += a[row][column] * x[column];
      size += std::abs(a[row][column] * x[column]);
    }
    // backward stable: some ulps for each of the 6 steps of the elimination
    EXPECT_NEAR(sum, r[row], 6 * 8 * 0x1p-24 * (size + std::abs(r[row]))) << row;
  }
}

TEST(Avbd, bodies_that_meet_keep_their_momentum_and_gain_no_energy) {
  for (const int substeps : {1, 6, 24}) {
    const Scene scene = afloat({moving(ball("a", {-1, 0, 0}), {2, 0, 0}), ball("b", {0.5, 0.3, 0})}, avbd(substeps));
    QualityMeter meter(scene);
    World world(scene, cpu());
    const Quality before = meter.measure(world);
    run(world, 120);
    const Quality after = meter.measure(world);
    EXPECT_LT(after.momentum.x, before.momentum.x * (1 + 120 * substeps * 0x1p-23)) << substeps;
    EXPECT_GT(after.momentum.x, before.momentum.x * (1 - 120 * substeps * 0x1p-23)) << substeps;
    EXPECT_NEAR(after.momentum.y, 0, before.momentum.x * 120 * substeps * 0x1p-23) << substeps;
    EXPECT_LT(after.kinetic_energy, before.kinetic_energy) << substeps;
    EXPECT_GT(speed(world, world.bodies()[1]), 0.5) << "it was hit";
  }
}

TEST(Avbd, towers_of_ten_and_walls_stand_and_come_to_rest) {
  for (const char* spec : {"tower:height=10", "wall:base=8"}) {
    for (const std::uint64_t seed : {1u, 2u}) {
      Scene scene = scenes::make(spec, seed);
      scene.set_params(avbd());
      QualityMeter meter(scene);
      World world(scene, cpu());
      for (int i = 0; i < 600; ++i) {
        world.step();
        meter.observe(world);
      }
      const Quality q = meter.measure(world);
      EXPECT_EQ(q.fallen, 0u) << spec << seed;
      // soft contacts under up to 10 boxes: load g h^2 / (h omega)^2, twice where a yawed box leaves it to two corners
      const double h = 1.0 / 360, h_omega = 2 * 3.14159265 * 0.2;
      EXPECT_LT(q.max_penetration, 2 * 10 * kG * h * h / (h_omega * h_omega)) << spec << seed;
      // slower than what gravity gives in a substep
      EXPECT_LT(q.rms_speed, kG * h) << spec << seed;
    }
  }
}

TEST(Avbd, the_impulses_of_a_step_carry_the_weight_of_a_resting_tower) {
  World world(tower(5, avbd()), cpu());
  run(world, 240);
  const BodyHandle floor = world.bodies()[0];
  const double weight = 5 * double{kDensity} * kG;
  for (int i = 0; i < 30; ++i) {
    world.step();
    ASSERT_NEAR(support(world, floor), weight, 1e-3 * weight) << "step " << i;
  }
}

TEST(Avbd, a_box_slides_on_a_slope_past_the_friction_angle_and_not_before) {
  for (const double tan : {0.57, 0.63}) {
    Scene scene = scenes::make("slope:height=1,friction=0.6,tan=" + std::to_string(tan), 1);
    scene.set_params(avbd());
    QualityMeter meter(scene);
    World world(scene, cpu());
    run(world, 180);
    // 5 % past the angle it slides by (sin - 0.6 cos) g t^2 / 2, over a metre in 3 s
    if (tan < 0.6) {
      EXPECT_LT(meter.measure(world).max_drift, 0.02);
    } else {
      EXPECT_GT(meter.measure(world).max_drift, 0.5);
    }
  }
}

TEST(Avbd, boxes_in_one_another_are_not_thrown_apart) {
  // 120 unit boxes, each 1 cm aside of the one before: a body has more than a hundred rows
  Scene scene = tower(0, avbd());
  for (int i = 0; i < 120; ++i) scene.add_body(box("box" + std::to_string(i), {0.01 * i, 0, 0.5}));
  World world(scene, cpu());
  // so many rows of a body push out at once, each by at most max_depenetration_speed
  EXPECT_LT(largest_over(world, 8, [&] { return fastest(world); }),
            kernels::kAvbdRows * world.params().max_depenetration_speed);
}

TEST(Avbd, solvers_can_be_switched_under_a_tower) {
  World world(tower(5), cpu());
  run(world, 60);
  for (const SolverKind solver : {SolverKind::kAvbd, SolverKind::kSequentialImpulse, SolverKind::kAvbd,
                                  SolverKind::kXpbd, SolverKind::kAvbd, SolverKind::kSoftStep}) {
    StepParams params = world.params();
    params.solver = solver;
    world.set_params(params);
    run(world, 60);
    const Vec3d top = world.state(world.bodies()[5]).position;
    EXPECT_NEAR(top.x, 0, 0.02) << static_cast<int>(solver);
    EXPECT_NEAR(top.z, 4.5, 0.05) << static_cast<int>(solver);
  }
}

}  // namespace
}  // namespace cairn::avbd_test
