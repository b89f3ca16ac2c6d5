// The same bits of fluids for any number of threads and in any batch; what a World does with them.

#include <gtest/gtest.h>

#include "cairn/scene_file.h"
#include "tests/fluids/tanks.h"
#include "tests/support/same_bits.h"

namespace cairn::fluids_test {
namespace {

struct Method {
  SolverKind solver;
  SweepKind sweep;
  const char* name;
};
constexpr Method kMethods[] = {
    {SolverKind::kXpbd, SweepKind::kGaussSeidel, "xpbd"},
    {SolverKind::kXpbd, SweepKind::kJacobi, "jacobi"},
    {SolverKind::kSoftStep, SweepKind::kGaussSeidel, "soft_step"},
    {SolverKind::kSequentialImpulse, SweepKind::kGaussSeidel, "sequential_impulse"},
    {SolverKind::kAvbd, SweepKind::kGaussSeidel, "avbd"},
};

/// A column that falls apart in a tank, onto a box; and oil beside it, which rubs and clings.
Scene scene_of(const Method& method) {
  Scene scene;
  StepParams params;
  params.solver = method.solver;
  params.sweep = method.sweep;
  params.substeps = 4;
  params.fluid_iterations = 2;
  scene.set_params(params);
  add_tank(scene, 0.6, 0.3);
  Body box = test::body("box", Box{{0.06f, 0.06f, 0.06f}}, {0.42, 0.15, 0.07});
  box.density = 400.0f;
  scene.add_body(box);
  scene.add_particles(block(5, 6, 6));
  ParticleSet oil = block(2, 3, 2, {0.4, 0.1, 0.25}, {.density = 800, .viscosity = 20, .surface_tension = 0.5f});
  oil.name = "oil";
  oil.velocities.assign(oil.positions.size(), {-1, 0, 0});
  scene.add_particles(oil);
  return scene;
}

class FluidBits : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, FluidBits, testing::ValuesIn(kMethods),
                         [](const auto& method) { return std::string(method.param.name); });

TEST_P(FluidBits, are_the_same_for_any_threads_and_batch) {
  test::expect_same_bits(scene_of(GetParam()), 40, [](const World& one, const World& other, std::uint32_t world) {
    EXPECT_EQ(other.pressures(other.particles(world)[0]), one.pressures(one.particles()[0]));
    EXPECT_EQ(other.densities(other.particles(world)[1]), one.densities(one.particles()[1]));
  });
}

// Saved and gone on, in a file, in another place of a batch, and with particles missing: the same bits.
TEST_P(FluidBits, go_on_from_a_snapshot) {
  const Scene scene = scene_of(GetParam());
  World world(scene, test::cpu(2));
  world.remove_body(world.bodies(world.particles()[0])[5]);
  test::run(world, 15);
  const Snapshot kept = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  test::run(world, 15);
  World back(kept, test::cpu(1));
  World batch = World::copies(scene, 3, test::cpu(1));
  test::run(batch, 15);
  batch.restore(kept, 0, 1);
  test::run(back, 15);
  test::run(batch, 15);
  EXPECT_EQ(back.state_hash(), world.state_hash());
  EXPECT_EQ(batch.state_hashes()[1], world.state_hash());
  EXPECT_EQ(batch.state_hashes()[0], batch.state_hashes()[2]);
  EXPECT_EQ(back.pressures(back.particles()[0]), world.pressures(world.particles()[0]));
  EXPECT_EQ(back.pressures(back.particles()[0])[5], 0) << "it is gone";
  EXPECT_EQ(back.description(back.particles()[1]), scene.particles()[1].description);
}

TEST(Fluids, take_as_much_memory_as_estimated) {
  const Scene scene = scene_of(kMethods[2]);
  for (const std::uint32_t worlds : {1u, 3u}) {
    World world = World::copies(scene, worlds, test::cpu(1));
    const std::uint64_t estimated = estimate_memory(scene, worlds, test::cpu(1));
    world.step();
    EXPECT_EQ(world.memory_bytes(), estimated) << worlds;
  }
}

// Put much closer than at rest they have more neighbours than there is room for at first.
TEST(Fluids, make_room_for_their_neighbours) {
  ParticleSet crowd = block(8, 8, 8);
  for (Vec3d& x : crowd.positions) x = {0.6 * x.x, 0.6 * x.y, 0.6 * x.z};
  Scene scene;
  scene.set_gravity({0, 0, 0});
  scene.add_particles(crowd);
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
  const auto message = [](const auto& change) -> std::string {
    Scene scene;
    ParticleSet set = block(2, 2, 2);
    set.name = "first";
    scene.add_particles(set);
    set.name = "water";
    change(set);
    try {
      scene.add_particles(set);
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(scene.bodies().size(), 8u) << "nothing is changed";
      return error.what();
    }
    return "none";
  };
  using Set = ParticleSet&;
  EXPECT_EQ(message([](Set) {}), "none");
  EXPECT_EQ(message([](Set s) { s.mass = 0.125f; }), "none") << "what the fluid gives";
  EXPECT_EQ(message([](Set s) { s.fluid->density = 0; }),
            "particles \"water\": fluid density must be between 1e-6 and 1e9 kg/m^3, is 0");
  EXPECT_EQ(message([](Set s) { s.fluid->spacing = -1; }),
            "particles \"water\": fluid spacing must be between 1e-6 and 10000 m, is -1");
  EXPECT_EQ(message([](Set s) { s.fluid->viscosity = std::nanf(""); }),
            "particles \"water\": fluid viscosity must be finite, is nan");
  EXPECT_EQ(message([](Set s) { s.fluid->surface_tension = -1; }),
            "particles \"water\": fluid surface_tension must be between 0 and 1e9 N/m, is -1");
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

TEST(Fluids, are_what_a_file_says) {
  const Scene scene = scene_of(kMethods[0]);
  const std::string text = scene_to_json(scene);
  const Scene back = parse_scene(text, "here");
  EXPECT_EQ(back.params(), scene.params());
  EXPECT_EQ(back.particles(), scene.particles());
  EXPECT_EQ(scene_to_json(back), text);
  World a(scene, test::cpu()), b(back, test::cpu());
  a.step();
  b.step();
  EXPECT_EQ(a.state_hash(), b.state_hash());
  const auto message = [](const std::string& fluid) -> std::string {
    try {
      const std::string set = R"({"name": "w", "positions": [[0, 0, 1]], "fluid": )" + fluid + "}";
      (void)parse_scene(R"({"cairn": 1, "bodies": [], "particles": [)" + set + "]}", "f");
    } catch (const SceneFileError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(message("{}"), "none");
  EXPECT_EQ(message(R"({"spacing": 0})"), "f: /particles/0/fluid/spacing: must be between 1e-6 and 10000 m, is 0");
  EXPECT_EQ(message(R"({"colour": 0})"), "f: /particles/0/fluid/colour: unknown key");
}

}  // namespace
}  // namespace cairn::fluids_test
