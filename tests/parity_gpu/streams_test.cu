// Several Worlds on one device: on streams of their own, of the user's or on one together, in turn or from several
// threads. Each ends in the bits that it has alone. With PTX_DEVICE_LATE=1 what is enqueued is late.

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

Scene pile() { return scenes::make("pile:count=14", kSeed); }
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

constexpr int kSteps = 24;

TEST_F(GpuStreams, of_two_worlds_in_turn_give_the_bits_of_each_alone) {
  const std::uint64_t want_a = alone(pile(), kSteps), want_b = alone(robot(), kSteps);
  for (const auto& [first, second] : pairs()) {
    World a(pile(), on_this(first)), b(robot(), on_this(second));
    for (int i = 0; i < kSteps; ++i) {
      // each is ahead now and then
      go_on(i % 2 == 0 ? a : b, i % 2 == 0 ? i : i - 1);
      go_on(i % 2 == 0 ? a : b, i % 2 == 0 ? i + 1 : i);
    }
    EXPECT_EQ(a.state_hash(), want_a);
    EXPECT_EQ(b.state_hash(), want_b);
  }
}

TEST_F(GpuStreams, of_worlds_in_several_threads_give_the_bits_of_each_alone) {
  const std::uint64_t want_a = alone(pile(), kSteps), want_b = alone(robot(), kSteps);
  for (const auto& [first, second] : pairs()) {
    std::uint64_t a = 0, b = 0;
    const auto run = [](const Scene& scene, const WorldOptions& options, std::uint64_t& hash) {
      World world(scene, options);
      for (int i = 0; i < kSteps; ++i) go_on(world, i);
      hash = world.state_hash();
    };
    std::thread on_a(run, pile(), on_this(first), std::ref(a));
    std::thread on_b(run, robot(), on_this(second), std::ref(b));
    on_a.join();
    on_b.join();
    EXPECT_EQ(a, want_a);
    EXPECT_EQ(b, want_b);
  }
}

// What one World tells another takes, behind an event, and nobody waits.
TEST_F(GpuStreams, of_two_worlds_pass_states_from_one_to_the_other) {
  const Scene scene = pile();
  cudaEvent_t told = nullptr, taken = nullptr;
  ok(cudaEventCreateWithFlags(&told, cudaEventDisableTiming));
  ok(cudaEventCreateWithFlags(&taken, cudaEventDisableTiming));
  const auto arrays = [](Placed<double>& x, Placed<double>& q, Placed<double>& v, Placed<double>& w) {
    return StateArrays{x.view(3), q.view(4), v.view(3), w.view(3)};
  };
  const auto run = [&](World& from, World& to, const Device& device, bool events) {
    const std::size_t n = from.body_count();
    Placed<double> x(std::vector<double>(3 * n), device), q(std::vector<double>(4 * n), device),
        v(std::vector<double>(3 * n), device), w(std::vector<double>(3 * n), device);
    for (int i = 0; i < 6; ++i) {
      from.step();
      if (events) ok(cudaStreamWaitEvent(stream, taken, 0));
      from.arrays().get_states(arrays(x, q, v, w));
      if (events) ok(cudaEventRecord(told, stream));
      to.step();
      if (events) ok(cudaStreamWaitEvent(other, told, 0));
      to.arrays().set_states(arrays(x, q, v, w));
      if (events) ok(cudaEventRecord(taken, other));
      to.step();
    }
    to.wait();
    from.wait();
    return std::pair{from.state_hash(), to.state_hash()};
  };
  World cpu_from(scene, on(Device::cpu())), cpu_to(scene, on(Device::cpu()));
  const auto wanted = run(cpu_from, cpu_to, Device::cpu(), false);
  {
    World from(scene, on_this(stream)), to(scene, on_this(other));
    EXPECT_EQ(run(from, to, gpu, true), wanted);
  }
  ok(cudaEventDestroy(told));
  ok(cudaEventDestroy(taken));
}

}  // namespace
}  // namespace cairn::parity
