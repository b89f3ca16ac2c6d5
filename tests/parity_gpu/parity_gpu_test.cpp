// CPU and CUDA in one process: the same bits after every stage, after one step and after many. The tolerance is zero.

#include "tests/parity_gpu/parity.h"

namespace cairn::parity {
namespace {

constexpr std::uint64_t kSeed = 1;

class GpuScene : public GpuParity, public testing::WithParamInterface<const char*> {};

std::string test_name(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

using GpuStages = GpuScene;

TEST_P(GpuStages, write_the_same_bits) {
  const Scene scene = scenes::make(GetParam(), kSeed);
  WorldOptions cpu_options = on(Device::cpu()), gpu_options = on(gpu);
  cpu_options.trace = gpu_options.trace = true;
  World cpu(scene, cpu_options), cuda(scene, gpu_options);
  // some steps before and some after the first contacts
  for (int step = 1; step <= 40; ++step) {
    step_both(cpu, cuda, 1);
    const StepReport want = cpu.report(), got = cuda.report();
    for (int stage = 0; stage < kStageCount; ++stage) {
      const std::size_t i = static_cast<std::size_t>(stage);
      ASSERT_EQ(got.stage_hash[i], want.stage_hash[i])
          << "stage " << stage_name(static_cast<Stage>(stage)) << ", step " << step;
    }
    ASSERT_TRUE(alike(cpu, cuda)) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, GpuStages,
                         testing::Values("tower:height=5", "wall:base=6", "pyramid:base=4", "lattice:n=4",
                                         "pile:count=150", "heavy:height=4,ratio=100", "slope:height=3,tan=0.3",
                                         "spinner", "rain:count=150"),
                         test_name);

using GpuRuns = GpuScene;

TEST_P(GpuRuns, end_in_the_same_bits) {
  const Scene scene = scenes::make(GetParam(), kSeed);
  World cpu(scene, on(Device::cpu())), cuda(scene, on(gpu));
  int taken = 0;
  for (const int steps : {1, 2, 60, 600}) {
    step_both(cpu, cuda, steps - taken);
    taken = steps;
    ASSERT_TRUE(alike(cpu, cuda)) << "step " << steps;
    ASSERT_TRUE(counted_alike(cpu, cuda)) << "step " << steps;
  }
  EXPECT_EQ(cuda.report().status, 0u);
}

// every kind of built-in scene; the largest of them are shortened, since the CPU takes each step too
INSTANTIATE_TEST_SUITE_P(Scenes, GpuRuns,
                         testing::Values("tower:height=20", "tower:height=100", "wall:base=40", "pyramid:base=10",
                                         "lattice:n=8", "lattice:n=16", "pile:count=1000", "heavy:height=10,ratio=100",
                                         "heavy:height=5,ratio=1000", "slope:height=3,tan=0.3",
                                         "slope:height=3,tan=0.7", "spinner", "rain:count=1000"),
                         test_name);

/// Spheres in a row over a floor, each touching the next: n shapes, n - 1 pairs and as many with the floor.
Scene row_of_spheres(int n) {
  Scene scene;
  const std::uint32_t stone = scene.add_material({.name = "stone", .density = 1000});
  const auto shape = [&](Geometry geometry) {
    Shape made;
    made.geometry = geometry;
    made.material = stone;
    return made;
  };
  Body floor;
  floor.name = "floor";
  floor.type = BodyType::kStatic;
  floor.shapes = {shape(Plane{})};
  scene.add_body(floor);
  for (int i = 0; i < n; ++i) {
    Body ball;
    ball.name = "ball" + std::to_string(i);
    ball.position = {0.999 * i, 0.01 * (i % 7), 0.499 + 0.01 * (i % 3)};
    ball.linear_velocity = {i % 2 == 0 ? 1.0f : -1.0f, 0, 0};
    ball.shapes = {shape(Sphere{0.5f})};
    scene.add_body(ball);
  }
  return scene;
}

TEST_F(GpuParity, holds_around_the_edges_of_blocks) {
  for (const int n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1023, 1025, 4097}) {
    const Scene scene = row_of_spheres(n);
    World cpu(scene, on(Device::cpu())), cuda(scene, on(gpu));
    step_both(cpu, cuda, 20);
    ASSERT_TRUE(alike(cpu, cuda)) << n << " bodies";
    ASSERT_TRUE(counted_alike(cpu, cuda)) << n << " bodies";
  }
}

TEST_F(GpuParity, holds_while_capacities_grow_from_almost_nothing) {
  const Scene scene = scenes::make("pile:count=400", kSeed);
  WorldOptions tiny = on(gpu);
  tiny.capacity = {.bodies = 1, .shapes = 1, .pairs = 1, .fixed = false};
  World cpu(scene, on(Device::cpu())), cuda(scene, tiny);
  // without a look in between, so that steps are in flight when a table turns out too small
  step_both(cpu, cuda, 200);
  ASSERT_TRUE(alike(cpu, cuda));
  EXPECT_EQ(cuda.report().steps, 200u);
}

TEST_F(GpuParity, a_fixed_capacity_refuses_and_leaves_the_state) {
  const Scene scene = row_of_spheres(100);
  WorldOptions options = on(gpu);
  options.capacity = {.bodies = 0, .shapes = 0, .pairs = 10, .fixed = true};
  World cuda(scene, options);
  const std::uint64_t before = cuda.state_hash();
  EXPECT_THROW(
      {
        cuda.step();
        cuda.report();
      },
      CapacityError);
  EXPECT_EQ(cuda.state_hash(), before);
}

TEST_F(GpuParity, two_worlds_at_once_are_each_as_alone) {
  const Scene scene_a = scenes::make("lattice:n=6", kSeed), scene_b = scenes::make("rain:count=300", kSeed);
  World cpu_a(scene_a, on(Device::cpu())), cpu_b(scene_b, on(Device::cpu()));
  World cuda_a(scene_a, on(gpu)), cuda_b(scene_b, on(gpu)), twin_a(scene_a, on(gpu));
  for (int i = 0; i < 120; ++i) {
    step_both(cpu_a, cuda_a, 1);
    step_both(cpu_b, cuda_b, 1);
    twin_a.step();
  }
  EXPECT_TRUE(alike(cpu_a, cuda_a));
  EXPECT_TRUE(alike(cpu_b, cuda_b));
  EXPECT_TRUE(alike(cpu_a, twin_a));
}

TEST_F(GpuParity, holds_when_the_world_is_edited_on_the_way) {
  const Scene scene = scenes::make("wall:base=8", kSeed);
  World cpu(scene, on(Device::cpu())), cuda(scene, on(gpu));
  const auto both = [&](const auto& edit) {
    edit(cpu);
    edit(cuda);
  };
  step_both(cpu, cuda, 30);
  both([](World& w) { w.set_velocity(w.bodies()[5], {0, 3, 1}, {1, 2, 3}); });
  step_both(cpu, cuda, 5);
  both([](World& w) { w.add_force_at(w.bodies()[7], {500, 2000, 0}, {0, 0, 1}); });
  step_both(cpu, cuda, 1);
  ASSERT_TRUE(alike(cpu, cuda)) << "after a force";
  both([](World& w) { w.remove_body(w.bodies()[9]); });
  step_both(cpu, cuda, 10);
  ASSERT_TRUE(alike(cpu, cuda)) << "after a body was removed";
  both([](World& w) {
    Body ball;
    ball.name = "ball";
    ball.position = {0, -3, 2};
    ball.linear_velocity = {0, 20, 0};
    ball.mass = 300.0f;
    ball.shapes.emplace_back();
    w.add_body(ball);
  });
  step_both(cpu, cuda, 30);
  ASSERT_TRUE(alike(cpu, cuda)) << "after a body was added";
  both([](World& w) {
    w.set_gravity({0.5f, 0, -3});
    w.step(0.01f);
    w.step(0.02f);
    StepParams params = w.params();
    params.substeps = 9;
    w.set_params(params);
  });
  step_both(cpu, cuda, 30);
  ASSERT_TRUE(alike(cpu, cuda)) << "after dt, substeps and gravity changed";
  both([](World& w) {
    Material bouncy = w.materials()[0];
    bouncy.restitution = 0.5f;
    bouncy.rolling_friction = 0.05f;
    w.set_material(0, bouncy);
    w.set_type(w.bodies()[3], BodyType::kKinematic);
    StepParams params = w.params();
    params.sleeping = true;
    w.set_params(params);
  });
  step_both(cpu, cuda, 200);
  ASSERT_TRUE(alike(cpu, cuda)) << "after restitution, rolling friction, a kinematic body and sleeping";
  ASSERT_TRUE(counted_alike(cpu, cuda));
}

TEST_F(GpuParity, watching_changes_nothing) {
  const Scene scene = scenes::make("pile:count=100", kSeed);
  WorldOptions timed = on(gpu), traced = on(gpu);
  timed.timings = traced.trace = true;
  World plain(scene, on(gpu)), with_times(scene, timed), with_trace(scene, traced);
  for (int i = 0; i < 60; ++i) {
    plain.step();
    with_times.step();
    with_trace.step();
  }
  EXPECT_TRUE(alike(plain, with_times));
  EXPECT_TRUE(alike(plain, with_trace));
}

}  // namespace
}  // namespace cairn::parity
