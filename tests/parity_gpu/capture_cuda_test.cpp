// Graphs of the user's: which public calls of a World can be captured, that the others say so and leave both the World
// and the capture as they were, and that what was captured does what the calls do.

#include <cstring>
#include <set>
#include <utility>

#include "cairn/device_arrays.h"
#include "cairn/queries.h"
#include "cairn/sensors.h"
#include "tests/memory/trial.h"
#include "tests/parity_gpu/on_stream.h"
#include "tests/support/builders.h"
#include "tests/support/long_run.h"

namespace cairn::parity {
namespace {

using namespace testing_support;

/// What docs/interop.md lists.
const std::set<std::string> kCapturable{"step",
                                        "arrays.get_states",
                                        "arrays.set_states",
                                        "arrays.get_articulations",
                                        "arrays.set_articulations",
                                        "arrays.get_articulation_joints",
                                        "arrays.set_articulation_joints",
                                        "arrays.get_joints",
                                        "arrays.set_joints",
                                        "arrays.get_materials",
                                        "arrays.set_materials",
                                        "arrays.reset",
                                        "arrays.written",
                                        "queries.cast_rays",
                                        "queries.cast_shapes",
                                        "queries.overlaps",
                                        "queries.closest",
                                        "arrays.move_to"};

class GpuCapture : public GpuOnStream, public testing::WithParamInterface<SampleWorld> {
 protected:
  /// What came of a call while the stream was captured.
  struct Came {
    bool refused{false};
    std::string why;
  };
  Came capture_call(const Ready& call) {
    Came came;
    capture([&] {
      try {
        call();
      } catch (const InvalidArgument& error) {
        came = {true, error.what()};
      } catch (const std::exception& error) {
        came = {true, error.what()};
        ADD_FAILURE() << "not refused by InvalidArgument, but by: " << error.what();
      }
      cudaStreamCaptureStatus status{};
      ok(cudaStreamIsCapturing(stream, &status));
      EXPECT_EQ(status, cudaStreamCaptureStatusActive) << came.why;
    });
    return came;
  }
};
INSTANTIATE_TEST_SUITE_P(Worlds, GpuCapture, testing::ValuesIn(sample_worlds()),
                         [](const auto& row) { return std::string(row.param.name); });

/// Steps until there is room: once something was captured a step that finds none is an error, and the next makes room.
bool step(World& cpu, World& cuda) {
  try {
    cpu.step();
  } catch (const InvalidArgument&) {
    return false;
  }
  const std::uint64_t wanted = cuda.report().steps + 1;
  for (int i = 0; i < 3 && cuda.report().steps != wanted; ++i) {
    try {
      cuda.step();
      cuda.wait();
    } catch (const CapacityError&) {
    }
  }
  cuda.clear_status();
  cpu.clear_status();
  return true;
}

TEST_P(GpuCapture, takes_every_public_call_or_refuses_it_and_breaks_nothing) {
  constexpr std::uint32_t kChoice = 3;
  std::set<std::string> captured;
  struct Pair {
    Pair(World on_cpu, World on_cuda) : cpu(std::move(on_cpu)), cuda(std::move(on_cuda)) {}
    World cpu, cuda;
  };
  std::optional<Pair> worlds;
  // of a World that hasn't made the call, and of one that has, as the docs ask for
  for (const bool before : {false, true}) {
    for (const WorldCall& call : world_calls()) {
      if (before && !kCapturable.contains(call.name) && !is_long()) continue;
      SCOPED_TRACE(std::string(call.name) + (before ? ", made before" : ", for the first time"));
      if (!worlds) worlds.emplace(GetParam().make(on(Device::cpu())), GetParam().make(on_stream(true)));
      auto& [cpu, cuda] = *worlds;
      const std::optional<Ready> on_cpu = prepared(call, cpu, kChoice), on_cuda = prepared(call, cuda, kChoice);
      ASSERT_EQ(on_cpu.has_value(), on_cuda.has_value());
      if (!on_cpu) continue;
      if (before) {
        try {
          (*on_cpu)();
          (*on_cuda)();
        } catch (const InvalidArgument&) {
          worlds.reset();
          continue;
        }
      }
      cuda.wait();
      const Came came = capture_call(*on_cuda);
      if (HasFatalFailure()) return;
      if (came.refused) {
        EXPECT_EQ(nodes, 0u) << "a part of what was refused is in the graph: " << came.why;
      } else {
        launch(1);
        try {
          (*on_cpu)();
        } catch (const InvalidArgument&) {
          ADD_FAILURE() << "refused on the CPU";
        }
        if (nodes != 0) captured.insert(call.name);
      }
      ASSERT_EQ(cuda.state_hashes(), cpu.state_hashes()) << came.why;
      ASSERT_EQ(bytes_of(cuda), bytes_of(cpu)) << came.why;
      if (step(cpu, cuda)) {
        ASSERT_EQ(cuda.state_hashes(), cpu.state_hashes()) << came.why;
      }
      if (before || nodes != 0) worlds.reset();
    }
  }
  for (const std::string& name : captured) EXPECT_TRUE(kCapturable.contains(name)) << name << " isn't in the docs";
  if (std::string(GetParam().name) != "articulated") return;
  EXPECT_EQ(captured, kCapturable);
}

using GpuGraph = GpuOnStream;

/// What a World tells in arrays of the user's, all of it.
struct Told {
  static constexpr std::size_t kAsked = 40;
  using Rows = std::vector<double>;

  Told(const World& world, const Device& device)
      : robots(world.arrays().articulation_rows()),
        x(Rows(3 * std::size_t{world.body_count()}), device),
        turn(Rows(4 * std::size_t{world.body_count()}), device),
        v(x.read(), device),
        w(x.read(), device),
        q(Rows(std::size_t{robots.rows} * robots.coordinates), device),
        rate(Rows(std::size_t{robots.rows} * robots.rates), device),
        from(places(), device),
        ray(Rows(kAsked), device),
        cast(Rows(kAsked), device),
        near(Rows(kAsked), device),
        inside(std::vector<std::uint32_t>(kAsked), device),
        sensors(world, looks()) {}

  void ask(const World& world) {
    world.arrays().get_states({x.view(3), turn.view(4), v.view(3), w.view(3)});
    ArticulationArrays coordinates;
    coordinates.q = q.view(robots.coordinates);
    coordinates.v = rate.view(robots.rates);
    world.arrays().get_articulations(coordinates);
    world.arrays().get_articulation_joints({.damping = rate.view(robots.rates)});
    QueryArrays asked;
    asked.position = from.view(3);
    HitArrays hits;
    hits.distance = ray.view();
    world.queries().cast_rays(asked, hits);
    ShapeQuery like{.geometry = ConvexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})};
    hits.distance = cast.view();
    world.queries().cast_shapes(asked, hits, like);
    hits.distance = near.view();
    world.queries().closest(asked, hits, like);
    like.geometry = Sphere{4};
    hits.distance = {};
    hits.body = inside.view();
    world.queries().overlaps(asked, hits, like);
    sensors.update();
  }
  std::vector<std::vector<double>> read() const {
    const std::vector<std::uint32_t> bodies = inside.read();
    std::vector<std::vector<double>> all{
        x.read(),    turn.read(), v.read(),    w.read(),    q.read(),
        rate.read(), ray.read(),  cast.read(), near.read(), {bodies.begin(), bodies.end()}};
    // bit for bit: what a world hasn't is NaN
    for (const NamedArray& array : sensors.list()) {
      std::size_t count = 1;
      for (int i = 0; i < array.view.rank; ++i)
        count *= static_cast<std::size_t>(array.view.shape[static_cast<std::size_t>(i)]);
      std::vector<std::uint32_t> words(count);
      if (array.view.device.kind == Device::Kind::kCpu) {
        std::memcpy(words.data(), array.view.data, count * sizeof(words[0]));
      } else {
        testing_support::users_memory(array.view.device)
            .download(words.data(), array.view.data, count * sizeof(words[0]));
      }
      all.emplace_back(words.begin(), words.end());
    }
    return all;
  }

  ArticulationRows robots;
  Placed<double> x, turn, v, w, q, rate, from, ray, cast, near;
  Placed<std::uint32_t> inside;
  Sensors sensors;

 private:
  /// Something of every kind, on a link or box and on another.
  static SensorSet looks() {
    const Site on{2, {0.1, 0, 0.2}, {0.1f, 0.2f, 0, 1}};
    SensorSet set{.frames = {{on, {1}}}, .imus = {{on}}, .contacts = {{1}, {2, 1}, {5}}, .joints = {{0, 1}, {0, 2}}};
    set.scans = {{.site = on, .directions = {{0, 0, -1}, {1, 0, -0.5f}, {0, 1, 0.5f}}, .axes = RayAxes::kYaw}};
    set.cameras = {{.site = {kWorldBody, {0, 0, 6}}, .width = 8, .height = 6}};
    return set;
  }
  static Rows places() {
    Rows all;
    for (std::size_t i = 0; i < kAsked; ++i) {
      const double k = static_cast<double>(i);
      all.insert(all.end(), {0.25 * k - 4, 0.1 * k - 1, 6});
    }
    return all;
  }
};

std::vector<Scene> robots_and_towers() {
  return {scenes::make("quadrupeds:count=1", kSeed), tower(4), scenes::make("quadrupeds:count=1", kSeed + 1)};
}

TEST_F(GpuGraph, of_a_step_and_of_all_that_is_told_tells_what_the_cpu_does_at_every_launch) {
  const std::vector<Scene> scenes = robots_and_towers();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  Told host(cpu, Device::cpu()), device(cuda, gpu);
  // every call once, with all contacts that there will be
  run(cuda, 20);
  device.ask(cuda);
  cuda.reset();
  cuda.wait();
  capture([&] {
    cuda.step();
    device.ask(cuda);
  });
  for (int i = 0; i < 8; ++i) {
    if (i == 3) {
      for (World* world : {&cpu, &cuda}) world->set_pose(world->bodies(1)[2], {0.5, 0, 5}, {});
    }
    if (i == 5) {
      for (World* world : {&cpu, &cuda}) world->reset(2);
    }
    cpu.step();
    host.ask(cpu);
    launch(1);
    cuda.wait();
    ASSERT_EQ(device.read(), host.read()) << "launch " << i;
  }
  EXPECT_EQ(cuda.state_hashes(), cpu.state_hashes());
}

TEST_F(GpuGraph, of_writes_reads_the_users_arrays_and_masks_at_every_launch) {
  const std::vector<Scene> scenes = robots_and_towers();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  step_both_and_wait(cpu, cuda, 20);
  Told host(cpu, Device::cpu()), device(cuda, gpu);
  host.ask(cpu);
  device.ask(cuda);
  std::vector<std::uint8_t> chosen[] = {{1, 0, 0}, {0, 1, 1}, {0, 0, 0}, {1, 1, 0}};
  Placed<std::uint8_t> mask({0, 0, 0}, gpu);
  Placed<double> target(std::vector<double>(device.q.size(), 0.1), gpu);
  Placed<double> cpu_target(std::vector<double>(device.q.size(), 0.1), Device::cpu());
  const auto write = [](World& world, Told& told, Placed<double>& to, const std::uint8_t* of) {
    world.arrays().reset(of);
    world.arrays().set_states({told.x.view(3), told.turn.view(4), told.v.view(3), told.w.view(3)}, of);
    ArticulationArrays driven;
    driven.target = to.view(told.robots.coordinates);
    world.arrays().set_articulations(driven, of);
    world.arrays().written(Written::kPoses, of);
  };
  write(cuda, device, target, mask.data());
  cuda.step();
  write(cpu, host, cpu_target, chosen[2].data());
  cpu.step();
  cuda.wait();
  capture([&] {
    write(cuda, device, target, mask.data());
    cuda.step();
  });
  for (const std::vector<std::uint8_t>& some : chosen) {
    ok(cudaMemcpyAsync(mask.data(), some.data(), some.size(), cudaMemcpyHostToDevice, stream));
    launch(1);
    write(cpu, host, cpu_target, some.data());
    cpu.step();
    ASSERT_EQ(cuda.state_hashes(), cpu.state_hashes());
  }
}

// The tree of the last query is of poses that a graph has moved since.
TEST_F(GpuGraph, that_ran_out_of_room_leaves_no_old_tree_to_queries) {
  const Scene scene = scenes::make("rain:count=30", kSeed);
  WorldOptions small = on_stream(true);
  small.capacity.pairs = 8;
  World cpu(scene, on(Device::cpu())), cuda(scene, small);
  step_both_and_wait(cpu, cuda, 1);
  std::vector<RayQuery> rays;
  for (int i = 0; i < 60; ++i) rays.push_back({.origin = {0.1 * i - 3, 0.05 * i - 1.5, 50}, .direction = {0, 0, -1}});
  cuda.queries().cast_rays(rays);
  capture([&] { cuda.step(); });
  EXPECT_EQ(cuda.queries().cast_rays(rays), cpu.queries().cast_rays(rays));
  launch(200);
  EXPECT_THROW(cuda.wait(), CapacityError);
  const std::uint64_t steps = cuda.report().steps;
  ASSERT_GT(steps, 1u);
  ASSERT_LT(steps, 201u);
  while (cpu.report().steps < steps) cpu.step();
  ASSERT_EQ(cuda.state_hash(), cpu.state_hash());
  EXPECT_EQ(cuda.queries().cast_rays(rays), cpu.queries().cast_rays(rays));
}

TEST_F(GpuGraph, that_is_never_launched_leaves_the_world_as_if_there_were_none) {
  const std::vector<Scene> scenes = robots_and_towers();
  World cpu(scenes, on(Device::cpu())), cuda(scenes, on_stream(true));
  Told host(cpu, Device::cpu()), device(cuda, gpu);
  for (World* world : {&cpu, &cuda}) {
    world->arrays().reset(nullptr);
    world->step();
  }
  host.ask(cpu);
  device.ask(cuda);
  cuda.wait();
  capture([&] {
    cuda.step();
    cuda.arrays().reset(nullptr);
    device.ask(cuda);
  });
  EXPECT_EQ(cuda.report().steps, 1u);
  for (World* world : {&cpu, &cuda}) {
    world->add_force(world->bodies(1)[1], {0, 500, 0});
    world->step();
  }
  host.ask(cpu);
  device.ask(cuda);
  cuda.wait();
  EXPECT_EQ(device.read(), host.read());
}

// Two Worlds of one stream, or of two that fork and join, in one graph.
TEST_F(GpuGraph, of_two_worlds_steps_both) {
  const Scene pile = scenes::make("pile:count=12", kSeed), robot = scenes::make("quadrupeds:count=1", kSeed);
  cudaStream_t other = nullptr;
  ok(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  for (const bool fork : {false, true}) {
    WorldOptions second = on_stream(true);
    if (fork) second.stream = other;
    World cpu_a(pile, on(Device::cpu())), cpu_b(robot, on(Device::cpu()));
    World cuda_a(pile, on_stream(true)), cuda_b(robot, second);
    step_both_and_wait(cpu_a, cuda_a, 12);
    step_both_and_wait(cpu_b, cuda_b, 12);
    capture([&] {
      if (fork) cuda_b.arrays().wait_stream(stream);
      cuda_a.step();
      cuda_b.step();
      cuda_a.step();
      if (fork) cuda_b.arrays().stream_waits(stream);
    });
    launch(5);
    ok(cudaStreamSynchronize(stream));
    run(cpu_a, 10);
    run(cpu_b, 5);
    EXPECT_EQ(cuda_a.state_hash(), cpu_a.state_hash());
    EXPECT_EQ(cuda_b.state_hash(), cpu_b.state_hash());
    EXPECT_EQ(cuda_a.report().steps, 22u);
  }
  ok(cudaStreamDestroy(other));
}

TEST_F(GpuGraph, is_joined_by_worlds_that_can_be_captured_alone) {
  const Scene pile = scenes::make("pile:count=12", kSeed);
  cudaStream_t other = nullptr;
  ok(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  {
    WorldOptions options = on(gpu);
    options.stream = other;
    World fixed(pile, options);
    options.capturable = true;
    World own(pile, on(gpu)), captured(pile, on_stream(true)), behind(pile, options);
    for (World* world : {&own, &captured, &fixed}) world->wait();
    behind.step();  // which may have to be taken again
    capture([&] {
      EXPECT_THROW(own.arrays().wait_stream(stream), InvalidArgument);
      EXPECT_THROW(own.arrays().stream_waits(stream), InvalidArgument);
      EXPECT_THROW(fixed.arrays().wait_stream(stream), InvalidArgument);
      EXPECT_THROW(behind.arrays().wait_stream(stream), InvalidArgument);
      EXPECT_THROW(captured.arrays().wait_stream(other), InvalidArgument);
      EXPECT_THROW(captured.arrays().stream_waits(other), InvalidArgument);
    });
    World cpu(pile, on(Device::cpu()));
    cpu.step();
    EXPECT_EQ(behind.state_hash(), cpu.state_hash());
  }
  ok(cudaStreamDestroy(other));
}

TEST_F(GpuGraph, on_the_stream_of_a_thread_is_that_of_any_stream) {
  const Scene scene = tower(5);
  const cudaStream_t own = std::exchange(stream, cudaStreamPerThread);
  {
    World cpu(scene, on(Device::cpu())), cuda(scene, on_stream(true));
    step_both_and_wait(cpu, cuda, 3);
    capture([&] { cuda.step(); });
    launch(20);
    run(cpu, 20);
    EXPECT_EQ(cuda.state_hash(), cpu.state_hash());
  }
  stream = own;
}

}  // namespace
}  // namespace cairn::parity
