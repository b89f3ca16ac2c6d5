// Several Worlds on one device: on streams of their own, of the user's or on one together, in turn or from several
// threads. Each ends in the bits that it has alone. With PTX_DEVICE_LATE=1 what is enqueued is late.

#include <cstring>
#include <thread>

#include "cairn/device_arrays.h"
#include "cairn/queries.h"
#include "tests/parity_gpu/on_stream.h"
#include "tests/support/builders.h"

namespace cairn::parity {
namespace {

using namespace testing_support;

/// Also has a second stream.
class GpuStreams : public GpuOnStream {
 protected:
  void SetUp() override {
    GpuOnStream::SetUp();
    if (!IsSkipped()) ok(cudaStreamCreate(&other));  // one that waits for the default stream, and is waited for
  }
  void TearDown() override {
    if (other != nullptr) ok(cudaStreamDestroy(other));
    GpuOnStream::TearDown();
  }
  /// The streams that two Worlds may have: null is one that the World makes.
  std::vector<std::pair<cudaStream_t, cudaStream_t>> pairs() const {
    return {{nullptr, nullptr}, {stream, other}, {stream, stream}, {other, cudaStreamLegacy}, {nullptr, stream}};
  }
  WorldOptions on_this(cudaStream_t which) const {
    WorldOptions options = on(gpu);
    options.stream = which;
    options.capacity = {.bodies = 1, .shapes = 1, .pairs = 1};
    return options;
  }

  cudaStream_t other{nullptr};
};

Scene heap() { return scenes::make("pile:count=14", kSeed); }
Scene robot() { return scenes::make("quadrupeds:count=1", kSeed); }

/// Steps and calls of many kinds, by the number of the step.
void go_on(World& world, int step) {
  const std::vector<BodyHandle> bodies = world.bodies();
  if (step % 9 == 4) world.add_force(bodies.back(), {0, 50, 20});
  if (step % 11 == 7) world.queries().cast_rays(std::vector<RayQuery>{{.origin = {0, 0, 9}, .direction = {0, 0, -1}}});
  if (step == 13) world.reset();
  if (step == 17) world.restore(world.snapshot());
  if (step == 19) world.add_body(ball("new", {0.1, 0.2, 6}));
  world.step();
}

std::uint64_t alone(const Scene& scene, int steps) {
  World world(scene, on(Device::cpu()));
  for (int i = 0; i < steps; ++i) go_on(world, i);
  return world.state_hash();
}

constexpr int kLaunches = 24;

TEST_F(GpuStreams, of_two_worlds_in_turn_give_the_bits_of_each_alone) {
  const std::uint64_t want_a = alone(heap(), kLaunches), want_b = alone(robot(), kLaunches);
  for (const auto& [first, second] : pairs()) {
    World a(heap(), on_this(first)), b(robot(), on_this(second));
    for (int i = 0; i < kLaunches; ++i) {
      // each is ahead now and then
      go_on(i % 2 == 0 ? a : b, i % 2 == 0 ? i : i - 1);
      go_on(i % 2 == 0 ? a : b, i % 2 == 0 ? i + 1 : i);
    }
    EXPECT_EQ(a.state_hash(), want_a);
    EXPECT_EQ(b.state_hash(), want_b);
  }
}

TEST_F(GpuStreams, of_worlds_in_several_threads_give_the_bits_of_each_alone) {
  const std::uint64_t want_a = alone(heap(), kLaunches), want_b = alone(robot(), kLaunches);
  for (const auto& [first, second] : pairs()) {
    std::uint64_t a = 0, b = 0;
    const auto run = [](const Scene& scene, const WorldOptions& options, std::uint64_t& hash) {
      World world(scene, options);
      for (int i = 0; i < kLaunches; ++i) go_on(world, i);
      hash = world.state_hash();
    };
    std::thread on_a(run, heap(), on_this(first), std::ref(a));
    std::thread on_b(run, robot(), on_this(second), std::ref(b));
    on_a.join();
    on_b.join();
    EXPECT_EQ(a, want_a);
    EXPECT_EQ(b, want_b);
  }
}

// What one World tells another takes, and on the host nobody waits for it.
TEST_F(GpuStreams, of_two_worlds_pass_states_from_one_to_the_other) {
  const Scene scene = heap();
  const auto run = [&](World& from, World& to) {
    const std::size_t n = from.body_count();
    Placed<double> x(std::vector<double>(3 * n), from.device()), q(std::vector<double>(4 * n), from.device()),
        v(std::vector<double>(3 * n), from.device()), w(std::vector<double>(3 * n), from.device());
    const StateArrays states{x.view(3), q.view(4), v.view(3), w.view(3)};
    for (int i = 0; i < 6; ++i) {
      from.step();
      if (i % 2 == 0) from.arrays().wait_stream(to.arrays().stream());
      if (i % 2 == 1) to.arrays().stream_waits(from.arrays().stream());
      from.arrays().get_states(states);
      to.step();
      to.arrays().wait_stream(from.arrays().stream());
      to.arrays().set_states(states);
      to.step();
    }
    to.wait();
    from.wait();
    return std::pair{from.state_hash(), to.state_hash()};
  };
  World cpu_from(scene, on(Device::cpu())), cpu_to(scene, on(Device::cpu()));
  const auto wanted = run(cpu_from, cpu_to);
  for (const auto& [first, second] : pairs()) {
    World from(scene, on_this(first)), to(scene, on_this(second));
    EXPECT_EQ(run(from, to), wanted);
  }
}

// What the user's stream writes into a World's arrays, and reads of them.
TEST_F(GpuStreams, of_the_user_and_of_a_world_wait_for_each_other) {
  const auto run = [&](World& world, auto copy) {
    const auto slots = static_cast<std::size_t>(world.arrays().get("force").shape[0]);
    const std::size_t bytes = 3 * slots * sizeof(float);
    std::vector<float> push(3 * slots);
    for (std::size_t i = 0; i < push.size(); ++i) push[i] = static_cast<float>(i % 7);
    Placed<float> forces(push, world.device()), seen(push, world.device());
    for (int i = 0; i < 12; ++i) {
      world.arrays().stream_waits(copy.stream);
      copy(world.arrays().get("force").data, forces.data(), bytes);
      world.arrays().wait_stream(copy.stream);
      world.arrays().written(Written::kLoads);
      world.step();
    }
    world.arrays().stream_waits(copy.stream);
    copy(seen.data(), world.arrays().get("linear_velocity").data, bytes);
    // the World doesn't move what the user still reads
    world.arrays().wait_stream(copy.stream);
    world.step();
    world.wait();
    return std::pair{seen.read(), world.state_hash()};
  };
  struct OnHost {
    void* stream{nullptr};
    void operator()(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
  };
  struct OnDevice {
    cudaStream_t stream;
    void operator()(void* to, const void* from, std::size_t bytes) const {
      ok(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
    }
  };
  World cpu(heap(), on(Device::cpu()));
  const auto wanted = run(cpu, OnHost{});
  for (const auto& [of_world, of_user] : pairs()) {
    if (of_user == nullptr) continue;
    World cuda(heap(), on_this(of_world));
    EXPECT_EQ(run(cuda, OnDevice{of_user}), wanted);
  }
  World cuda(heap(), on_this(nullptr));
  EXPECT_THROW(cuda.arrays().wait_stream(nullptr), InvalidArgument);
  EXPECT_THROW(cuda.arrays().stream_waits(nullptr), InvalidArgument);
  EXPECT_THROW(cpu.arrays().wait_stream(stream), InvalidArgument);
}

}  // namespace
}  // namespace cairn::parity
