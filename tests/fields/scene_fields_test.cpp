// Fields of scenes, which a World applies in every step.

#include <cmath>
#include <numbers>

#include "tests/fields/bodies.h"
#include "tests/support/builtin.h"
#include "tests/support/sums.h"

namespace cairn::fields_test {
namespace {

using namespace testing_support;

// Every law gives what BodyFields gives by a ParticleSystem's code, to the bit, as the step's own precision has it.
TEST(SceneFields, give_what_body_fields_give) {
  const std::vector<fields::Any> laws = ready_made();
  for (const fields::Any& law : laws) {
    World world(with(cloud(60), {law}), cpu(2));
    BodyFields fields(world);
    fields.add(law);
    for (int i = 0; i < 3; ++i) {
      const std::vector<Vec3d> want = fields.forces();
      world.step();
      const std::vector<Vec3> got = field_forces(world);
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < got.size(); ++k) {
        const Vec3 w{static_cast<float>(want[k].x), static_cast<float>(want[k].y), static_cast<float>(want[k].z)};
        // a BodyFields' +0 and a sum's
        EXPECT_EQ(got[k], w) << "law " << law.index() << ", body " << k << ", step " << i;
      }
    }
  }
}

// All laws at once: what they give is the sum of what each gives, and moves bodies as forces of the user's do.
TEST(SceneFields, add_up_and_move_bodies_as_forces_do) {
  const std::vector<fields::Any> laws = ready_made();
  World world(with(cloud(40), laws), cpu(2)), pushed(cloud(40), cpu(1));
  for (int i = 0; i < 20; ++i) {
    std::vector<Vec3d> sum(40);
    for (const fields::Any& law : laws) {
      BodyFields one(world);
      one.add(law);
      const std::vector<Vec3d> f = one.forces();
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = sum[k] - Vec3d{-f[k].x, -f[k].y, -f[k].z};
    }
    world.step();
    const std::vector<Vec3> got = field_forces(world);
    const std::vector<BodyHandle> bodies = pushed.bodies();
    for (std::size_t k = 0; k < sum.size(); ++k) {
      // sums of ten doubles in another order, then a float
      EXPECT_NEAR(double{got[k].x}, sum[k].x, 0x1p-23 * std::abs(sum[k].x) + 1e-12) << k;
      EXPECT_NEAR(double{got[k].y}, sum[k].y, 0x1p-23 * std::abs(sum[k].y) + 1e-12) << k;
      pushed.add_force(bodies[k], got[k]);
    }
    pushed.step();
    EXPECT_EQ(world.state_hash(), pushed.state_hash());
  }
  EXPECT_EQ(world.report().status, 0u);
}

// A list has its laws on its own bodies alone, which see nothing else; a body in two lists bears both.
TEST(SceneFields, act_on_the_bodies_of_their_list) {
  Scene scene = afloat({ball("a", {0, 0, 0}), ball("b", {3, 0, 0}), ball("c", {6, 0, 0}), ball("d", {9, 0, 0})});
  const fields::PairGravity pull{.constant = 1e-3};
  EXPECT_EQ(scene.add_field({pull, {{2, 0}}}), 0u);
  EXPECT_EQ(scene.add_field({fields::Gravity{{0, 0, -1}}, {{2, 3}}}), 1u);
  EXPECT_EQ(scene.fields()[0].bodies, (std::vector<std::uint32_t>{0, 2})) << "sorted";
  World world(scene, cpu());
  const double m = world.mass_properties(world.bodies()[0]).mass;
  world.step();
  const std::vector<Vec3> f = field_forces(world);
  const double want = 1e-3 * m * m / 36;
  EXPECT_NEAR(double{f[0].x}, want, 4 * 0x1p-24 * want);
  EXPECT_EQ(f[1], (Vec3{0, 0, 0}));
  EXPECT_EQ(f[2].x, -f[0].x);
  EXPECT_NEAR(double{f[2].z}, -m, 4 * 0x1p-24 * m);
  EXPECT_EQ(f[3], (Vec3{0, 0, f[2].z}));
}

// Two balls on a circle about their centre of mass: one turn takes 2 pi sqrt(d^3 / (G (m1 + m2))).
TEST(SceneFields, keep_two_balls_on_their_orbit) {
  constexpr double kApart = 4, kConstant = 1e-3;
  const double m = kDensity * 4 / 3 * std::numbers::pi * 0.125;
  const double rate = std::sqrt(kConstant * 2 * m / (kApart * kApart * kApart)), turn = 2 * std::numbers::pi / rate;
  double off[2];
  for (const int halved : {0, 1}) {
    const int steps = halved == 0 ? 400 : 800;
    const auto v = static_cast<float>(0.5 * kApart * rate);
    Scene scene = afloat(
        {moving(ball("a", {0.5 * kApart, 0, 0}), {0, v, 0}), moving(ball("b", {-0.5 * kApart, 0, 0}), {0, -v, 0})},
        {.dt = static_cast<float>(turn / steps)});
    scene.add_field({fields::PairGravity{.constant = kConstant}, {}});
    World world(scene, cpu());
    run(world, steps);
    const std::vector<BodyState> s = states(world);
    EXPECT_EQ(s[0].position.x, -s[1].position.x) << "momentum, to the bit";
    off[halved] = length(s[0].position - Vec3d{0.5 * kApart, 0, 0});
  }
  // a force that is held over a step is behind by half of it, which drives them out, by (w h / 2) of the orbit a radian
  EXPECT_LT(off[1], 0.5 * kApart * 4 * std::numbers::pi * std::numbers::pi * 2 * std::numbers::pi / 800);
  EXPECT_NEAR(off[0] / off[1], 2, 0.2);
}

// Robots, cloth, jelly, water and what other solvers move feel fields as they feel forces of the user's.
TEST(SceneFields, move_all_that_forces_move) {
  for (const char* spec :
       {"quadrupeds:count=1", "cloth:side=6", "jelly:cells=2", "dam_break:side=4", "rain:count=12"}) {
    for (const SolverKind solver :
         {SolverKind::kSoftStep, SolverKind::kSequentialImpulse, SolverKind::kXpbd, SolverKind::kAvbd}) {
      const Scene scene = scene_by(solver, spec);
      if (solver == SolverKind::kAvbd && !scene.articulations().empty()) continue;
      World pushed(scene, cpu()), blown(with(scene, {fields::Wind{.velocity = {2, 1, 0}, .linear = 0.3}}), cpu(2));
      for (int i = 0; i < 8; ++i) {
        blown.step();
        const std::vector<Vec3> force = field_forces(blown);
        const std::vector<BodyHandle> bodies = pushed.bodies();
        for (std::size_t k = 0; k < bodies.size(); ++k) pushed.add_force(bodies[k], force[k]);
        pushed.step();
        ASSERT_EQ(blown.state_hash(), pushed.state_hash()) << spec << ", solver " << static_cast<int>(solver);
      }
      EXPECT_GT(length(field_forces(blown).back()), 0) << spec;
    }
  }
}

// Fields on nothing, on one body, on two; in a world where nothing moves.
TEST(SceneFields, may_be_on_few_bodies_or_none) {
  const fields::PairGravity pull{.constant = 1e-3, .tree_above = 0};
  const fields::LennardJones near{.epsilon = 1, .sigma = 2.5, .cut_off = 9};
  Scene scene = scene_of({plane(), ball("a", {0, 0, 5}), ball("b", {3, 0, 5})});
  for (const fields::Any& law : {fields::Any(pull), fields::Any(near)}) {
    scene.add_field({law, std::vector<std::uint32_t>{}});
    scene.add_field({law, {{1}}});
  }
  scene.add_field({fields::Springs{}, {}});
  World without(scene, cpu());
  without.step();
  EXPECT_EQ(field_forces(without), std::vector<Vec3>(3, {0, 0, 0}));
  scene.add_field({pull, {{1, 2}}});
  scene.add_field({near, {}});
  World two(scene, cpu());
  two.step();
  EXPECT_NE(field_forces(two)[1].x, 0);
  EXPECT_EQ(field_forces(two)[1].x, -field_forces(two)[2].x);
  World still(with(scene_of({plane()}), {pull, near, fields::Gravity{}}), cpu());
  run(still, 3);
  EXPECT_EQ(still.report().status, 0u);
}

TEST(SceneFields, have_the_same_bits_on_a_Gpu) {
  const WorldOptions options{.device = Device::best()};
  if (options.device.kind != Device::Kind::kCuda) GTEST_SKIP() << "skipped: no CUDA device";
  World on_gpu(three(), options), on_cpu(three(), cpu(2));
  for (int i = 0; i < 60; ++i) {
    on_gpu.step();
    on_cpu.step();
    ASSERT_EQ(on_gpu.state_hashes(), on_cpu.state_hashes()) << i;
  }
}

// The built-in flag: its free edge streams away from the pole, and flutters to both sides.
TEST(SceneFields, stream_a_flag_out) {
  World world(scenes::make("flag:rows=6", 1), cpu(2));
  const std::vector<BodyHandle> cloth = world.bodies(world.particles().list()[0]);
  double left = 0, right = 0, nearest = 9;
  for (int i = 0; i < 960; ++i) {
    world.step();
    if (i < 240) continue;
    Vec3d edge{};
    for (std::size_t row = 0; row < 6; ++row) {
      const Vec3d x = world.state(cloth[9 * row + 8]).position;
      edge = {edge.x + x.x / 6, edge.y + x.y / 6, 0};
    }
    nearest = std::min(nearest, edge.x);
    left = std::min(left, edge.y);
    right = std::max(right, edge.y);
  }
  // it is 1.6 m long; without wind it hangs at the pole
  EXPECT_GT(nearest, 1);
  EXPECT_LT(left, -0.1);
  EXPECT_GT(right, 0.1);
}

// The built-in rubble: it falls together, ends as a heap in which all touch, and goes nowhere.
TEST(SceneFields, draw_rubble_together) {
  World world(scenes::make("rubble:count=40", 1), cpu(2));
  const auto spread = [](const Sums& of) { return std::hypot(of.size, length(of.centre)); };
  const Sums before = sums_of(world);
  const double most = largest_over(world, 600, [&] { return sums_of(world).kinetic; });
  const Sums after = sums_of(world);
  EXPECT_LT(spread(after), 0.8 * spread(before));
  EXPECT_GT(world.report().manifolds, 40u) << "each touches one other at least";
  EXPECT_LT(after.kinetic, 0.02 * most);
  EXPECT_EQ(world.report().status, 0u);
  // 40 bodies of up to 1,500 kg at up to 3 m/s, whose speeds are rounded in 3,600 substeps at random, and as often by
  // the impulses of some contacts
  EXPECT_LT(length(after.momentum - before.momentum), 1500 * 3 * 0x1p-24 * std::sqrt(40 * 3600.0 * 10));
}

}  // namespace
}  // namespace cairn::fields_test
