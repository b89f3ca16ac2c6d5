// The same bits of particles for any number of threads and in any batch; sleep; what a World does with its sets.

#include <gtest/gtest.h>

#include "tests/constraints/sets.h"
#include "tests/support/same_bits.h"

namespace cairn::constraints_test {
namespace {

/// A sheet that falls on a box, a cube beside it, and a rope that holds a crate.
Scene scene_of(const Method& method) {
  Scene scene;
  scene.set_params(params_of(method, 4, 2));
  scene.add_body(test::plane());
  scene.add_body(test::box("box", {0, 0, 0.5}));
  Body crate = test::body("crate", Box{{0.2f, 0.2f, 0.2f}}, {3, 0, 1.3});
  crate.mass = 2.0f;
  const std::uint32_t held = scene.add_body(crate);
  scene.add_particles(sheet(12, 0.15, 1.2, {1e-5f, 0.1f, 0}, {0.1f, 0.01f, 0}));
  scene.add_particles(cube({-2, 0, 0.3}, {1e-4f, 1, 0}, {1e-7f, 0, 0}));
  ParticleSet rope = Rope{.particles = 10, .length = 1}.set();
  for (Vec3d& p : rope.positions) p = {3, 0, p.z + 2.5};
  rope.attachments = {{10, held, {1e-6f, 0, 0}}};
  scene.add_particles(rope);
  return scene;
}

class ConstraintBits : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, ConstraintBits, testing::ValuesIn(kMethods),
                         [](const auto& method) { return std::string(method.param.name); });

TEST_P(ConstraintBits, are_the_same_for_any_threads_and_batch) {
  test::expect_same_bits(scene_of(GetParam()), 60, [](const World& one, const World& other, std::uint32_t world) {
    ASSERT_EQ(other.particles(world).size(), 3u);
    EXPECT_EQ(other.constraint_forces(other.particles(world)[1]), one.constraint_forces(one.particles()[1]));
  });
}

TEST(Constraints, put_their_particles_to_sleep_together_and_wake_them) {
  Scene scene;
  StepParams params = params_of(kMethods[2], 6, 2);
  params.sleeping = true;
  scene.set_params(params);
  scene.add_body(test::plane());
  scene.add_particles(cube({0, 0, 0.06}, {1e-4f, 10, 0}, {1e-7f, 0, 0}));
  World world(scene, test::cpu());
  for (int i = 0; i < 300; ++i) world.step();
  EXPECT_EQ(world.report().asleep, 8u);
  const std::vector<BodyHandle> corners = world.bodies(world.particles()[0]);
  world.set_velocity(corners[7], {1, 0, 0}, {0, 0, 0});
  world.step();
  EXPECT_EQ(world.report().asleep, 0u);
}

// What holds a rope goes, or is put elsewhere: the rope wakes.
TEST(Constraints, wake_what_they_hold_to_what_is_moved) {
  for (const bool removed : {true, false}) {
    Scene scene;
    StepParams params = params_of(kMethods[0], 20, 4);
    params.sleeping = true;
    scene.set_params(params);
    scene.add_particles(Rope{.particles = 4, .length = 1}.set());
    World world(scene, test::cpu());
    for (int i = 0; i < 600; ++i) world.step();
    ASSERT_EQ(world.report().asleep, 4u);
    const std::vector<BodyHandle> bodies = world.bodies(world.particles()[0]);
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
  Scene scene;
  scene.set_params(params_of(kMethods[0], 10, 4));
  scene.add_particles(rope.set());
  World world(scene, test::cpu());
  for (int i = 0; i < 30; ++i) world.step();
  const std::vector<BodyHandle> bodies = world.bodies(world.particles()[0]);
  world.remove_body(bodies[2]);
  // who takes its slot has nothing to do with the rope
  const BodyHandle other = world.add_body(test::ball("other", {5, 0, 0}, 0.1f));
  for (int i = 0; i < 60; ++i) world.step();
  const std::vector<float> forces = world.constraint_forces(world.particles()[0]);
  EXPECT_NEAR(forces[0], rope.weight(1.0 / 600), 1e-4);
  EXPECT_EQ(forces[1], 0);
  EXPECT_EQ(forces[2], 0);
  EXPECT_NEAR(forces[3], 0, 1e-4) << "the rest falls, and nothing pulls at it";
  EXPECT_NEAR(world.state(other).position.z, -0.5 * kG, 0.1);
  EXPECT_EQ(world.bodies(world.particles()[0])[2], BodyHandle{});
}

TEST(Constraints, are_refused_by_name_where_they_break_a_rule) {
  const auto message = [](const auto& change) -> std::string {
    Scene scene;
    scene.add_body(test::plane());
    ParticleSet set = Rope{.particles = 3}.set();
    change(set);
    const std::size_t bodies = scene.bodies().size();
    try {
      scene.add_particles(set);
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(scene.bodies().size(), bodies) << "nothing is changed";
      EXPECT_TRUE(scene.ignored().empty());
      return error.what();
    }
    return "none";
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
  EXPECT_EQ(message([](Set s) { s.constraints[0].law.compliance = -1; }),
            "particles \"rope\": compliance must be between 0 and 1e6, is -1");
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
  EXPECT_EQ(message([](Set s) { s.mass = 0; }), "particles \"rope\": mass must be over 0, is 0");
}

// Saved and gone on, in a file, in another place of a batch, and with particles missing: the same bits.
TEST_P(ConstraintBits, go_on_from_a_snapshot) {
  const Scene scene = scene_of(GetParam());
  World world(scene, test::cpu(2));
  world.remove_body(world.bodies(world.particles()[0])[5]);
  for (int i = 0; i < 20; ++i) world.step();
  const Snapshot kept = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  for (int i = 0; i < 20; ++i) world.step();
  World back(kept, test::cpu(1));
  World batch = World::copies(scene, 3, test::cpu(1));
  for (int i = 0; i < 20; ++i) batch.step();
  batch.restore(kept, 0, 1);
  EXPECT_EQ(batch.bodies(batch.particles(1)[0])[5], BodyHandle{});
  for (int i = 0; i < 20; ++i) {
    back.step();
    batch.step();
  }
  EXPECT_EQ(back.state_hash(), world.state_hash());
  EXPECT_EQ(batch.state_hashes()[1], world.state_hash());
  EXPECT_EQ(batch.state_hashes()[0], batch.state_hashes()[2]);
  EXPECT_EQ(back.constraint_forces(back.particles()[2]), world.constraint_forces(world.particles()[2]));
  EXPECT_EQ(back.description(back.particles()[1]), scene.particles()[1].description);
  // into a world of none, and back to none
  World bare(test::scene_of({test::plane()}, scene.params()), test::cpu(1));
  const Snapshot nothing = bare.snapshot();
  bare.restore(kept);
  for (int i = 0; i < 20; ++i) bare.step();
  EXPECT_EQ(bare.state_hash(), world.state_hash());
  bare.restore(nothing);
  EXPECT_TRUE(bare.particles().empty());
  bare.step();
}

TEST(Constraints, take_as_much_memory_as_estimated) {
  const Scene scene = scene_of(kMethods[0]);
  for (const std::uint32_t worlds : {1u, 3u}) {
    World world = World::copies(scene, worlds, test::cpu(1));
    const std::uint64_t estimated = estimate_memory(scene, worlds, test::cpu(1));
    world.step();
    EXPECT_EQ(world.memory_bytes(), estimated) << worlds;
  }
}

TEST(Constraints, are_refused_by_scales_of_size) {
  Scene scene;
  scene.add_particles(Rope{.particles = 3}.set());
  World world(scene, test::cpu());
  EXPECT_THROW(world.set_scales(Scales{.size = 2}, 0), InvalidArgument);
}

}  // namespace
}  // namespace cairn::constraints_test
