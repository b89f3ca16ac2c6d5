// Constraints and sleep, and what a World does with its sets.

#include <gtest/gtest.h>

#include "cairn/world_scales.h"
#include "tests/particles/sets.h"

namespace cairn::particles_test {
namespace {

TEST(Constraints, put_their_particles_to_sleep_together_and_wake_them) {
  struct Case {
    StepParams params;
    ParticleSet set;
    int steps;
  };
  for (Case c : {Case{params_of(kMethods[2], 6, 2), cube({0, 0, 0.06}, {1e-4f, 10, 0}, {1e-7f, 0, 0}), 300},
                 Case{params_of(kMethods[0], 10, 2), lattice(3, 0.2, {0, 0, 0.1}, {1e-5f, 20, 0}, true), 600}}) {
    c.params.sleeping = true;
    Scene scene = test::scene_of({test::plane()}, c.params);
    scene.add_particles(c.set);
    World world(scene, test::cpu());
    for (int i = 0; i < c.steps; ++i) world.step();
    ASSERT_EQ(world.report().asleep, c.set.positions.size()) << c.set.name;
    world.set_velocity(bodies_of(world).back(), {1, 0, 0}, {0, 0, 0});
    world.step();
    EXPECT_EQ(world.report().asleep, 0u) << c.set.name;
  }
}

// What holds a rope goes, or is put elsewhere: the rope wakes.
TEST(Constraints, wake_what_they_hold_to_what_is_moved) {
  for (const bool removed : {true, false}) {
    StepParams params = params_of(kMethods[0], 20, 4);
    params.sleeping = true;
    World world(alone(Rope{.particles = 4, .length = 1}.set(), params), test::cpu());
    for (int i = 0; i < 600; ++i) world.step();
    ASSERT_EQ(world.report().asleep, 4u);
    const std::vector<BodyHandle> bodies = bodies_of(world);
    if (removed) {
      world.remove_body(bodies[0]);
    } else {
      world.set_pose(bodies[0], {0, 0, 0.5}, {});
    }
    for (int i = 0; i < 30; ++i) world.step();
    EXPECT_EQ(world.report().asleep, 0u) << removed;
    EXPECT_GT(std::abs(world.state(bodies[4]).position.z + 1), 0.1) << removed;
  }
}

TEST(Constraints, go_with_the_particles_that_they_hold) {
  const Rope rope{.particles = 4, .length = 1};
  World world(alone(rope.set(), params_of(kMethods[0], 10, 4)), test::cpu());
  for (int i = 0; i < 30; ++i) world.step();
  const std::vector<BodyHandle> bodies = bodies_of(world);
  world.remove_body(bodies[2]);
  // who takes its slot has nothing to do with the rope
  const BodyHandle other = world.add_body(test::ball("other", {5, 0, 0}, 0.1f));
  for (int i = 0; i < 60; ++i) world.step();
  const std::vector<float> forces = forces_of(world);
  EXPECT_NEAR(forces[0], rope.weight(1.0 / 600), 1e-4);
  EXPECT_EQ(forces[1], 0);
  EXPECT_EQ(forces[2], 0);
  EXPECT_NEAR(forces[3], 0, 1e-4) << "the rest falls, and nothing pulls at it";
  EXPECT_NEAR(world.state(other).position.z, -0.5 * kG, 0.1);
  EXPECT_EQ(bodies_of(world)[2], BodyHandle{});
}

TEST(Constraints, are_refused_by_name_where_they_break_a_rule) {
  const auto message = [](const auto& change) {
    Scene scene;
    scene.add_body(test::plane());
    ParticleSet set = Rope{.particles = 3}.set();
    change(set);
    const std::size_t bodies = scene.bodies().size();
    const std::string refused = test::refusal_of([&] { scene.add_particles(set); });
    EXPECT_EQ(scene.bodies().size(), bodies) << "nothing is changed";
    EXPECT_TRUE(scene.ignored().empty());
    return refused;
  };
  using Set = ParticleSet&;
  EXPECT_EQ(message([](Set s) { s.name = ""; }), "particles \"\": name must not be empty");
  EXPECT_EQ(message([](Set s) { s.positions.clear(); }), "particles \"rope\": positions must have at least one");
  EXPECT_EQ(message([](Set s) { s.constraints[0].particles[3] = 4; }),
            "particles \"rope\": particles must be the index of a particle (there are 4), is 4");
  EXPECT_EQ(message([](Set s) { s.constraints[0].particles[1] = 0; }),
            "particles \"rope\": particles must be different ones");
  EXPECT_EQ(message([](Set s) { s.constraints[0].particles.pop_back(); }),
            "particles \"rope\": particles must be 2 for each constraint");
  EXPECT_EQ(message([](Set s) { s.constraints[0].law.stiffness = 0.5f; }),
            "particles \"rope\": stiffness must be 0 where there is a compliance or damping: it is of plain PBD, which "
            "knows neither");
  EXPECT_EQ(message([](Set s) { s.constraints[0].rest[0] = std::nanf(""); }),
            "particles \"rope\": rest must be finite, is nan");
  EXPECT_EQ(message([](Set s) { s.fixed = {9}; }),
            "particles \"rope\": fixed must be the index of a particle (there are 4), is 9");
  EXPECT_EQ(message([](Set s) {
              s.attachments = {{0, 7, {}}};
            }),
            "particles \"rope\", attachment 0: body must be the index of a body (there are 1), is 7");
}

TEST(Constraints, are_refused_by_scales_of_size) {
  World world(alone(Rope{.particles = 3}.set(), {}), test::cpu());
  EXPECT_THROW(world.scales().set(Scales{.size = 2}, 0), InvalidArgument);
}

}  // namespace
}  // namespace cairn::particles_test
