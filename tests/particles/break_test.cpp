// Constraints that break, and those that go with them.

#include <algorithm>
#include <set>

#include "tests/particles/sets.h"
#include "tests/support/sums.h"

namespace cairn::particles_test {
namespace {

using Broken = std::vector<std::uint8_t>;

Broken broken_of(const World& world, std::size_t set = 0) {
  return world.particles().broken_constraints(world.particles().list()[set]);
}

/// Four particles of 1 kg below one that is fixed, hardly any stretch, solved to the end.
Scene hung(const Method& method, float breaking_force) {
  Rope rope{.particles = 4, .length = 1, .mass = 1, .law = {1e-7f, 0, 0}, .damping = 0};
  rope.law.breaking_force = breaking_force;
  ParticleSet set = rope.set();
  // what falls by more than its radius in a step may be stopped on its way
  set.radius = 0.12f;
  return alone(set, params_of(method, 10, 400));
}

class BreakableConstraints : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, BreakableConstraints, testing::ValuesIn(kMethods), name_of_method);

// The k-th segment bears the weight of what hangs below it: the first of four bears 4 m g, the second 3 m g.
TEST_P(BreakableConstraints, take_the_segment_that_bears_most_and_what_is_below_falls_freely) {
  World world(hung(GetParam(), static_cast<float>(3.5 * kG)), test::cpu());
  int steps = 0;
  while (world.report().broken_constraints == 0 && steps < 200) {
    world.step();
    ++steps;
  }
  EXPECT_EQ(broken_of(world), (Broken{1, 0, 0, 0}));
  EXPECT_EQ(world.report().broken_constraints, 1u);
  const std::vector<BodyState> from = states_of(world);
  const double dt = double{world.params().dt};
  const int substeps = GetParam().solver == SolverKind::kSequentialImpulse ? 1 : 10;
  const double h = dt / substeps;
  const int n = static_cast<int>(0.5 / dt + 0.5);
  for (int i = 0; i < n; ++i) world.step();
  const std::vector<BodyState> to = states_of(world);
  // the centre of mass falls by g h^2 (1 + 2 + ... + N) in N substeps
  const double count = double{static_cast<double>(n)} * substeps;
  double fell = 0, expected = kG * h * h * count * (count + 1) / 2;
  for (std::size_t i = 1; i < to.size(); ++i) {
    fell += (from[i].position.z - to[i].position.z) / 4;
    expected -= double{from[i].linear_velocity.z} / 4 * h * count;
  }
  // velocities of less than 8 m/s are rounded by 2^-22 m/s at most in each substep, and may be so one way
  EXPECT_NEAR(fell, expected, 0x1p-22 * h * count * count / 2);
  EXPECT_EQ(to[0].position.z, 0);
  EXPECT_EQ(forces_of(world)[0], 0);
}

TEST_P(BreakableConstraints, take_nothing_that_bears_less_than_its_breaking_force) {
  World world(hung(GetParam(), static_cast<float>(4.5 * kG)), test::cpu());
  for (int i = steps_in(world, 3); i > 0; --i) world.step();
  EXPECT_EQ(world.report().broken_constraints, 0u);
  EXPECT_NEAR(forces_of(world)[0], 4 * kG, 0.01 * kG);
}

TEST(Break, gives_no_momentum) {
  ParticleSet pair{.name = "pair", .positions = {{0, 0, 0}, {1, 0, 0}}, .masses = {1, 3}};
  pair.velocities = {{-4, 1, 0}, {2, 0, 0.5f}};
  pair.constraints = {{.law = {1e-3f, 0, 0, 20}, .particles = {0, 1}}};
  World world(alone(pair, params_of(kMethods[0], 10, 1), {0, 0, 0}), test::cpu());
  for (int i = 0; i < 100; ++i) world.step();
  EXPECT_EQ(broken_of(world), Broken{1});
  test::expect_near(test::sums_of(world).momentum, {2, 1, 1.5}, 1e-5);
  const std::vector<BodyState> at = states_of(world);
  EXPECT_GT(at[1].linear_velocity.x - at[0].linear_velocity.x, 4) << "it took but a part of the 6 m/s";
}

// A corner is broken off a sheet, and one off a cube: a bend or a volume is broken where a stretch between two of its
// particles is, and nowhere else.
TEST(Break, takes_bends_and_volumes_along_with_their_stretches) {
  const ConstraintLaw weak{1e-5f, 0, 0, 50}, weaker{1e-5f, 0, 0, 3};
  Scene scene = test::afloat({}, params_of(kMethods[0], 10, 4));
  scene.add_particles(sheet(5, 0.2, 1, weaker, {0.1f, 0.01f, 0}));
  scene.add_particles(cube({3, 0, 0}, weak, {1e-7f, 0, 0}));
  World world(scene, test::cpu());
  for (std::size_t s = 0; s < 2; ++s) {
    world.set_velocity(bodies_of(world, s)[0], {-30, -30, 0}, {0, 0, 0});
  }
  for (int i = 0; i < 60; ++i) world.step();
  std::uint32_t count = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    const Broken broken = broken_of(world, s);
    const std::vector<ConstraintGroup>& groups = scene.particles()[s].description.constraints;
    std::set<std::pair<std::uint32_t, std::uint32_t>> gone;
    const std::vector<std::uint32_t>& edges = groups[0].particles;
    for (std::size_t i = 0; i < edges.size() / 2; ++i) {
      if (broken[i] != 0) gone.insert(std::minmax(edges[2 * i], edges[2 * i + 1]));
    }
    EXPECT_FALSE(gone.empty()) << s;
    EXPECT_LT(gone.size(), edges.size() / 2) << s;
    std::size_t went = 0;
    const std::vector<std::uint32_t>& others = groups[1].particles;
    for (std::size_t i = 0; i < others.size() / 4; ++i) {
      bool goes = false;
      for (std::size_t b = 0; b < 4; ++b) {
        for (std::size_t a = 0; a < b; ++a) goes |= gone.contains(std::minmax(others[4 * i + a], others[4 * i + b]));
      }
      EXPECT_EQ(broken[edges.size() / 2 + i] != 0, goes) << s << ", " << i;
      went += goes ? 1 : 0;
    }
    EXPECT_GT(went, 0u) << s;
    count += static_cast<std::uint32_t>(std::ranges::count(broken, 1));
  }
  EXPECT_EQ(world.report().broken_constraints, count);
}

TEST(Break, lets_go_of_a_body_that_is_too_heavy_for_its_attachment) {
  for (const double share : {0.9, 1.1}) {
    const Body crate = test::of_mass(2, test::body("crate", Box{{0.1f, 0.1f, 0.1f}}, {0, 0, -1.1}));
    Scene scene = test::scene_of({crate}, params_of(kMethods[0], 10, 20));
    const std::uint32_t held = 0;
    ParticleSet rope = Rope{.particles = 1, .length = 1, .law = {1e-7f, 0, 0}, .damping = 0}.set();
    rope.attachments = {{1, held, {0, 0, 0, static_cast<float>(share * 2 * kG)}}};
    scene.add_particles(rope);
    World world(scene, test::cpu());
    for (int i = 0; i < 60; ++i) world.step();
    EXPECT_EQ(broken_of(world), (Broken{0, static_cast<std::uint8_t>(share < 1 ? 1 : 0)})) << share;
    EXPECT_EQ(world.state(world.bodies()[held]).position.z < -3, share < 1) << share;
  }
}

// Bodies that come and go put constraints in another order; what is broken stays so.
TEST(Break, outlives_an_edit) {
  World world(hung(kMethods[0], static_cast<float>(3.5 * kG)), test::cpu());
  for (int i = 0; i < 60; ++i) world.step();
  ASSERT_EQ(broken_of(world), (Broken{1, 0, 0, 0}));
  world.add_body(test::ball("other", {5, 0, 0}, 0.1f));
  world.step();
  EXPECT_EQ(broken_of(world), (Broken{1, 0, 0, 0}));
  world.remove_body(bodies_of(world)[0]);
  world.step();
  EXPECT_EQ(broken_of(world), (Broken{0, 0, 0, 0})) << "it is gone with its particle";
  EXPECT_EQ(world.report().broken_constraints, 0u);
}

// A broken rope's ends sleep and wake each by itself.
TEST(Break, parts_what_sleeps_together) {
  StepParams params = params_of(kMethods[0], 10, 20);
  params.sleeping = true;
  Scene scene = test::scene_of({test::plane()}, params);
  // 0.05 kg, 0.5 kg and 0.5 kg: the second segment bears nearly as much as the first, and is the weaker
  ParticleSet rope{.name = "rope", .radius = 0.05f, .fixed = {0}, .linear_damping = 1};
  rope.positions = {{0, 0, 2}, {0, 0, 1.5}, {0, 0, 1}, {0, 0, 0.5}};
  rope.masses = {1, 0.05f, 0.5f, 0.5f};
  rope.constraints = {{.law = {1e-7f, 0, 0}, .particles = {0, 1}},
                      {.law = {1e-7f, 0, 0, static_cast<float>(0.8 * kG)}, .particles = {1, 2}},
                      {.law = {1e-7f, 0, 0}, .particles = {2, 3}}};
  scene.add_particles(rope);
  World world(scene, test::cpu());
  for (int i = 0; i < 900; ++i) world.step();
  ASSERT_EQ(broken_of(world), (Broken{0, 1, 0}));
  ASSERT_EQ(world.report().asleep, 3u);
  const std::vector<BodyHandle> bodies = bodies_of(world);
  world.set_velocity(bodies[1], {0.5f, 0, 0}, {0, 0, 0});
  world.step();
  EXPECT_EQ(world.report().asleep, 2u);
  EXPECT_TRUE(world.asleep(bodies[2]));
}

TEST(Break, is_refused_where_it_breaks_a_rule) {
  EXPECT_EQ(refusal_of_group({.kind = ConstraintKind::kVolume, .law = {0, 0, 0, 1}, .particles = {0, 1, 2, 4}}),
            "particles \"cube\": breaking_force must be infinite but for stretch: what bends and fills goes with the "
            "stretches of its particles");
  EXPECT_EQ(refusal_of_group({.kind = ConstraintKind::kVolume, .particles = {0, 1, 2, 4}, .unilateral = true}),
            "particles \"cube\": unilateral must be false but for stretch");
}

}  // namespace
}  // namespace cairn::particles_test
