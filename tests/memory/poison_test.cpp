// No result depends on memory that nobody wrote: here all memory is NaN when it is new, and what a step computes before
// it reads it is made NaN again before each step.

#include "tests/memory/rig.h"
#include "tests/support/golden.h"

namespace cairn::memory_test {
namespace {

using namespace testing_support;

class Poison : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Poison, testing::ValuesIn(kVariants),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Poison, of_a_world_that_grows_is_edited_and_reset_changes_no_bit) {
  const Scene scene = scenes::make("rain:count=60", kSeed);
  const auto all = [&](const Capacity& capacity) {
    Scene changed = scene;
    changed.set_params(GetParam().change(scene.params()));
    World world = World::copies(changed, 2, cpu(1, capacity));
    std::vector<std::uint64_t> got;
    for (int step = 0; step < 120; ++step) {
      if (step == 20) world.remove_body(world.bodies(0)[20]);
      if (step == 30) world.add_body(box("late", {0, 0, 30}), 0);
      if (step == 40) world.add_body(box("later", {0, 0, 30}), 1);
      if (step == 50) world.reset(1);
      if (step == 60) world.add_material({.name = "ice", .density = 900, .friction = 0}, 1);
      if (step == 61) world.set_material(world.bodies(1)[9], 1);
      world.step();
      got.push_back(world.state_hash());
    }
    EXPECT_TRUE(sound(world));
    return got;
  };
  const auto wanted = all({.bodies = 500, .shapes = 500, .pairs = 9000});
  TestMemory::poisons_scratch = true;
  const auto got = all({.bodies = 1, .shapes = 1, .pairs = 1});
  TestMemory::poisons_scratch = false;
  EXPECT_EQ(got, wanted);
}

}  // namespace
}  // namespace cairn::memory_test
