// Articulations and sets of particles that come into a World, and go, while it runs.

#include <gtest/gtest.h>

#include "cairn/device_arrays.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "tests/articulations/robots.h"
#include "tests/particles/sets.h"
#include "tests/support/refusal.h"

namespace cairn::world_test {
namespace {

namespace test = testing_support;

Articulation snake(const std::string& name = "snake") { return articulations_test::snake(name, 4, 0.02, 1.5); }

/// [m] Of its root.
ArticulationState at(double x, double z) { return {{x, 0, z, 0, 0, 0, 1, 0.2, 0.1, 0.3}, {}}; }

ParticleSet rope(const std::string& name, Vec3d from, std::uint32_t body) {
  particles_test::Rope made{.particles = 8, .length = 0.8};
  ParticleSet set = made.set();
  set.name = name;
  for (Vec3d& p : set.positions) p = {p.x + from.x, p.y + from.y, p.z + from.z};
  set.fixed.clear();
  set.attachments = {{.particle = 0, .body = body}};
  return set;
}

ParticleSet water(const std::string& name, Vec3d corner, float spacing = 0.1f) {
  ParticleSet set{.name = name, .radius = spacing / 2, .fluid = Fluid{.spacing = spacing}};
  for (int i = 0; i < 27; ++i) {
    set.positions.push_back(
        {corner.x + spacing * (i % 3), corner.y + spacing * (i / 3 % 3), corner.z + spacing * (i / 9)});
  }
  return set;
}

/// A floor, a heavy block that things are tied to, and boxes.
Scene yard() {
  Scene scene = test::scene_of({test::plane(), test::box("block", {0, 3, 0.5})});
  for (int i = 0; i < 4; ++i) scene.add_body(test::box("box" + std::to_string(i), {2.0 + 0.1 * i, 0, 0.6 + 1.05 * i}));
  return scene;
}

/// With a snake above the boxes and a rope on the block.
Scene lived_in() {
  Scene scene = yard();
  scene.add_articulation(snake(), at(2, 5.5));
  scene.add_particles(rope("rope", {0, 3, 1.2}, 1));
  return scene;
}

TEST(ComeAndGo, what_comes_before_the_first_step_is_as_if_the_scene_had_it) {
  Scene whole = lived_in();
  whole.add_particles(water("water", {-2, 0, 0.1}));
  World from_scene(whole, test::cpu());
  World world(yard(), test::cpu());
  const ArticulationHandle arms = world.articulations().add(snake(), at(2, 5.5));
  const ParticlesHandle tied = world.particles().add(rope("rope", {0, 3, 1.2}, 1));
  world.particles().add(water("water", {-2, 0, 0.1}));
  EXPECT_EQ(world.articulations().find("snake"), arms);
  EXPECT_EQ(world.particles().find("rope"), tied);
  EXPECT_EQ(world.particles().list().size(), 2u);
  EXPECT_EQ(test::hashes_of(world, 60), test::hashes_of(from_scene, 60));
  EXPECT_EQ(world.particles().constraint_forces(tied),
            from_scene.particles().constraint_forces(from_scene.particles().list()[0]));
  EXPECT_EQ(world.state(arms).q, from_scene.state(from_scene.articulations().list()[0]).q);
}

TEST(ComeAndGo, those_that_are_there_go_on_as_they_were) {
  World alone(lived_in(), test::cpu()), world(lived_in(), test::cpu());
  const ArticulationHandle arms = world.articulations().list()[0];
  const ParticlesHandle tied = world.particles().list()[0];
  const std::vector<double> forces(alone.state(alone.articulations().list()[0]).v.size(), 0.02);
  for (World* w : {&alone, &world}) {
    w->articulations().set_forces(w->articulations().list()[0], forces);
    test::run(*w, 20);
  }
  const std::size_t bodies = alone.body_count();
  // far from all that is there
  const ArticulationHandle other = world.articulations().add(snake("other"), at(50, 1));
  const ParticlesHandle sheet = world.particles().add(water("water", {60, 0, 0.1}));
  const auto same = [&] {
    const std::vector<BodyState> a = test::states(alone), b = test::states(world);
    for (std::size_t i = 0; i < bodies; ++i) EXPECT_EQ(a[i], b[i]) << i;
    EXPECT_EQ(alone.state(alone.articulations().list()[0]).q, world.state(arms).q);
  };
  test::run(alone, 20);
  test::run(world, 20);
  same();
  EXPECT_EQ(alone.particles().constraint_forces(alone.particles().list()[0]),
            world.particles().constraint_forces(tied));
  world.articulations().remove(other);
  world.particles().remove(sheet);
  EXPECT_EQ(world.body_count(), bodies);
  test::run(alone, 20);
  test::run(world, 20);
  same();
}

TEST(ComeAndGo, handles_are_stale_when_what_they_stand_for_is_gone) {
  World world(lived_in(), test::cpu());
  const ArticulationHandle arms = world.articulations().list()[0];
  const ParticlesHandle tied = world.particles().list()[0];
  const std::vector<BodyHandle> particles = world.bodies(tied);
  const BodyHandle link = world.bodies(arms)[0];
  test::run(world, 5);
  world.articulations().remove(arms);
  world.particles().remove(tied);
  EXPECT_FALSE(world.alive(arms) || world.alive(tied) || world.alive(link) || world.alive(particles[3]));
  EXPECT_TRUE(world.articulations().list().empty() && world.particles().list().empty());
  EXPECT_EQ(world.arrays().articulation_rows().coordinates, 0u);
  EXPECT_THROW((void)world.state(arms), InvalidArgument);
  EXPECT_THROW((void)world.bodies(tied), InvalidArgument);
  EXPECT_THROW(world.articulations().remove(arms), InvalidArgument);
  EXPECT_THROW(world.particles().remove(tied), InvalidArgument);
  test::run(world, 5);
  const ArticulationHandle next = world.articulations().add(snake(), at(2, 5.5));
  const ParticlesHandle again = world.particles().add(rope("rope", {0, 3, 1.2}, 1));
  EXPECT_EQ(next.index, arms.index);
  EXPECT_EQ(again.index, tied.index);
  EXPECT_FALSE(world.alive(arms) || world.alive(tied));
  EXPECT_TRUE(world.alive(next) && world.alive(again));
  test::run(world, 30);
  EXPECT_TRUE(test::sound(world));
}

TEST(ComeAndGo, handles_are_those_of_a_snapshot_once_it_is_restored) {
  World world(yard(), test::cpu());
  const ArticulationHandle arms = world.articulations().add(snake(), at(2, 5.5));
  const ParticlesHandle tied = world.particles().add(rope("rope", {0, 3, 1.2}, 1));
  test::run(world, 3);
  const Snapshot there = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  world.articulations().remove(arms);
  world.particles().remove(tied);
  const ArticulationHandle since = world.articulations().add(snake("since"), at(40, 3));
  const ParticlesHandle after = world.particles().add(water("water", {-2, 0, 0.1}));
  world.restore(there);
  EXPECT_FALSE(world.alive(since) || world.alive(after));
  EXPECT_TRUE(world.alive(arms) && world.alive(tied));
  const World other(there, test::cpu());
  EXPECT_TRUE(other.alive(arms) && other.alive(tied));
}

// sets of two worlds, each with one of its own, and then one more in the first
TEST(ComeAndGo, batches_of_unlike_sets_go_through_bytes) {
  Scene a = yard(), b = yard();
  a.add_particles(rope("rope", {0, 3, 1.2}, 1));
  b.add_particles(rope("cord", {0.1, 3, 1.2}, 1));
  World world(std::vector<Scene>{a, b}, test::cpu());
  world.particles().add(rope("tail", {0, 3, 1.3}, 1), 0);
  world.articulations().add(snake(), at(2, 5.5), 1);
  world.articulations().add(snake("other"), at(2, 5.5), 0);
  test::run(world, 2);
  const Snapshot there = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  World other(there, test::cpu());
  EXPECT_EQ(test::hashes_of(other, 5), test::hashes_of(world, 5));
}

// what was restored keeps its pairs apart beside those that come after it, before any step
TEST(ComeAndGo, pairs_that_ignore_each_other_have_room_after_a_restore) {
  Scene scene = yard();
  scene.add_particles(particles_test::sheet(12, 0.1, 3, {1e-5f, 0.1f, 0}, {0.1f, 0.01f, 0}));
  World first(scene, test::cpu());
  World world(first.snapshot(), test::cpu());
  ParticleSet more = particles_test::sheet(12, 0.1, 6, {1e-5f, 0.1f, 0}, {0.1f, 0.01f, 0});
  more.name = "more";
  for (World* w : {&first, &world}) {
    w->particles().add(more);
    w->restore(w->snapshot(), 0, 0);
    w->ignore(w->bodies()[1], w->bodies()[2]);
  }
  EXPECT_EQ(test::hashes_of(world, 10), test::hashes_of(first, 10));
}

TEST(ComeAndGo, a_reset_brings_back_what_there_is_now) {
  World world(yard(), test::cpu());
  test::run(world, 10);
  const ArticulationHandle arms = world.articulations().add(snake(), at(2, 5.5));
  const ArticulationState start = world.state(arms);
  test::run(world, 20);
  EXPECT_NE(world.state(arms).q, start.q);
  world.reset();
  EXPECT_EQ(world.state(arms).q, start.q);
}

TEST(ComeAndGo, refuses_by_name) {
  World world(lived_in(), test::cpu());
  const std::uint64_t before = world.state_hash();
  const auto refused = [&](auto call, const char* what) { EXPECT_TRUE(test::refuses(call, {what})); };
  refused([&] { world.articulations().add(snake()); }, "articulation \"snake\": the name is taken");
  refused([&] { world.articulations().add({.name = "none"}); }, "none");
  refused([&] { world.particles().add(rope("rope", {0, 3, 1.2}, 1)); }, "particles \"rope\": the name is taken");
  refused([&] { world.particles().add(rope("other", {0, 3, 1.2}, 999)); }, "attachment 0: there is no body 999");
  const std::uint32_t link = world.index_of(world.bodies(world.articulations().list()[0])[1]);
  refused([&] { world.particles().add(rope("other", {0, 3, 1.2}, link)); }, "is a link");
  refused([&] { world.particles().add({.name = "empty"}); }, "empty");
  refused([&] { world.remove_body(world.bodies(world.articulations().list()[0])[1]); },
          "is a link of articulation \"snake\"");
  world.particles().add(water("water", {-2, 0, 0.1}));
  refused(
      [&] {
        world.particles().add(water("finer", {-3, 0, 0.1}, 0.05f));
      },
      "spacing must be that of the fluid \"water\"");
  world.particles().remove(*world.particles().find("water"));
  EXPECT_EQ(world.state_hash(), before);
  World scaled(yard(), test::cpu());
  scaled.scales().set({.size = 1.1f}, 0);
  refused([&] { scaled.particles().add(rope("rope", {0, 3, 1.2}, 1)); }, "scales");
}

TEST(ComeAndGo, what_sleeps_on_an_articulation_falls_when_it_goes) {
  World world(test::scene_of({test::plane()}, test::with_sleeping()), test::cpu());
  Articulation slab{.name = "slab", .links = {articulations_test::block("root", {0.6f, 0.6f, 0.2f}, 50)}};
  slab.links[0].joint.kind = ArticulationJointKind::kFree;
  const ArticulationHandle under = world.articulations().add(slab, {{0, 0, 0.2, 0, 0, 0, 1}, {}});
  const BodyHandle box = world.add_body(test::box("on it", {0, 0, 0.9}));
  for (int i = 0; i < 900 && !world.asleep(box); ++i) world.step();
  ASSERT_TRUE(world.asleep(box));
  const double height = world.state(box).position.z;
  world.articulations().remove(under);
  EXPECT_FALSE(world.asleep(box));
  test::run(world, 60);
  EXPECT_NEAR(world.state(box).position.z, height - 0.4, 0.01);
}

}  // namespace
}  // namespace cairn::world_test
