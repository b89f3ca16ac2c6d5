// A World keeps pairs from step to step. One that has just been made of its snapshot has none: both must go on alike,
// whatever is done to the World in between.

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
    const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    // worlds of one cell, and one of many
    std::vector<Scene> scenes = {columns(seed, 4), columns(seed + 1, 2), columns(seed + 2, 50)};
    WorldOptions options{.device = Device::cpu(seed % 2 == 0 ? 1 : 3)};
    options.tuning.small_world = seed % 3 == 0 ? 0 : 128;
    World world(scenes, options);
    std::vector<Snapshot> kept;
    for (int step = 0; step < 60; ++step) {
      const std::vector<BodyHandle> bodies = world.bodies();
      const BodyHandle body = bodies[pick(static_cast<std::uint32_t>(bodies.size()))];
      const std::uint32_t in = pick(world.world_count());
      const std::uint32_t what = step % 3 == 2 ? pick(12) : 99;
      switch (what) {
        case 0:
          world.add_body(block(random, pick(4), 0.5 + 3 + pick(2)), in);
          break;
        case 1:
          world.remove_body(body);
          break;
        case 2:
          world.set_enabled(body, pick(2) == 0);
          break;
        case 3:
          // most likely the floor
          for (const BodyHandle floor : world.bodies(in)) {
            world.set_enabled(floor, pick(2) == 0);
            break;
          }
          break;
        case 4:
          world.set_filter(body, {.category = 1, .mask = pick(2) == 0 ? 0u : ~0u, .group = 0});
          break;
        case 5:
          if (const std::vector<BodyHandle> of = world.bodies(in); of.size() > 2) {
            world.ignore(of[1 + pick(static_cast<std::uint32_t>(of.size()) - 1)], of[0], pick(2) == 0);
          }
          break;
        case 6:
          kept.push_back(world.snapshot());
          break;
        case 7:
          if (!kept.empty()) world.restore(kept[pick(static_cast<std::uint32_t>(kept.size()))]);
          break;
        case 8:
          world.reset(in);
          break;
        case 9:
          if (world.description(body).type == BodyType::kDynamic) world.set_velocity(body, {20, 0, 5}, {});
          break;
        case 10:
          // fewer worlds, and the same again
          kept.push_back(world.snapshot());
          world.restore(World(columns(seed, 3), {.device = Device::cpu(1)}).snapshot());
          expect_goes_on_like_a_new_one(world, "fewer");
          world.step();
          world.restore(kept.back());
          break;
        case 11: {
          const BodyHandle made = world.add_body(block(random, 0, 3.5), in);
          kept.push_back(world.snapshot());
          for (int k = 0; k < 3; ++k) world.step();
          world.remove_body(made);
          break;
        }
        default:
          break;
      }
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
    world.restore(small);
    for (int k = 0; k < 3; ++k) {
      ASSERT_NO_FATAL_FAILURE(expect_goes_on_like_a_new_one(world, "small, round " + std::to_string(round)));
    }
    world.restore(large);
    for (int k = 0; k < 3; ++k) {
      ASSERT_NO_FATAL_FAILURE(expect_goes_on_like_a_new_one(world, "large, round " + std::to_string(round)));
    }
  }
}

}  // namespace
}  // namespace cairn::world_test
