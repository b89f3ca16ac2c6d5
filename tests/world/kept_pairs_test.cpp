// A World keeps pairs from step to step. One that has just been made of its snapshot has none: both must go on alike,
// whatever is done to the World in between.

#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "cairn/world.h"

namespace cairn::world_test {
namespace {

Body block(std::mt19937& random, double x, double z) {
  Body body;
  body.position = {x, std::uniform_real_distribution<double>(-0.1, 0.1)(random), z};
  body.shapes.push_back({.geometry = Box{{0.5f, 0.5f, 0.5f}}});
  body.mass = 1000;
  return body;
}

/// Columns of blocks on a plane, beside each other.
Scene columns(std::uint32_t seed, int count) {
  std::mt19937 random(seed);
  Scene scene;
  Body floor{.name = "floor", .type = BodyType::kStatic};
  floor.shapes.push_back({.geometry = Plane{}});
  scene.add_body(floor);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) scene.add_body(block(random, 1.04 * i, 0.5 + k));
  }
  return scene;
}

void expect_goes_on_like_a_new_one(World& world, const std::string& what) {
  World fresh(world.snapshot(), {.device = Device::cpu(1)});
  world.step();
  fresh.step();
  ASSERT_EQ(world.report().pairs, fresh.report().pairs) << what;
  ASSERT_EQ(world.state_hash(), fresh.state_hash()) << what;
}

TEST(KeptPairs, are_those_of_a_new_world_whatever_was_done) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    // worlds of one cell, and one of many
    std::vector<Scene> scenes = {columns(seed, 4), columns(seed + 1, 2), columns(seed + 2, 50)};
    WorldOptions options{.device = Device::cpu(seed % 2 == 0 ? 1 : 3)};
    options.tuning.small_world = seed % 3 == 0 ? 0 : 128;
    World world(scenes, options);
    std::vector<Snapshot> kept;
    for (int step = 0; step < 60; ++step) {
      const std::vector<BodyHandle> bodies = world.bodies();
      const BodyHandle body = bodies[pick(bodies.size())];
      const std::uint32_t in = pick(world.world_count());
      const std::function<void()> edits[] = {
          [&] { world.add_body(block(random, pick(4), 0.5 + 3 + pick(2)), in); },
          [&] { world.remove_body(body); },
          [&] { world.set_enabled(body, pick(2) == 0); },
          [&] {
            // most likely the floor
            if (const std::vector<BodyHandle> of = world.bodies(in); !of.empty())
              world.set_enabled(of[0], pick(2) == 0);
          },
          [&] { world.set_filter(body, {.category = 1, .mask = pick(2) == 0 ? 0u : ~0u, .group = 0}); },
          [&] {
            if (const std::vector<BodyHandle> of = world.bodies(in); of.size() > 2)
              world.ignore(of[1 + pick(of.size() - 1)], of[0], pick(2) == 0);
          },
          [&] { kept.push_back(world.snapshot()); },
          [&] {
            if (!kept.empty()) world.restore(kept[pick(kept.size())]);
          },
          [&] { world.reset(in); },
          [&] {
            if (world.description(body).type == BodyType::kDynamic) world.set_velocity(body, {20, 0, 5}, {});
          },
          [&] {
            // fewer worlds, and the same again
            kept.push_back(world.snapshot());
            world.restore(World(columns(seed, 3), {.device = Device::cpu(1)}).snapshot());
            expect_goes_on_like_a_new_one(world, "fewer");
            world.step();
            world.restore(kept.back());
          },
          [&] {
            const BodyHandle made = world.add_body(block(random, 0, 3.5), in);
            kept.push_back(world.snapshot());
            for (int k = 0; k < 3; ++k) world.step();
            world.remove_body(made);
          }};
      const std::uint32_t what = step % 3 == 2 ? pick(std::size(edits)) : 99;
      if (what < std::size(edits)) edits[what]();
      ASSERT_NO_FATAL_FAILURE(expect_goes_on_like_a_new_one(
          world, "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ", " + std::to_string(what)));
    }
  }
}

// what is behind the end of a smaller snapshot may come back as something else
TEST(KeptPairs, outlast_no_restore_of_fewer_bodies) {
  std::mt19937 random(1);
  World world(columns(1, 3), {.device = Device::cpu(1)});
  for (int k = 0; k < 20; ++k) world.step();
  const Snapshot small = world.snapshot();
  world.add_body(block(random, 1.04, 3.5));
  for (int k = 0; k < 20; ++k) world.step();
  const Snapshot large = world.snapshot();
  for (int round = 0; round < 3; ++round) {
    for (const Snapshot* from : {&small, &large}) {
      world.restore(*from);
      const std::string what = (from == &small ? "small, round " : "large, round ") + std::to_string(round);
      for (int k = 0; k < 3; ++k) ASSERT_NO_FATAL_FAILURE(expect_goes_on_like_a_new_one(world, what));
    }
  }
}

}  // namespace
}  // namespace cairn::world_test
