// Worlds of a batch with parameters of their own.

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

StepParams own_params(std::uint32_t world) {
  StepParams p = with_sleeping();
  p.restitution_threshold = world % 2 == 0 ? 0.1f : 2;
  p.recycle_tolerance = 0.005f * static_cast<float>(world);
  p.sleep_speed = world % 3 == 0 ? 0.5f : 0.02f;
  p.sleep_time = 0.1f + 0.1f * static_cast<float>(world);
  p.friction_mix = static_cast<MixRule>(world % 4);
  p.restitution_mix = static_cast<MixRule>((world + 1) % 4);
  p.rolling_mix = static_cast<MixRule>((world + 2) % 4);
  return p;
}

/// A rain of two materials.
Scene mixed(const StepParams& params) {
  Scene scene;
  scene.set_params(params);
  scene.add_material(
      {.name = "rubber", .density = 1000, .friction = 0.9f, .restitution = 0.7f, .rolling_friction = 0.01f});
  scene.add_material(
      {.name = "ice", .density = 900, .friction = 0.05f, .restitution = 0.3f, .rolling_friction = 0.03f});
  const Scene rain = scenes::make("rain:count=30", 1);
  for (Body body : rain.bodies()) {
    for (Shape& s : body.shapes) s.material = static_cast<std::uint32_t>(scene.bodies().size() % 2);
    scene.add_body(body);
  }
  return scene;
}

TEST(WorldParams, of_each_world_give_it_the_bits_that_it_has_alone) {
  constexpr std::uint32_t kWorlds = 6;
  std::vector<Scene> scenes;
  for (std::uint32_t w = 0; w < kWorlds; ++w) scenes.push_back(mixed(own_params(w)));
  World all(scenes, cpu(2)), set = World::copies(mixed(with_sleeping()), kWorlds, cpu());
  for (std::uint32_t w = 0; w < kWorlds; ++w) set.set_params(own_params(w), w);
  run(all, 150);
  run(set, 150);
  EXPECT_EQ(set.state_hashes(), all.state_hashes());
  for (std::uint32_t w = 0; w < kWorlds; ++w) {
    EXPECT_EQ(all.params(w), own_params(w));
    World one(mixed(own_params(w)), cpu());
    run(one, 150);
    EXPECT_EQ(one.state_hash(), all.state_hashes()[w]) << w;
    EXPECT_EQ(all.state_hashes()[w] == all.state_hashes()[0], w == 0) << w;
  }
  // and the same for all again
  all.set_params(with_sleeping());
  EXPECT_EQ(all.params(3), with_sleeping());
}

TEST(WorldParams, that_differ_in_what_worlds_share_are_refused) {
  World world = World::copies(tower(1), 2, cpu());
  StepParams p = world.params();
  p.max_depenetration_speed = 1;
  EXPECT_TRUE(refused(world, [&] { world.set_params(p, 1); }, {"world 1", "max_depenetration_speed"}));
  EXPECT_THROW(world.set_params(world.params(), 2), InvalidArgument);
  EXPECT_NO_THROW(world.set_params(p));
  EXPECT_EQ(world.params(1).max_depenetration_speed, 1);
}

}  // namespace
}  // namespace cairn::batch_test
