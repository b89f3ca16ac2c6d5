// What a World does with fluids.

#include <gtest/gtest.h>

#include "cairn/scene_file.h"
#include "tests/fluids/tanks.h"
#include "tests/support/refusal.h"

namespace cairn::fluids_test {
namespace {

using testing_support::refusal_of;

// Put much closer than at rest they have more neighbours than there is room for at first.
TEST(Fluids, make_room_for_their_neighbours) {
  ParticleSet crowd = block(8, 8, 8);
  for (Vec3d& x : crowd.positions) x = {0.6 * x.x, 0.6 * x.y, 0.6 * x.z};
  const Scene scene = floating(crowd);
  World world(scene, test::cpu(1));
  const std::uint64_t first = estimate_memory(scene, 1, test::cpu(1));
  world.step();
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_EQ(world.report().steps, 1u);
  EXPECT_GT(world.memory_bytes(), first);
  World other(scene, test::cpu(3));
  other.step();
  EXPECT_EQ(world.state_hash(), other.state_hash());
}

TEST(Fluids, never_sleep) {
  Scene scene;
  scene.set_params(test::with_sleeping());
  add_tank(scene, 0.2, 0.2);
  scene.add_particles(block(4, 4, 2));
  World world(scene, test::cpu());
  test::run(world, 120);
  EXPECT_EQ(world.report().asleep, 0u);
}

TEST(Fluids, are_refused_by_name_where_they_break_a_rule) {
  const auto message = [](const auto& change) {
    Scene scene;
    ParticleSet set = block(2, 2, 2);
    set.name = "first";
    scene.add_particles(set);
    set.name = "water";
    change(set);
    const std::string refused = refusal_of([&] { scene.add_particles(set); });
    EXPECT_TRUE(refused.empty() || scene.bodies().size() == 8) << "nothing is changed";
    return refused;
  };
  using Set = ParticleSet&;
  EXPECT_EQ(message([](Set) {}), "");
  EXPECT_EQ(message([](Set s) { s.mass = 0.125f; }), "") << "what the fluid gives";
  EXPECT_EQ(message([](Set s) { s.fluid->spacing = 0.06f; }),
            "particles \"water\": spacing must be that of the fluid \"first\", 0.05, is 0.06");
  EXPECT_EQ(message([](Set s) { s.mass = 0.2f; }),
            "particles \"water\": mass must be 1, or what density and spacing give in a fluid, 0.125, is 0.2");
  EXPECT_EQ(message([](Set s) { s.masses.assign(8, 0.125f); }),
            "particles \"water\": masses must be none in a fluid: density and spacing give the mass");
  EXPECT_EQ(message([](Set s) { s.radius = 0.03f; }),
            "particles \"water\": radius must be at most half the spacing of a fluid, 0.025, is 0.03");
  EXPECT_EQ(message([](Set s) {
              s.constraints = {{.particles = {0, 1}}};
            }),
            "particles \"water\": constraints must be none in a fluid");
  Scene scene;
  StepParams params;
  params.fluid_iterations = 0;
  EXPECT_THROW(scene.set_params(params), InvalidArgument);
}

TEST(Fluids, are_refused_in_files_by_their_place) {
  const auto message = [](const std::string& fluid) {
    const std::string set = R"({"name": "w", "positions": [[0, 0, 1]], "fluid": )" + fluid + "}";
    const std::string text = R"({"cairn": 1, "bodies": [], "particles": [)" + set + "]}";
    return refusal_of<SceneFileError>([&] { (void)parse_scene(text, "f"); });
  };
  EXPECT_EQ(message("{}"), "");
  EXPECT_EQ(message(R"({"spacing": 0})"), "f: /particles/0/fluid/spacing: must be between 1e-6 and 10000 m, is 0");
  EXPECT_EQ(message(R"({"colour": 0})"), "f: /particles/0/fluid/colour: unknown key");
}

}  // namespace
}  // namespace cairn::fluids_test
