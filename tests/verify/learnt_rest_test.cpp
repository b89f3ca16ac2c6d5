// What was built stays where it was put, and what is taken off it leaves no kick.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "tests/support/builders.h"

namespace cairn::verify {
namespace {

namespace test = testing_support;

constexpr double kG = 9.81;  ///< [m/s^2]

/// Unit boxes of 1000 kg, the top one of `load` times as much.
Scene tower(int height, float load) {
  Scene scene = test::tower(height - 1);
  Body top = test::box("top", {0, 0, height - 0.5});
  top.mass = load * 1000.0f;
  scene.add_body(top);
  return scene;
}

/// [m] Of the deepest point of each contact, in the order of the bodies.
std::vector<double> depths(const World& world) {
  std::vector<double> found;
  for (const Contact& contact : world.contacts()) {
    double depth = 0;
    for (int j = 0; j < contact.count; ++j) {
      depth = std::max(depth, -double{contact.points[static_cast<std::size_t>(j)].separation});
    }
    found.push_back(depth);
  }
  return found;
}

TEST(LearntRest, halves_what_a_tower_of_40_sinks_into_itself) {
  constexpr int kHeight = 40;
  World one(tower(2, 1.0f), test::cpu()), world(tower(kHeight, 1.0f), test::cpu());
  test::run(one, 240);
  test::run(world, 240);
  // a contact sinks in by what it carries: the upper of two carries one box, those of the tower 40, 39 and so on to one
  const double sunk = depths(one).back() * kHeight * (kHeight + 1) / 2;
  double left = 0;
  for (const double depth : depths(world)) left += depth;
  EXPECT_LT(left, 0.55 * sunk);
}

TEST(LearntRest, kicks_no_more_than_springs_do_when_a_load_is_taken_off) {
  for (const float load : {1.0f, 5.0f, 20.0f}) {
    World one(tower(2, 1.0f), test::cpu()), world(tower(20, load), test::cpu());
    test::run(one, 240);
    test::run(world, 240);
    // a chain of masses m on springs k that lose F at their end moves at F / sqrt(k m); m g / k is what one sinks in
    const double rebound = load * std::sqrt(kG * depths(one).back());
    world.remove_body(world.bodies().back());
    double fastest = 0;
    for (int i = 0; i < 600; ++i) {
      world.step();
      for (const BodyHandle body : world.bodies()) {
        fastest = std::max(fastest, std::abs(double{world.state(body).linear_velocity.z}));
      }
    }
    EXPECT_LT(fastest, rebound + 0.02) << load;
    // nor does anything go on standing on what it had learnt
    for (const Contact& contact : world.contacts()) {
      for (int j = 0; j < contact.count; ++j) {
        const Contact::Point& point = contact.points[static_cast<std::size_t>(j)];
        EXPECT_TRUE(point.impulse == 0.0f || point.separation < 1e-5f) << load << ": " << point.separation;
      }
    }
  }
}

TEST(LearntRest, of_each_world_of_a_batch_is_what_it_is_alone) {
  // the rows of all share packs; a box finds its impulses in a few rounds, a tower of 30 not in all there are
  std::vector<Scene> scenes;
  for (const int height : {1, 30, 2, 5, 1, 12, 3, 30}) scenes.push_back(tower(height, 4.0f));
  World batch(scenes, {.device = Device::cpu(3)});
  test::run(batch, 30);
  for (std::uint32_t w = 0; w < batch.world_count(); ++w) {
    World alone(scenes[w], test::cpu());
    test::run(alone, 30);
    const auto some = batch.bodies(w), same = alone.bodies();
    for (std::size_t i = 0; i < same.size(); ++i) {
      const BodyState a = batch.state(some[i]), b = alone.state(same[i]);
      EXPECT_EQ(a.position.z, b.position.z) << w;
      EXPECT_EQ(a.linear_velocity.z, b.linear_velocity.z) << w;
    }
  }
}

TEST(LearntRest, outlasts_sleep) {
  Scene scene = tower(30, 1.0f);
  StepParams params = scene.params();
  params.sleeping = true;
  params.sleep_speed = 0.002f;  // or it falls asleep while it still rings
  params.sleep_time = 0.5f;
  scene.set_params(params);
  World world(scene, test::cpu());
  const BodyHandle top = world.bodies().back();
  test::run(world, 900);
  ASSERT_TRUE(world.asleep(top));
  const double height = world.state(top).position.z;
  // what falls onto it wakes it in the middle of a step
  Body pebble = test::ball("pebble", {0, 0, 30.8});
  pebble.mass = 1.0f;
  world.add_body(pebble);
  int awake = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    awake += world.asleep(top) ? 0 : 1;
  }
  EXPECT_GT(awake, 0);
  // what it had learnt was some mm
  EXPECT_NEAR(world.state(top).position.z, height, 5e-4);
}

}  // namespace
}  // namespace cairn::verify
