// Worlds, streams, graphs, snapshots and tensors that end in every order that the docs allow, with work in flight.
// What a test takes it must give back (GpuOnStream), and no error may be left.

#include <memory>
#include <thread>

#include "cairn/device_arrays.h"
#include "src/interop/dlpack.h"
#include "tests/parity_gpu/on_stream.h"
#include "tests/support/builders.h"

namespace cairn::parity {
namespace {

using namespace testing_support;

using GpuLifetime = GpuOnStream;

Scene pile() { return scenes::make("pile:count=14", kSeed); }

std::uint64_t stepped(const Scene& scene, int steps) {
  World world(scene, on(Device::cpu()));
  run(world, steps);
  return world.state_hash();
}

TEST_F(GpuLifetime, of_a_world_may_end_with_steps_in_flight) {
  const std::uint64_t wanted = stepped(pile(), 12);
  World other(pile(), on_stream(false)), own(pile(), on(gpu));
  for (int steps = 0; steps < 12; ++steps) {
    other.step();
    own.step();
    for (const WorldOptions& options : {on_stream(false), on_stream(true), on(gpu)}) {
      World world(pile(), options);
      run(world, steps);
    }
  }
  EXPECT_EQ(other.state_hash(), wanted);
  EXPECT_EQ(own.state_hash(), wanted);
}

TEST_F(GpuLifetime, of_a_graph_may_end_before_that_of_its_world_or_after) {
  const std::uint64_t wanted = stepped(pile(), 30);
  for (const bool graph_first : {true, false}) {
    auto world = std::make_unique<World>(pile(), on_stream(true));
    run(*world, 20);
    world->wait();
    capture([&] { world->step(); });
    launch(10);
    if (graph_first) {
      // in flight, where the device is late
      ok(cudaGraphExecDestroy(std::exchange(executable, nullptr)));
      EXPECT_EQ(world->state_hash(), wanted);
    }
    world.reset();
  }
}

TEST_F(GpuLifetime, of_a_world_that_is_moved_goes_on) {
  const std::uint64_t wanted = stepped(pile(), 20);
  World first(pile(), on_stream(true));
  run(first, 10);
  World second(std::move(first));
  run(second, 2);
  // takes the place of one with steps in flight, on another stream
  World third(tower(3), on(gpu));
  run(third, 3);
  third = std::move(second);
  third.step();
  third.wait();
  capture([&] { third.step(); });
  launch(7);
  EXPECT_EQ(third.state_hash(), wanted);
}

TEST_F(GpuLifetime, of_a_snapshot_outlasts_its_world_and_its_stream) {
  const std::uint64_t wanted = stepped(pile(), 20);
  cudaStream_t gone = nullptr;
  ok(cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking));
  std::unique_ptr<Snapshot> snapshot;
  std::unique_ptr<Recording> recording;
  {
    WorldOptions options = on(gpu);
    options.stream = gone;
    World world(pile(), options);
    world.start_recording();
    run(world, 10);
    snapshot = std::make_unique<Snapshot>(world.snapshot());
    recording = std::make_unique<Recording>(world.stop_recording());
    run(world, 3);
  }
  ok(cudaStreamDestroy(gone));
  World restored(*snapshot, on_stream(false)), into(tower(2), on_stream(true));
  run(into, 3);
  into.restore(*snapshot);
  snapshot.reset();
  run(restored, 10);
  run(into, 10);
  EXPECT_EQ(restored.state_hash(), wanted);
  EXPECT_EQ(into.state_hash(), wanted);
  EXPECT_FALSE(replay(*recording, on_stream(false)).difference.has_value());
}

TEST_F(GpuLifetime, of_a_tensor_keeps_its_world) {
  auto world = std::make_shared<World>(pile(), on_stream(false));
  world->step();
  const ArrayView view = world->arrays().get("position");
  DLManagedTensorVersioned* tensor = to_dlpack(view, world);
  world->step();
  const std::weak_ptr<World> seen = world;
  world.reset();
  EXPECT_FALSE(seen.expired());
  std::vector<float> position(3 * static_cast<std::size_t>(view.shape[0]));
  ok(cudaMemcpyAsync(position.data(), view.data, position.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  ok(cudaStreamSynchronize(stream));
  World cpu(pile(), on(Device::cpu()));
  run(cpu, 2);
  const auto* wanted = static_cast<const float*>(cpu.arrays().get("position").data);
  EXPECT_EQ(position, std::vector<float>(wanted, wanted + position.size()));
  tensor->deleter(tensor);
  EXPECT_TRUE(seen.expired());
}

TEST_F(GpuLifetime, of_a_world_may_end_in_another_thread) {
  const std::uint64_t wanted = stepped(pile(), 15);
  auto world = std::make_unique<World>(pile(), on_stream(true));
  run(*world, 10);
  std::thread([&] {
    run(*world, 5);
    EXPECT_EQ(world->state_hash(), wanted);
    world->step();
    world.reset();
  }).join();
}

TEST_F(GpuLifetime, of_fields_on_bodies_ends_before_that_of_their_world) {
  World world(pile(), on_stream(false)), cpu(pile(), on(Device::cpu()));
  for (World* each : {&world, &cpu}) {
    BodyFields fields(*each);
    fields.add(fields::Wind{.velocity = {3, 0, 0}, .linear = 2});
    each->step();
    fields.apply();
    // what they pushed is in flight, and reads their arrays
  }
  run(world, 5);
  run(cpu, 5);
  EXPECT_EQ(world.state_hash(), cpu.state_hash());
}

TEST_F(GpuLifetime, of_what_can_not_be_made_leaves_nothing) {
  Scene wrong = pile();
  StepParams params = wrong.params();
  params.solver = SolverKind::kHertzMindlin;
  wrong.set_params(params);
  EXPECT_THROW(World(wrong, on_stream(false)), InvalidArgument);
  const std::string bytes = World(pile(), on(gpu)).snapshot().to_bytes();
  EXPECT_THROW(Snapshot::from_bytes(bytes.substr(0, bytes.size() / 2), "half"), SnapshotError);
  capture([&] { EXPECT_THROW(World(pile(), on_stream(false)), InvalidArgument); });
}

}  // namespace
}  // namespace cairn::parity
