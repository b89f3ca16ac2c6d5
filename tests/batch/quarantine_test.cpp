// A world that passes its limits is frozen as it was before the step, and says which body, when and why.

#include <algorithm>
#include <functional>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

/// A ball that flies and spins by itself, without gravity.
Scene flyer(Vec3 linear, Vec3 angular) { return afloat({moving(ball("ball", {}), linear, angular)}); }

struct Passed {
  const char* name;
  Vec3 linear, angular;
  WorldLimits limits;
  std::uint32_t status;
  std::uint64_t first_bad_step;
};

// steps of 1/64 s, so that positions are exact
constexpr float kDt = 1.0f / 64;

TEST(Quarantine, freezes_a_world_at_its_limits_with_the_step_the_body_and_the_reason) {
  const Passed cases[] = {
      // at 1/2 m a step it is on the face after 4 steps, which is still inside, and past it after 5
      {"upper", {32, 0, 0}, {}, {.upper = {2, 1, 1}}, kStatusOutOfBounds, 5},
      {"lower", {0, 0, -32}, {}, {.lower = {-1, -1, -3}}, kStatusOutOfBounds, 7},
      {"speed", {3, 4, 12}, {}, {.speed = 12.999f}, kStatusTooFast, 1},
      {"speed within", {3, 4, 12}, {}, {.speed = 13}, 0, 0},
      {"angular speed", {}, {2, 3, 6}, {.angular_speed = 6.99f}, kStatusTooFast, 1},
      {"angular speed within", {}, {2, 3, 6}, {.angular_speed = 7.01f}, 0, 0},
      {"both", {64, 0, 0}, {}, {.upper = {0.5f, 1, 1}, .speed = 10}, kStatusOutOfBounds | kStatusTooFast, 1},
  };
  for (const Passed& c : cases) {
    World world = World::copies(flyer(c.linear, c.angular), 3, cpu());
    World alone(flyer(c.linear, c.angular), cpu());
    world.set_limits(c.limits, 1);
    EXPECT_EQ(world.limits(1), c.limits);
    EXPECT_EQ(world.limits(2), WorldLimits{});
    std::vector<std::uint64_t> hashes{world.state_hashes()[1]};
    for (int i = 0; i < 10; ++i) {
      world.step(kDt);
      alone.step(kDt);
      hashes.push_back(world.state_hashes()[1]);
      EXPECT_EQ(world.state_hashes()[0], alone.state_hash()) << c.name;
      EXPECT_EQ(world.state_hashes()[2], alone.state_hash()) << c.name;
    }
    const std::vector<WorldReport> reports = world.reports();
    ASSERT_EQ(reports.size(), 3u);
    EXPECT_EQ(reports[0].status | reports[2].status, 0u) << c.name;
    const WorldReport& r = reports[1];
    EXPECT_EQ(r.status, c.status) << c.name;
    EXPECT_EQ(r.first_bad_step, c.first_bad_step) << c.name;
    EXPECT_EQ(world.report().status, c.status) << c.name;
    if (c.status == 0) continue;
    EXPECT_EQ(r.first_bad, world.bodies(1)[0]) << c.name;
    EXPECT_EQ(r.steps, c.first_bad_step - 1) << c.name;
    for (std::size_t i = r.steps; i < hashes.size(); ++i) EXPECT_EQ(hashes[i], hashes[r.steps]) << c.name;
  }
}

TEST(Quarantine, a_scene_brings_its_limits_along_and_a_batch_takes_new_ones_for_all) {
  Scene scene = flyer({10, 0, 0}, {});
  scene.set_limits({.speed = 5});
  World world = World::copies(scene, 2, cpu());
  world.step();
  EXPECT_EQ(world.report(0).status, kStatusTooFast);
  EXPECT_EQ(world.report(1).status, kStatusTooFast);
  // mended, both go on from where they are
  world.set_limits({.speed = 50});
  world.clear_status();
  run(world, 3);
  for (const WorldReport& r : world.reports()) {
    EXPECT_EQ(r.status, 0u);
    EXPECT_EQ(r.first_bad_step, 0u);
    EXPECT_EQ(r.steps, 3u);
  }
}

TEST(Quarantine, of_many_worlds_with_limits_of_their_own_each_goes_on_as_if_alone) {
  const Scene tower = scenes::make("tower:height=5", 1);
  constexpr std::uint32_t kWorlds = 64;
  World all = World::copies(tower, kWorlds, cpu(2));
  const auto limits_of = [](std::uint32_t w) {
    return WorldLimits{.speed = w % 3 == 0 ? 1e5f : 0.0005f + 0.0002f * static_cast<float>(w)};
  };
  for (std::uint32_t w = 0; w < kWorlds; ++w) all.set_limits(limits_of(w), w);
  run(all, 40);
  const auto hashes = all.state_hashes();
  std::uint32_t frozen = 0;
  for (std::uint32_t w = 0; w < kWorlds; ++w) {
    World one(tower, cpu());
    one.set_limits(limits_of(w));
    run(one, 40);
    EXPECT_EQ(hashes[w], one.state_hash()) << w;
    EXPECT_EQ(all.report(w).status, one.report(0).status) << w;
    EXPECT_EQ(all.report(w).first_bad_step, one.report(0).first_bad_step) << w;
    frozen += one.report(0).status != 0 ? 1 : 0;
  }
  EXPECT_GT(frozen, 5u);
  EXPECT_LT(frozen, kWorlds - 20);
}

/// Boxes beside a frozen one touch it in contacts that are not solved. Their colours must be of their own, or a sweep
/// would push one body from two rows at once when the world goes on.
TEST(Quarantine, what_comes_to_a_frozen_world_waits_with_it_and_gets_colours_of_its_own) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 5}) {
    Scene scene = afloat({box("there", {})});
    scene.set_limits({.speed = 20});
    World world(scene, cpu(threads));
    world.step();
    world.add_force(world.bodies()[0], {1e9f, 0, 0});
    world.step();
    ASSERT_EQ(world.report(0).status, kStatusTooFast);
    for (int i = 0; i < 12; ++i) {
      const double turn = 0.5 * i;
      world.add_body(box("beside" + std::to_string(i), {0.9 * std::cos(turn), 0.9 * std::sin(turn), 0.1 * i}));
    }
    const std::vector<BodyState> before = states(world);
    for (int i = 0; i < 3; ++i) {
      world.step();
      EXPECT_NO_THROW(Snapshot::from_bytes(world.snapshot().to_bytes(), "frozen")) << i << ", " << threads;
    }
    EXPECT_EQ(states(world), before);
    EXPECT_EQ(world.report(0).steps, 1u);
    World restored(world.snapshot(), cpu(threads));
    for (World* each : {&world, &restored}) {
      each->clear_status();
      for (int i = 0; i < 10; ++i) {
        each->step();
        EXPECT_NO_THROW(Snapshot::from_bytes(each->snapshot().to_bytes(), "cleared")) << i << ", " << threads;
      }
      EXPECT_EQ(each->report(0).status, 0u);
      hashes.push_back(each->state_hash());
    }
  }
  EXPECT_EQ(std::ranges::count(hashes, hashes[0]), std::ssize(hashes));
}

/// Whatever is done to bodies of a frozen world, none of them moves by a step, and its snapshots are read again.
TEST(Quarantine, edits_of_a_frozen_world_move_nothing) {
  for (const bool sleeping : {false, true}) {
    Scene scene = tower(4, sleeping ? with_sleeping() : StepParams{});
    scene.add_body(box("side", {3, 0, 0.5}, BodyType::kStatic));
    scene.add_body(ball("shot", {0, 9, 0.5}));
    World world(scene, cpu(2));
    run(world, 120);
    const std::vector<BodyHandle> bodies = world.bodies();
    EXPECT_EQ(world.asleep(bodies[2]), sleeping);
    world.set_velocity(bodies.back(), {2e5f, 0, 0}, {});
    world.step();
    ASSERT_NE(world.report(0).status, 0u);
    const std::function<void()> edits[] = {[&] { world.set_mass(bodies[1], 10); },
                                           [&] { world.wake(bodies[2]); },
                                           [&] { world.set_type(bodies[5], BodyType::kDynamic); },
                                           [&] { world.set_type(bodies[2], BodyType::kKinematic); },
                                           [&] { world.set_type(bodies[2], BodyType::kDynamic); },
                                           [&] {
                                             world.set_pose(bodies[4], {0.5, 0.5, 1.5}, {});
                                           },
                                           [&] {
                                             world.set_velocity(bodies[3], {0, 0, 3}, {});
                                           },
                                           [&] {
                                             world.add_body(box("late", {0, 0.9, 0.5}));
                                           },
                                           [&] { world.remove_body(bodies[1]); },
                                           [&] { world.restore(world.snapshot()); },
                                           [&] { world.restore(world.snapshot(), 0, 0); }};
    for (const auto& edit : edits) {
      edit();
      const std::vector<BodyState> before = states(world);
      for (int i = 0; i < 2; ++i) {
        world.step();
        ASSERT_NO_THROW(Snapshot::from_bytes(world.snapshot().to_bytes(), "frozen")) << &edit - edits;
      }
      EXPECT_EQ(states(world), before) << &edit - edits;
    }
    world.set_velocity(bodies.back(), {}, {});
    World other(world.snapshot(), cpu(5));
    for (World* each : {&world, &other}) {
      each->clear_status();
      run(*each, 30);
    }
    EXPECT_EQ(world.report(0).status, 0u);
    EXPECT_EQ(world.state_hash(), other.state_hash());
    EXPECT_EQ(world.report(0).steps, 120u + 30u) << "it goes on";
    world.reset();
    EXPECT_NO_THROW(Snapshot::from_bytes(world.snapshot().to_bytes(), "reset"));
  }
}

TEST(Quarantine, refuses_limits_that_are_none) {
  World world(flyer({}, {}), cpu());
  Scene scene;
  const auto refuses = [&](const WorldLimits& limits, std::initializer_list<const char*> words) {
    EXPECT_THROW(scene.set_limits(limits), InvalidArgument);
    EXPECT_TRUE(refused(
        world, [&] { world.set_limits(limits); }, words));
    EXPECT_TRUE(refused(
        world, [&] { world.set_limits(limits, 0); }, words));
    EXPECT_EQ(world.limits(), WorldLimits{});
  };
  refuses({.lower = {0, 0, 0}, .upper = {1, 0, 1}}, {"limits", "upper.y", "over 0"});
  refuses({.lower = {-2e7f, 0, 0}}, {"lower.x", "1e7", "-2e+07"});
  refuses({.upper = {0, 0, NAN}}, {"upper.z", "finite"});
  refuses({.speed = 0}, {"speed", "1e5 m/s", "0"});
  refuses({.speed = 2e5f}, {"speed"});
  refuses({.angular_speed = -1}, {"angular_speed", "-1"});
  EXPECT_THROW(world.set_limits(WorldLimits{}, 1), InvalidArgument);
}

}  // namespace
}  // namespace cairn::batch_test
