// Small worlds go through their substeps part by part, large ones together, a colour at a time: with the same bits.

#include "src/world/parts.h"

#include <algorithm>
#include <numeric>

#include "tests/support/builders.h"
#include "tests/support/golden.h"
#include "tests/support/long_run.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

std::vector<std::uint32_t> slots(std::uint32_t first, std::uint32_t n) {
  std::vector<std::uint32_t> list(n);
  std::iota(list.begin(), list.end(), first);
  return list;
}

TEST(Parts, hold_small_worlds_whole_and_the_first_part_all_large_ones) {
  const std::vector<std::vector<std::uint32_t>> lists{slots(0, 3),  slots(3, 9),  slots(12, 4), slots(16, 4),
                                                      slots(20, 0), slots(20, 8), slots(28, 1)};
  const std::vector<std::span<const std::uint32_t>> worlds(lists.begin(), lists.end());
  const PartLists parts = list_parts(worlds, false, {.small_world = 8, .part_bodies = 9}, Device::cpu());
  EXPECT_EQ(parts.count, 4u);
  EXPECT_EQ(parts.of_world, (std::vector<std::uint32_t>{1, 0, 1, 2, 2, 3, 3}));
  EXPECT_EQ(parts.body_begin, (std::vector<std::uint32_t>{0, 9, 16, 20, 29}));
  EXPECT_EQ(parts.body, (std::vector<std::uint32_t>{3,  4,  5,  6,  7,  8,  9,  10, 11, 0,  1,  2,  12, 13, 14,
                                                    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28}));
  // a world that has more is a part by itself
  EXPECT_EQ(list_parts(worlds, false, {.small_world = 8, .part_bodies = 1}, Device::cpu()).count, 6u);
  EXPECT_EQ(list_parts(worlds, false, {.small_world = 0, .part_bodies = 9}, Device::cpu()).of_world,
            (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 0, 0}))
      << "a world without bodies is small";
}

TEST(Parts, are_as_many_as_a_cuda_device_takes_at_once) {
  const auto bodies_of_parts = [](std::uint32_t worlds, std::uint32_t bodies, bool jointed = false) {
    const std::vector<std::uint32_t> world = slots(0, bodies);
    const std::vector<std::span<const std::uint32_t>> all(worlds, world);
    const PartLists parts = list_parts(all, jointed, {}, Device::cuda(0));
    std::uint32_t max_bodies = 0;
    for (std::uint32_t p = 1; p < parts.count; ++p)
      max_bodies = std::max(max_bodies, parts.body_begin[p + 1] - parts.body_begin[p]);
    return std::pair{parts.count - 1, max_bodies};
  };
  using Sizes = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(bodies_of_parts(100, 4), (Sizes{25, 16})) << "no part has fewer bodies than make use of a block";
  EXPECT_EQ(bodies_of_parts(1024, 20), (Sizes{256, 80}));
  EXPECT_EQ(bodies_of_parts(1024, 11), (Sizes{256, 44}));
  EXPECT_EQ(bodies_of_parts(16384, 11), (Sizes{1490, 121})) << "nor more than a block does well with";
  EXPECT_EQ(bodies_of_parts(1024, 20, true), (Sizes{256, 80})) << "four ragdolls";
  EXPECT_EQ(bodies_of_parts(1024, 10, true), (Sizes{256, 40})) << "four robots";
  EXPECT_EQ(bodies_of_parts(4096, 10, true), (Sizes{512, 80}));
  EXPECT_EQ(bodies_of_parts(3, 100), (Sizes{3, 100})) << "a world is never split";
}

/// Runs worlds of 1 to 65 bodies.
std::vector<std::uint64_t> run_hashes(const Variant& variant, const Tuning& tuning, int threads) {
  std::vector<Scene> scenes;
  for (const char* spec : {"tower:height=4", "pile:count=30", "tower:height=12", "slope", "pile:count=36",
                           "lattice:n=4", "tower:height=1", "pile:count=24", "spinner"}) {
    Scene& scene = scenes.emplace_back(scenes::make(spec, scenes.size() + 1));
    scene.set_params(variant.change(StepParams{}));
  }
  World world(scenes, {.device = Device::cpu(threads), .tuning = tuning});
  for (std::uint32_t w = 0; variant.lively && w < scenes.size(); ++w)
    world.set_material(0, lively_one(world.materials(w)[0]), w);
  run(world, 150);
  EXPECT_EQ(world.report().status, 0u);
  return world.state_hashes();
}

class PartsOf : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, PartsOf, testing::ValuesIn(kVariants), name_of_variant);

TEST_P(PartsOf, any_size_give_the_bits_of_none) {
  const auto wanted = run_hashes(GetParam(), {.small_world = 0}, 1);
  for (const Tuning& tuning : {Tuning{}, Tuning{128, 1}, Tuning{20, 40}, Tuning{40, 90}, Tuning{1000, 100000}}) {
    for (const int threads : {1, 3}) {
      if (threads == 1 && !is_long()) continue;
      EXPECT_EQ(run_hashes(GetParam(), tuning, threads), wanted)
          << "worlds to " << tuning.small_world << ", parts of " << tuning.part_bodies << ", " << threads << " threads";
    }
  }
}

TEST(Parts, follow_the_bodies_that_are_added) {
  const auto hashes = [](const Tuning& tuning) {
    const std::vector<Scene> scenes(3, scenes::make("tower:height=4", 1));
    World world(scenes, {.device = Device::cpu(2), .tuning = tuning});
    for (int i = 0; i < 90; ++i) {
      // the second grows past the limit, one body at a time
      if (i % 10 == 5) world.add_body(box("late" + std::to_string(i), {0.1, 0, 6.0 + i / 10}), 1);
      if (i == 70) world.remove_body(world.bodies(2).at(2));
      world.step();
    }
    return world.state_hashes();
  };
  const auto wanted = hashes({.small_world = 0});
  for (const std::uint32_t limit : {4u, 8u, 11u, 100u}) EXPECT_EQ(hashes({.small_world = limit}), wanted) << limit;
}

/// A plate that lies on small boxes: a colour for each of them.
void add_table(World& world, std::uint32_t to, int legs) {
  for (int i = 0; i < legs; ++i) {
    world.add_body(body("leg" + std::to_string(i), Box{{0.1f, 0.1f, 0.1f}}, {0.3 * (i % 6), 0.3 * (i / 6), 0.1}), to);
  }
  world.add_body(body("table", Box{{1.0f, 0.8f, 0.05f}}, {0.75, 0.6, 0.25}), to);
}

TEST(Parts, rows_that_run_out_of_room_when_islands_wake_leave_the_bits_alone) {
  constexpr std::uint32_t kWorlds = 8;
  struct Run {
    std::vector<std::uint64_t> hashes{};
    std::uint64_t before{0}, after{0};  ///< [B] held
    std::uint32_t min_asleep{~0u};      ///< [1]
  };
  const auto take = [](const Tuning& tuning) {
    StepParams params = with_sleeping();
    // of the room for what is solved directly there would be enough
    params.direct_bodies = 0;
    const std::vector<Scene> scenes(kWorlds, scene_of({plane()}, params));
    World world(scenes,
                {.device = Device::cpu(1), .capacity = {.bodies = 400, .shapes = 400, .pairs = 520}, .tuning = tuning});
    // rows have room for what has been awake at a time: each table sleeps before the next one comes
    for (std::uint32_t w = 0; w < kWorlds; ++w) {
      add_table(world, w, 30);
      run(world, 120);
    }
    EXPECT_EQ(world.report().asleep, kWorlds * 31);
    // then something falls on all of them at once
    for (std::uint32_t w = 0; w < kWorlds; ++w) world.add_body(ball("ball", {0.75, 0.6, 1.5}, 0.2f), w);
    Run result;
    world.step();
    result.before = world.memory_bytes();
    for (int i = 0; i < 60; ++i) {
      world.step();
      result.hashes.push_back(world.state_hash());
      result.min_asleep = std::min(result.min_asleep, world.report().asleep);
    }
    result.after = world.memory_bytes();
    return result;
  };
  const Run together = take({.small_world = 0}), parts = take({.small_world = 40, .part_bodies = 40});
  EXPECT_EQ(parts.min_asleep, 0u);
  EXPECT_EQ(together.after, together.before);
  EXPECT_GT(parts.after, parts.before) << "the rows were to run out of room";
  EXPECT_EQ(parts.hashes, together.hashes);
}

}  // namespace
}  // namespace cairn::batch_test
