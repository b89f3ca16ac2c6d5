// A CUDA device that runs out of memory, at the n-th allocation for every n: a call is made, or it throws
// CapacityError, nothing has changed, and nothing is lost. Allocations of device memory count, and page-locked ones,
// streams and graphs. What fails on the CPU too is in tests/memory.

#include <memory>
#include <optional>

#include "tests/fields/bodies.h"
#include "tests/memory/trial.h"
#include "tests/parity_gpu/parity.h"
#include "tests/parity_gpu/short_device.h"
#include "tests/support/long_run.h"
#include "tests/support/placed.h"

namespace cairn::parity {
namespace {

using namespace testing_support;

/// What a test takes of the device it must give back.
class GpuMemory : public GpuParity {
 protected:
  void SetUp() override {
    GpuParity::SetUp();
    if (IsSkipped()) return;
    if (!ShortDevice::available()) GTEST_SKIP() << "skipped: this device can't be told to run out of memory";
    users_memory(gpu);
    alive = ShortDevice::alive();
  }
  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_EQ(ShortDevice::alive(), alive) << "something wasn't given back";
  }
  /// With room for almost nothing.
  WorldOptions tiny() const {
    WorldOptions options = on(gpu);
    options.capacity = {.bodies = 1, .shapes = 1, .pairs = 1};
    return options;
  }

  unsigned long long alive{0};
};

class GpuMemoryOfCalls : public GpuMemory, public testing::WithParamInterface<SampleWorld> {};
INSTANTIATE_TEST_SUITE_P(Worlds, GpuMemoryOfCalls, testing::ValuesIn(sample_worlds()),
                         [](const auto& row) { return std::string(row.param.name); });

constexpr int kLooked = 4;  // [1] steps after a call
constexpr std::uint32_t kChoice = 3;

/// Makes the call again and again on one World, which keeps the room that it has got, with another allocation failing
/// each time; gives how many did.
std::size_t at_each_allocation(const SampleWorld& sample, const WorldOptions& options, const WorldCall& call) {
  World after = sample.make(options);
  const End wanted = make<ShortDevice>(*prepared(call, after, kChoice), kEverything, false).end;
  const Seen with = look(after, kLooked);
  World world = sample.make(options);
  const Ready ready = *prepared(call, world, kChoice);
  const std::string before = bytes_of(world);
  std::size_t tried = 0;
  for (int n = 0;; ++tried) {
    const unsigned long long had = ShortDevice::alive();
    const Outcome got = make<ShortDevice>(ready, n, false);
    if (got.end != End::kOutOfMemory) {
      // it was made, perhaps without what can be done without
      const auto same = same_as(with, world, kLooked);
      EXPECT_TRUE(same && got.end == wanted) << call.name << " at allocation " << tried << ": " << same.message();
      if (!got.short_of) return tried;
      // those after one that it can do without: each time on a new World
      return tried + at_every_block<ShortDevice>(sample, options, call, {}, kLooked);
    }
    EXPECT_EQ(bytes_of(world), before) << call.name << " at allocation " << tried;
    // what was got isn't asked for again, unless it was given back
    n = ShortDevice::alive() == had ? n + 1 : 1;
  }
}

TEST_P(GpuMemoryOfCalls, are_made_or_not_made_at_every_allocation) {
  std::size_t tried = 0;
  std::optional<World> probe;
  for (const WorldCall& call : world_calls()) {
    if (!probe) probe.emplace(GetParam().make(on(gpu)));
    const std::optional<Ready> ready = prepared(call, *probe, kChoice);
    if (!ready) continue;
    make<ShortDevice>(*ready, kEverything, false);
    if (ShortDevice::taken() == 0) continue;
    probe.reset();
    tried += at_each_allocation(GetParam(), on(gpu), call);
    if (!is_long()) continue;
    // each time on a new World
    tried += at_every_block<ShortDevice>(GetParam(), on(gpu), call, {}, kLooked);
    tried += at_every_block<ShortDevice>(GetParam(), on(gpu), call, {.stays_full = true}, kLooked);
  }
  std::printf("%s: %zu pairs of a call and an allocation that failed\n", GetParam().name, tried);
  EXPECT_GT(tried, 30u);
}

TEST_F(GpuMemory, of_worlds_that_can_not_be_made_is_given_back_at_every_allocation) {
  WorldOptions traced = on(gpu);
  traced.contact_events = traced.trace = traced.capturable = true;
  const std::vector<Scene> scenes{tower(2), scenes::make("pile:count=5", kSeed)};
  const Scene robots = scenes::make("quadrupeds:count=1", kSeed), water = scenes::make("dam_break:side=2", kSeed),
              ragdoll = scenes::make("ragdolls:count=1", kSeed);
  World sample(robots, on(Device::cpu()));
  sample.step();
  const Snapshot snapshot = sample.snapshot();
  const Ready ways[] = {[&] { World(scenes, on(gpu)); },
                        [&] { World(robots, on(gpu)); },
                        [&] { World(water, on(gpu)); },
                        [&] { World(ragdoll, traced); },
                        [&] { World::copies(robots, 2, tiny()); },
                        [&] { World(snapshot, on(gpu)); },
                        [&] { World::copies(snapshot, 2, traced); }};
  for (const Ready& way : ways) {
    for (const bool stays_full : {false, true}) {
      int n = 0;
      for (Outcome got{.short_of = true}; got.short_of; ++n) {
        got = make<ShortDevice>(way, n, stays_full);
        ASSERT_EQ(got.end, got.short_of ? End::kOutOfMemory : End::kMade) << n;
        ASSERT_EQ(ShortDevice::alive(), alive) << n;
      }
      EXPECT_GT(n, 50) << "a World takes more than that";
    }
  }
}

/// Scenes that outgrow their first room, for pairs, rows or neighbours.
std::vector<Scene> growing(const std::string& spec) {
  if (spec == "batch") {
    const Scene pile = scenes::make("pile:count=4", kSeed), more = scenes::make("pile:count=7", kSeed);
    return {pile, more, pile};
  }
  return {scenes::make(spec, kSeed)};
}

class GpuMemoryOfSteps : public GpuMemory, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scenes, GpuMemoryOfSteps,
                         testing::Values("pile:count=6", "four_bar", "quadrupeds:count=1", "dam_break:side=2", "batch"),
                         [](const auto& row) {
                           std::string name = row.param;
                           return name.substr(0, name.find(':'));
                         });

constexpr std::uint64_t kSteps = 8;

TEST_P(GpuMemoryOfSteps, that_grow_goes_on_as_if_nothing_had_failed_at_every_allocation) {
  const std::vector<Scene> scenes = growing(GetParam());
  std::vector<std::uint64_t> wanted;
  World cpu(scenes, on(Device::cpu()));
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    wanted.push_back(cpu.state_hash());
    cpu.step();
  }
  wanted.push_back(cpu.state_hash());
  // one at a time, then all of them in flight when the room turns out too small
  for (const std::uint64_t in_flight : {std::uint64_t{1}, kSteps}) {
    int n = 0;
    for (bool failed = true; failed; ++n) {
      ASSERT_LT(n, 2000);
      World world(scenes, tiny());
      failed = false;
      std::optional<ShortDevice> shortage(std::in_place, n);
      while (world.report().steps < kSteps) {
        try {
          for (std::uint64_t i = 0; i < in_flight; ++i) world.step();
          world.wait();
        } catch (const CapacityError&) {
          ASSERT_FALSE(failed) << "only one allocation fails";
          failed = true;
          shortage.reset();
          const std::uint64_t steps = world.report().steps;
          ASSERT_LE(steps, kSteps);
          ASSERT_EQ(world.state_hash(), wanted[steps]) << "step " << steps << ", allocation " << n;
        }
      }
    }
    EXPECT_GT(n, 5) << "a World grows by more than that";
  }
}

/// What `use` gives of a thing on the CPU it must give on the device too, after it has failed at every allocation; and
/// a thing that can't be made must leave nothing.
template <class Make, class Use>
void expect_made_or_not(const Device& gpu, const Make& made_on, const Use& use) {
  auto cpu = made_on(Device::cpu());
  const auto wanted = use(*cpu);
  int n = 0;
  for (Outcome got{.short_of = true}; got.short_of; ++n) {
    const unsigned long long before = ShortDevice::alive();
    got = make<ShortDevice>([&] { made_on(gpu); }, n, false);
    ASSERT_EQ(got.end, got.short_of ? End::kOutOfMemory : End::kMade) << n;
    ASSERT_EQ(ShortDevice::alive(), before) << n;
  }
  EXPECT_GT(n, 5);
  n = 0;
  for (Outcome got{.short_of = true}; got.short_of; ++n) {
    auto thing = made_on(gpu);
    got = make<ShortDevice>([&] { use(*thing); }, n, false);
    ASSERT_EQ(got.end, got.short_of ? End::kOutOfMemory : End::kMade) << n;
    ASSERT_EQ(use(*thing), wanted) << n;
  }
}

TEST_F(GpuMemory, of_particle_systems_runs_out_at_every_allocation) {
  ParticleStates states;
  for (int i = 0; i < 40; ++i) states.position.push_back({0.1 * i, 0.2 * (i % 5), 0.3 * (i % 3)});
  expect_made_or_not(
      gpu,
      [&](const Device& device) {
        auto system = std::make_unique<ParticleSystem>(states, device);
        for (const fields::Any& field : ready_made()) system->add(field);
        return system;
      },
      [&](ParticleSystem& system) {
        system.set_state(states);
        system.set_time(0);
        system.integrate(0.02, 0.01, Integrator::kVerlet);
        system.integrate(0.03, 0.01, Integrator::kRungeKutta4);
        system.potential_energy();
        return system.state_hash();
      });
}

TEST_F(GpuMemory, of_articulations_runs_out_at_every_allocation) {
  const Articulation robot = scenes::make("quadrupeds:count=1", kSeed).articulations().front().description;
  expect_made_or_not(
      gpu, [&](const Device& device) { return std::make_unique<Articulations>(robot, 3, device); },
      [](Articulations& robots) {
        const std::vector<double> rates(robots.dofs() * std::size_t{robots.count()}, 0.25);
        std::vector<double> all = robots.mass_matrix();
        for (const auto& more : {robots.inverse_dynamics(rates), robots.forward_dynamics(), robots.jacobian(2, {})})
          all.insert(all.end(), more.begin(), more.end());
        return all;
      });
}

TEST_F(GpuMemory, of_fields_on_bodies_runs_out_at_every_allocation) {
  struct Pushed {
    World world;
    BodyFields fields{world};
  };
  const Scene scene = cloud(30);
  expect_made_or_not(
      gpu,
      [&](const Device& device) {
        std::unique_ptr<Pushed> pushed(new Pushed{World(scene, on(device))});
        for (const fields::Any& field : ready_made()) pushed->fields.add(field);
        return pushed;
      },
      [](Pushed& pushed) {
        pushed.world.reset();
        pushed.fields.apply();
        pushed.world.step();
        return pushed.world.state_hash();
      });
}

}  // namespace
}  // namespace cairn::parity
