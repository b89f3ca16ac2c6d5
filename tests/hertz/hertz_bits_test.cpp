// Many spheres: momentum, the same bits for threads and batches, snapshots in the midst of contacts; what is refused.

#include "tests/hertz/hertz_scenes.h"
#include "tests/support/refusal.h"

namespace cairn::hertz_test {
namespace {

using testing_support::refuses;

struct Sums {
  Vec3d momentum{}, spin{};  ///< [kg m/s], [kg m^2/s] about the origin
  double energy{0};          ///< [J] of motion
};
Sums sums_of(const World& world) {
  Sums sums;
  for (const BodyHandle body : world.bodies()) {
    const BodyState s = world.state(body);
    const MassProperties mass = world.mass_properties(body);
    const Vec3 v = s.linear_velocity, w = s.angular_velocity;
    const Vec3d x = s.position;
    const double m = mass.mass, i = mass.moments.x;
    sums.momentum = {sums.momentum.x + m * v.x, sums.momentum.y + m * v.y, sums.momentum.z + m * v.z};
    sums.spin = {sums.spin.x + m * (x.y * v.z - x.z * v.y) + i * w.x,
                 sums.spin.y + m * (x.z * v.x - x.x * v.z) + i * w.y,
                 sums.spin.z + m * (x.x * v.y - x.y * v.x) + i * w.z};
    sums.energy += 0.5 * m * (double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z) +
                   0.5 * i * (double{w.x} * w.x + double{w.y} * w.y + double{w.z} * w.z);
  }
  return sums;
}

TEST(Grains, keep_momentum_and_angular_momentum_to_rounding_and_lose_energy) {
  World world(swarm(5, elastic(2e-5, 10)), test::cpu());
  const Sums before = sums_of(world);
  double contacts = 0;
  for (int i = 0; i < 400; ++i) {
    world.step();
    contacts += world.report().manifolds;
  }
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_GT(contacts, 400);
  const Sums after = sums_of(world);
  EXPECT_LT(after.energy, 0.9 * before.energy);
  // 125 grains of 0.01 kg at 1 m/s: a rounding of 6e-8 of each in 4,000 substeps, which add up as a walk does
  const double scale = 125 * 0.011 * std::sqrt(4000.0) * 6e-8;
  EXPECT_LT(test::length(after.momentum - before.momentum), scale);
  EXPECT_LT(test::length(after.spin - before.spin), 0.1 * scale);
}

TEST(Grains, end_in_the_golden_hash) {
  World world(heap(elastic(2e-5, 25)), test::cpu());
  test::run(world, kHeapSteps);
  EXPECT_EQ(world.state_hash(), kHeapHash);
}

TEST(Grains, take_more_memory_than_others) {
  const Scene scene = heap(elastic(2e-5, 25));
  Scene other = scene;
  other.set_params({});
  EXPECT_GT(estimate_memory(scene, 1, test::cpu()), estimate_memory(other, 1, test::cpu()));
}

TEST(Grains, are_refused_by_name_where_they_break_a_rule) {
  const auto made = [](const auto& change, const Grain& grain = lively()) {
    return [=] {
      Scene scene = scene_of(grain, elastic(1e-6, 10));
      scene.add_body(sphere("ball", {0, 0, 1}, 0.01));
      change(scene);
      World world(scene, test::cpu());
    };
  };
  const auto with_crate = made([](Scene& s) { s.add_body(test::box("crate", {0, 0, 3})); });
  EXPECT_TRUE(refuses(with_crate, {"hertz_mindlin", "crate", "sphere"}));
  Grain nothing = lively();
  nothing.young = 0;
  EXPECT_TRUE(refuses(made([](Scene&) {}, nothing), {"hertz_mindlin", "ball", "grain", "young_modulus"}));
  const auto in_long_steps = made([](Scene& s) { s.set_params(elastic(1e-3, 1)); });
  EXPECT_TRUE(refuses(in_long_steps, {"hertz_mindlin", "Rayleigh", "ball", "0.001"}));
  const auto with_arm = made([](Scene& s) {
    ArticulationLink hand{.name = "hand", .mass = 1, .inertia = {{1, 1, 1}, {}}};
    hand.shapes = {test::shape(Sphere{0.02f})};
    hand.joint.kind = ArticulationJointKind::kRevolute;
    s.add_articulation({.name = "arm", .links = {hand}});
  });
  EXPECT_TRUE(refuses(with_arm, {"hertz_mindlin", "articulation \"arm\""}));
}

TEST(Grains, are_looked_at_again_where_a_world_is_changed) {
  World world(heap(elastic(2e-5, 1)), test::cpu());
  world.step();
  const BodyHandle crate = world.add_body(test::box("crate", {0, 0, 3}));
  EXPECT_TRUE(test::refused(world, [&] { world.step(); }, {"hertz_mindlin", "crate"}));
  world.remove_body(crate);
  world.step();
  EXPECT_TRUE(test::refused(world, [&] { world.step(0.01f); }, {"Rayleigh"}));
  Material limp = world.materials()[0];
  limp.young_modulus = 0;
  world.set_material(0, limp);
  EXPECT_TRUE(test::refused(world, [&] { world.step(); }, {"young_modulus"}));
}

TEST(RayleighTime, is_that_of_its_formula) {
  // pi 0.01 sqrt(2650 / 26.923e9) / (0.1631 0.3 + 0.8766)
  EXPECT_NEAR(double{rayleigh_time(0.01f, 2650, 70e9f, 0.3f)}, 1.0649e-5, 1e-9);
  EXPECT_THROW(rayleigh_time(0, 2650, 70e9f, 0.3f), InvalidArgument);
  EXPECT_THROW(rayleigh_time(0.01f, -1, 70e9f, 0.3f), InvalidArgument);
  EXPECT_THROW(rayleigh_time(0.01f, 2650, 0, 0.3f), InvalidArgument);
  EXPECT_THROW(rayleigh_time(0.01f, 2650, 70e9f, 0.51f), InvalidArgument);
}

}  // namespace
}  // namespace cairn::hertz_test
