// CPU and CUDA in one process at the edges: of blocks, capacities, colours, and of a world that is edited. The
// tolerance is zero.

#include "tests/joints/far_start.h"
#include "tests/parity_gpu/parity.h"

namespace cairn::parity {
namespace {

/// Spheres in a row over a floor, each touching the next: n shapes, n - 1 pairs and as many with the floor.
Scene row_of_spheres(int n) {
  Scene scene = testing_support::scene_of({testing_support::plane()});
  for (int i = 0; i < n; ++i) {
    Body ball = testing_support::ball("ball" + std::to_string(i), {0.999 * i, 0.01 * (i % 7), 0.499 + 0.01 * (i % 3)});
    ball.linear_velocity = {i % 2 == 0 ? 1.0f : -1.0f, 0, 0};
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
  tiny.capacity = {.bodies = 1, .shapes = 1, .pairs = 1};
  World cpu(scene, on(Device::cpu())), cuda(scene, tiny);
  // without a look in between, so that steps are in flight when a table turns out too small
  step_both(cpu, cuda, 200);
  ASSERT_TRUE(alike(cpu, cuda));
  EXPECT_EQ(cuda.report().steps, 200u);
}

// no scene that is compared elsewhere has joints that start so
TEST_F(GpuParity, steps_that_bring_joints_together_from_far) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kSequentialImpulse, SolverKind::kXpbd}) {
    std::vector<Scene> scenes;
    for (const joints_test::FarKind& kind : joints_test::kFarKinds) {
      for (const std::uint64_t seed : {7, 8}) {
        scenes.push_back(joints_test::far_apart(seed, kind, joints_test::params_of(solver, 2)));
      }
    }
    World cpu(scenes, on(Device::cpu())), cuda(scenes, on(gpu));
    step_both(cpu, cuda, 10);
    ASSERT_TRUE(alike(cpu, cuda)) << "solver " << static_cast<int>(solver);
  }
}

TEST_F(GpuParity, holds_with_far_more_room_than_is_needed) {
  const Scene scene = scenes::make("pile:count=200", kSeed);
  // past the capacity from which more of the rounds and colours have launches of their own
  WorldOptions roomy = on(gpu);
  roomy.capacity.pairs = 100'000;
  World cpu(scene, on(Device::cpu())), cuda(scene, roomy);
  step_both(cpu, cuda, 60);
  ASSERT_TRUE(alike(cpu, cuda));
  ASSERT_TRUE(counted_alike(cpu, cuda));
}

/// A ball of 5 m with n small ones stuck all over it by a turn of the golden angle each; none of these touches another.
Scene studded_ball(std::uint32_t n, BodyType small) {
  Scene scene;
  scene.set_gravity({0, 0, 0});
  scene.add_body(testing_support::ball("ball", {}, 5));
  for (std::uint32_t i = 0; i < n; ++i) {
    const double z = 1 - (2.0 * i + 1.0) / n, r = std::sqrt(1 - z * z), turn = 2.399963 * i;
    const Vec3d at{5.39 * r * std::cos(turn), 5.39 * r * std::sin(turn), 5.39 * z};
    scene.add_body(testing_support::body("stud" + std::to_string(i), Sphere{0.4f}, at, small));
  }
  return scene;
}

TEST_F(GpuParity, holds_where_a_body_has_more_contacts_than_there_are_colors) {
  constexpr std::uint32_t kStuds = 200;
  for (const BodyType small : {BodyType::kDynamic, BodyType::kStatic}) {
    for (const Variant& variant : kVariants) {
      const Scene scene = studded_ball(kStuds, small);
      World cpu = world_of(scene, variant, on(Device::cpu())), cuda = world_of(scene, variant, on(gpu));
      for (int step = 1; step <= 5; ++step) {
        step_both(cpu, cuda, 1);
        ASSERT_TRUE(alike(cpu, cuda)) << variant.name << ", step " << step;
        ASSERT_TRUE(counted_alike(cpu, cuda)) << variant.name << ", step " << step;
        if (step > 1) continue;
        // the report counts the colours between dynamic bodies alone
        EXPECT_EQ(cpu.report().manifolds, kStuds);
        EXPECT_EQ(cuda.report().colors, small == BodyType::kDynamic ? kStuds : 0u);
      }
    }
  }
}

TEST_F(GpuParity, a_fixed_capacity_refuses_and_leaves_the_state) {
  const Scene scene = row_of_spheres(100);
  WorldOptions options = on(gpu);
  options.capacity = {.bodies = 0, .shapes = 0, .pairs = 10, .on_overflow = OnOverflow::kError};
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

TEST_F(GpuParity, steps_that_are_known_survive_those_that_need_more_room) {
  // a step that was captured in a graph comes back after others, one of which sorts more than there was room for
  const Scene scene = scenes::make("wall:base=5", kSeed);
  World cpu(scene, on(Device::cpu())), cuda(scene, on(gpu));
  const StepParams first = scene.params();
  step_both(cpu, cuda, 6);
  for (const SolverKind solver : {SolverKind::kXpbd, SolverKind::kAvbd, SolverKind::kSequentialImpulse}) {
    StepParams other = first;
    other.solver = solver;
    for (const StepParams& params : {other, first}) {
      for (World* world : {&cpu, &cuda}) world->set_params(params);
      step_both(cpu, cuda, 4);
      ASSERT_TRUE(alike(cpu, cuda)) << static_cast<int>(solver);
    }
  }
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
  both([](World& w) { w.add_force(w.bodies()[7], {500, 2000, 0}, {0, 0, 1}); });
  step_both(cpu, cuda, 1);
  ASSERT_TRUE(alike(cpu, cuda)) << "after a force";
  both([](World& w) { w.remove_body(w.bodies()[9]); });
  step_both(cpu, cuda, 10);
  ASSERT_TRUE(alike(cpu, cuda)) << "after a body was removed";
  both([](World& w) {
    w.add_body(
        {.name = "ball", .position = {0, -3, 2}, .linear_velocity = {0, 20, 0}, .shapes = {Shape{}}, .mass = 300.0f});
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
