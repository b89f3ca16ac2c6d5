// World k of a batch and the same world alone give the same bits, whatever the batch is made of.

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "tests/batch/alone.h"
#include "tests/support/golden.h"
#include "tests/support/long_run.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

constexpr int kSteps = 60;

/// Scenes of all kinds and sizes, each with a gravity of its own, solved as the variant says.
std::vector<Scene> scenes_of(const Variant& variant) {
  std::vector<Scene> scenes;
  for (const char* spec : specs_of(variant)) {
    // every other world bounces and resists rolling, its neighbours don't
    const bool lively = variant.lively && scenes.size() % 2 == 0;
    Scene scene = with_materials(scenes::make(spec, scenes.size() + 1), lively);
    scene.name = spec;
    scene.set_params(variant.change(StepParams{}));
    scene.set_gravity({0.1f * static_cast<float>(scenes.size()), 0, -9.81f});
    scenes.push_back(std::move(scene));
  }
  return scenes;
}

/// Steps a world, and hands it to `each` before each step.
std::vector<std::uint64_t> run_hashes(World& world, int steps, const std::function<void(int)>& each = {}) {
  for (int i = 0; i < steps; ++i) {
    if (each) each(i);
    world.step();
  }
  return world.state_hashes();
}

std::vector<std::uint64_t> alone(const std::vector<Scene>& scenes, int steps) {
  std::vector<std::uint64_t> hashes;
  for (const Scene& scene : scenes) {
    World world(scene, cpu(1));
    hashes.push_back(run_hashes(world, steps).at(0));
  }
  return hashes;
}

class Batch : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Batch, testing::ValuesIn(kVariants), name_of_variant);

TEST_P(Batch, worlds_have_the_bits_that_they_have_alone_in_any_order_and_cut) {
  const std::vector<Scene> scenes = scenes_of(GetParam());
  const auto wanted = alone(scenes, kSteps);
  for (const int threads : {1, 3}) {
    World all(scenes, cpu(threads));
    EXPECT_EQ(run_hashes(all, kSteps), wanted) << threads << " threads";
    EXPECT_EQ(all.report().status, 0u);
  }
  std::vector<std::size_t> order(scenes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (std::size_t first = 0; first < order.size(); first += 4) {
    std::vector<Scene> part;
    for (std::size_t i = first; i < std::min(first + 4, order.size()); ++i) part.push_back(scenes[order[i]]);
    World some(part, cpu(2));
    const auto got = run_hashes(some, kSteps);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], wanted[order[first + i]]) << part[i].name;
  }
}

TEST_P(Batch, worlds_that_are_reset_start_anew_and_the_others_go_on) {
  const std::vector<Scene> scenes = scenes_of(GetParam());
  std::mt19937 random(7);
  std::vector<int> age(scenes.size(), 0);
  World all(scenes, cpu(1));
  const auto got = run_hashes(all, kSteps, [&](int step) {
    // a random third each step; the last are left to run for a while
    std::vector<std::uint8_t> chosen(scenes.size(), 0);
    for (std::size_t w = 0; w < chosen.size(); ++w) chosen[w] = step < kSteps - 20 && random() % 3 == 0;
    all.reset(chosen);
    for (std::size_t w = 0; w < chosen.size(); ++w) age[w] = chosen[w] != 0 ? 1 : age[w] + 1;
  });
  for (std::uint32_t w = 0; w < scenes.size(); ++w) {
    World world(scenes[w], cpu(1));
    EXPECT_EQ(got[w], run_hashes(world, age[w]).at(0)) << scenes[w].name << ", reset " << age[w] << " steps ago";
    EXPECT_EQ(all.report(w).steps, static_cast<std::uint64_t>(age[w]));
    EXPECT_NEAR(all.report(w).time, age[w] / 60.0, 1e-6);
  }
}

// The store keeps a hull once for all worlds, in the order of first use: no result may depend on that order.
TEST(BatchWorlds, hulls_that_another_world_brought_first_make_no_difference) {
  const auto hull = [](float x, float y, float z) {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) {
      const float lean = (i & 4) != 0 ? 0.8f : 1.0f;
      points.push_back({(i & 1) != 0 ? x * lean : -x, (i & 2) != 0 ? y : -y * lean, (i & 4) != 0 ? z : -z});
    }
    return ConvexHull(points);
  };
  const ConvexHull wide = hull(0.6f, 0.5f, 0.2f), tall = hull(0.3f, 0.3f, 0.4f);
  const auto stack = [](const ConvexHull& lower, const ConvexHull& upper) {
    return scene_of({plane(), body("lower", lower, {0, 0, 0.45}), body("upper", upper, {0.05, 0, 1.2})});
  };
  expect_as_alone({stack(tall, wide), stack(wide, tall)}, kSteps);
}

TEST(BatchWorlds, colors_that_live_for_256_steps_do_so_by_each_worlds_own_clock) {
  std::vector<Scene> scenes(3, scenes::make("pile:count=40", 1));
  World all(scenes, cpu(1));
  run_hashes(all, 100);
  all.reset(1);
  run_hashes(all, 400);
  World one(scenes[0], cpu(1));
  EXPECT_EQ(run_hashes(one, 400).at(0), all.state_hashes()[1]);
  EXPECT_EQ(run_hashes(one, 100).at(0), all.state_hashes()[2]);
}

TEST(BatchWorlds, one_of_a_thousand_breaks_and_is_frozen_and_the_others_go_on) {
  const Scene tower = scenes::make("tower:height=3", 1);
  for (const float force : {3e10f, 3e38f}) {
    World all = World::copies(tower, 1000, cpu(2));
    run_hashes(all, 5);
    const std::uint64_t before = all.state_hashes()[500];
    const BodyHandle pushed = all.bodies(500)[2];
    // too fast at the step's end, or not finite at all: two of them add up to more than a float holds
    for (int twice = 0; twice < 2; ++twice) all.add_force(pushed, {force, 0, 0});
    const auto got = run_hashes(all, 20);
    World one(tower, cpu(1));
    const auto wanted = run_hashes(one, 25).at(0);
    for (std::uint32_t w = 0; w < 1000; ++w) {
      ASSERT_EQ(got[w], w == 500 ? before : wanted) << w;
      ASSERT_EQ(all.report(w).status != 0, w == 500) << w;
      ASSERT_EQ(all.report(w).steps, w == 500 ? 5u : 25u) << w;
    }
    EXPECT_EQ(all.report().status, std::uint32_t{force > 1e30f ? kStatusNonFinite : kStatusTooFast});
    EXPECT_EQ(all.world_of(all.report(500).first_bad), 500u);
    // it goes on from where it was, with contacts that start without impulses; or from its start
    all.clear_status();
    const std::uint64_t mended = run_hashes(all, 20).at(500);
    EXPECT_NE(mended, wanted);
    EXPECT_NE(mended, before);
    EXPECT_EQ(all.report(500).steps, 25u);
    EXPECT_EQ(all.report().status, 0u);
    all.reset(500);
    EXPECT_EQ(run_hashes(all, 25)[500], wanted);
  }
}

TEST(BatchWorlds, thousands_of_towers_permuted_split_and_alone) {
  const std::uint32_t worlds = testing_support::is_long() ? 4096 : 1024;
  constexpr std::uint32_t kTowerSteps = 12;
  std::vector<Scene> scenes;
  for (std::uint32_t i = 0; i < worlds; ++i)
    scenes.push_back(scenes::make("tower:height=" + std::to_string(4 + i % 29), i));
  World all(scenes, cpu(2));
  const auto wanted = run_hashes(all, kTowerSteps);
  EXPECT_EQ(alone(scenes, kTowerSteps), wanted);
  std::vector<std::uint32_t> order(worlds);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (std::uint32_t first = 0; first < worlds; first += worlds / 2) {
    std::vector<Scene> half;
    for (std::uint32_t i = 0; i < worlds / 2; ++i) half.push_back(scenes[order[first + i]]);
    World some(half, cpu(1));
    const auto got = run_hashes(some, kTowerSteps);
    for (std::uint32_t i = 0; i < worlds / 2; ++i) ASSERT_EQ(got[i], wanted[order[first + i]]) << order[first + i];
  }
}

TEST(BatchWorlds, a_material_that_no_longer_resists_rolling_leaves_nothing_to_start_from) {
  Scene scene;
  scene.add_material({.name = "felt", .density = 1000, .rolling_friction = 0.05f});
  const Scene rain = scenes::make("rain:count=40", 1);
  for (const Body& body : rain.bodies()) scene.add_body(body);
  const auto change = [](World& world, int step) {
    if (step == 50 || step == 100) {
      Material felt = world.materials(0)[0];
      felt.rolling_friction = step == 50 ? 0.0f : 0.05f;
      world.set_material(0, felt, 0);
    }
  };
  World both = World::copies(scene, 2, cpu(1)), one(scene, cpu(1)), other(scene, cpu(1));
  const auto got = run_hashes(both, 150, [&](int step) { change(both, step); });
  EXPECT_EQ(got[0], run_hashes(one, 150, [&](int step) { change(one, step); }).at(0));
  EXPECT_EQ(got[1], run_hashes(other, 150).at(0));
}

TEST(BatchWorlds, without_bodies_count_their_steps_and_start_over) {
  World none = World::copies(Scene{}, 3, cpu(1));
  none.step();
  none.reset(1);
  EXPECT_EQ(none.report(0).steps, 1u);
  EXPECT_EQ(none.report(1).steps, 0u);
}

TEST(BatchWorlds, a_fixed_capacity_counts_what_only_another_world_could_reuse) {
  const Capacity fixed{.bodies = 6, .shapes = 6, .on_overflow = OnOverflow::kError};
  World all = World::copies(scenes::make("tower:height=2", 1), 2, cpu(1, fixed));
  for (const BodyHandle body : all.bodies(0)) all.remove_body(body);
  const Body box{.name = "box", .position = {0, 0, 9}, .shapes = {{.geometry = Box{}}}, .mass = 1};
  EXPECT_THROW(all.add_body(box, 1), CapacityError);
  EXPECT_EQ(all.world_of(all.add_body(box, 0)), 0u);
}

TEST(BatchWorlds, refuse_what_they_are_not) {
  const Scene tower = scenes::make("tower:height=2", 1);
  Scene other = tower;
  StepParams params = tower.params();
  params.substeps += 1;
  other.set_params(params);
  EXPECT_THROW(World(std::vector<Scene>{tower, other}), InvalidArgument);
  EXPECT_THROW(World(std::vector<Scene>{}), InvalidArgument);
  EXPECT_THROW(World::copies(tower, 0), InvalidArgument);
  EXPECT_THROW(estimate_memory(tower, 0), InvalidArgument);
  EXPECT_THROW(World::copies(tower, ~0u), InvalidArgument);
  World all = World::copies(tower, 2, cpu(1));
  EXPECT_EQ(all.world_count(), 2u);
  EXPECT_EQ(all.world_of(all.bodies(1)[0]), 1u);
  EXPECT_THROW(all.bodies(2), InvalidArgument);
  EXPECT_THROW(all.set_gravity({}, 2), InvalidArgument);
  EXPECT_THROW(all.reset(2), InvalidArgument);
  EXPECT_THROW(all.reset(std::vector<std::uint8_t>{1}), InvalidArgument);
  EXPECT_THROW(all.report(2), InvalidArgument);
  EXPECT_THROW(all.add_body(tower.bodies()[1], 1), InvalidArgument) << "the name is taken there";
}

}  // namespace
}  // namespace cairn::batch_test
