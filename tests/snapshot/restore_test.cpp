// A World that is restored goes on with the bits of the one that the snapshot was taken of.

#include "tests/snapshot/runs.h"

namespace cairn::snapshot_test {
namespace {

using namespace testing_support;

class Restore : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Restore, testing::ValuesIn(kVariants), name_of_variant);

TEST_P(Restore, of_a_batch_goes_on_bit_for_bit_here_and_elsewhere) {
  World world(mixed_scenes(GetParam()), traced(2));
  World young(through_bytes(world.snapshot()), traced());
  EXPECT_EQ(steps_of(young, kBefore), steps_of(world, kBefore)) << "from before the first step";
  const Snapshot taken = world.snapshot();
  const Told then = told(world);
  const std::vector<Told> wanted = steps_of(world, kAfter);

  world.restore(taken);
  EXPECT_EQ(world.state_hashes(), then.worlds);
  EXPECT_EQ(world.report().steps, std::uint64_t{kBefore});
  EXPECT_EQ(steps_of(world, kAfter), wanted) << "into the same World";
  for (const int threads : {1, 3}) {
    World other(through_bytes(taken), traced(threads));
    EXPECT_EQ(other.state_hashes(), then.worlds);
    EXPECT_EQ(steps_of(other, kAfter), wanted) << "into a new World of " << threads << " threads";
  }
  World unlike(scenes::make("tower:height=3", 5), traced());
  unlike.step();
  unlike.restore(taken);
  EXPECT_EQ(steps_of(unlike, kAfter), wanted) << "into a World of another scene";
}

TEST_P(Restore, after_edits_goes_on_bit_for_bit_and_takes_the_same_edits) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    World world(mixed_scenes(GetParam()), traced());
    std::mt19937 random(seed);
    for (int i = 0; i < 2 * kBefore; ++i) {
      edit(world, random);
      if (i % 2 == 0) world.step();
    }
    for (int i = 0; i < 5; ++i) edit(world, random);
    const Snapshot taken = through_bytes(world.snapshot());
    World other(taken, traced(2));
    EXPECT_EQ(other.bodies(), world.bodies());
    for (const BodyHandle body : world.bodies()) {
      ASSERT_EQ(other.description(body), world.description(body));
      ASSERT_EQ(other.asleep(body), world.asleep(body));
    }
    for (std::uint32_t w = 0; w < world.world_count(); ++w) {
      EXPECT_EQ(other.materials(w), world.materials(w));
      EXPECT_EQ(other.params(w), world.params(w));
      EXPECT_EQ(other.scales().get(w), world.scales().get(w));
      EXPECT_EQ(other.origin(w), world.origin(w));
      EXPECT_EQ(other.scales().seed(w), world.scales().seed(w));
    }
    EXPECT_EQ(other.report().high_water, world.report().high_water);
    EXPECT_EQ(other.contacts().size(), world.contacts().size());
    std::mt19937 here(seed + 100), there(seed + 100);
    for (int i = 0; i < kAfter; ++i) {
      edit(world, here);
      edit(other, there);
      world.step(i % 7 == 0 ? 0.01f : 1.0f / 60.0f);
      other.step(i % 7 == 0 ? 0.01f : 1.0f / 60.0f);
      ASSERT_EQ(told(other), told(world)) << "seed " << seed << ", step " << i;
    }
    EXPECT_EQ(other.bodies(), world.bodies());
  }
}

TEST_P(Restore, of_one_world_goes_on_bit_for_bit_in_any_place_of_any_batch) {
  const std::vector<Scene> scenes = mixed_scenes(GetParam());
  World world(scenes, cpu(2));
  run(world, kBefore);
  std::vector<Snapshot> taken;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) taken.push_back(through_bytes(world.snapshot(w)));
  const Snapshot whole = world.snapshot();
  run(world, kAfter);
  const std::vector<std::uint64_t> wanted = world.state_hashes();

  for (std::uint32_t w = 0; w < wanted.size(); ++w) {
    World alone(taken[w], cpu());
    EXPECT_EQ(alone.report().steps, std::uint64_t{kBefore});
    run(alone, kAfter);
    EXPECT_EQ(alone.state_hash(), wanted[w]) << kMixed[w] << " alone";
  }
  // each into the place of another, larger or smaller: a batch that was restored, one that goes on, one that is new
  World restored(whole, cpu()), fresh(scenes, cpu());
  World on(scenes, cpu());
  run(on, 3);
  for (World* batch : {&restored, &fresh, &on}) {
    for (std::uint32_t w = 0; w < wanted.size(); ++w) {
      batch->restore(taken[w], 0, static_cast<std::uint32_t>((w + 2) % wanted.size()));
    }
    run(*batch, kAfter);
    const auto got = batch->state_hashes();
    for (std::uint32_t w = 0; w < wanted.size(); ++w) EXPECT_EQ(got[(w + 2) % wanted.size()], wanted[w]) << kMixed[w];
    EXPECT_EQ(batch->report().status, 0u);
  }
  // one into many, which leaves the others alone
  World copies = World::copies(taken[0], 7, cpu(2));
  EXPECT_EQ(copies.report().bodies, 7 * whole.body_count(0));
  EXPECT_EQ(copies.report().asleep % 7, 0u);
  run(copies, kAfter);
  for (const std::uint64_t hash : copies.state_hashes()) EXPECT_EQ(hash, wanted[0]);
  World batch(scenes, cpu());
  run(batch, kBefore);
  batch.restore(taken[0], 0, std::vector<std::uint8_t>{0, 1, 0, 1, 1});
  run(batch, kAfter);
  EXPECT_EQ(batch.state_hashes(), (std::vector<std::uint64_t>{wanted[0], wanted[0], wanted[2], wanted[0], wanted[0]}));
}

TEST_P(Restore, of_one_edited_world_takes_the_same_edits_anywhere) {
  const std::vector<Scene> scenes = mixed_scenes(GetParam());
  World world(scenes[0], traced());
  std::mt19937 random(4);
  for (int i = 0; i < 2 * kBefore; ++i) {
    edit(world, random);
    if (i % 2 == 0) world.step();
  }
  // into a world that has more bodies than it, and one that has fewer
  for (const std::size_t at : {3u, 2u}) {
    World other(scenes[at], cpu());
    run(other, 3);
    other.restore(world.snapshot(), 0, 0);
    World again(world.snapshot(), cpu());
    std::mt19937 here(5), there(5);
    for (int i = 0; i < kAfter; ++i) {
      edit(again, here);
      edit(other, there);
      again.step();
      other.step();
      ASSERT_EQ(other.state_hashes(), again.state_hashes()) << "step " << i;
    }
  }
}

TEST(Snapshots, of_frozen_worlds_stay_frozen_and_can_be_mended) {
  World world = World::copies(scenes::make("tower:height=3", 1), 4, cpu());
  run(world, 5);
  world.add_force(world.bodies(2)[2], {3e10f, 0, 0});
  run(world, 5);
  World other(through_bytes(world.snapshot()), cpu());
  World into = World::copies(scenes::make("tower:height=3", 1), 2, cpu());
  run(into, 5);
  into.restore(world.snapshot(2), 0, 1);
  EXPECT_EQ(into.report(1).status, std::uint32_t{kStatusTooFast});
  EXPECT_EQ(into.report(1).first_bad, into.bodies(1)[2]);
  EXPECT_EQ(into.report().status, std::uint32_t{kStatusTooFast});
  EXPECT_EQ(into.report(0).status, 0u);
  for (int i = 0; i < 30; ++i) {
    if (i == 10) {
      for (World* w : {&world, &other, &into}) w->clear_status();
    }
    if (i == 20) {
      world.reset(2);
      other.reset(2);
      into.reset(1);
    }
    for (World* w : {&world, &other, &into}) w->step();
    ASSERT_EQ(told(other), told(world)) << i;
    ASSERT_EQ(into.state_hashes()[1], world.state_hashes()[2]) << i;
  }
}

// a program may write anything into a world's arrays: what it can hold, a file can, too
TEST(Snapshots, of_a_state_that_is_no_number_freeze_like_their_original) {
  World world = World::copies(scenes::make("tower:height=3", 1), 3, cpu());
  run(world, 5);
  const ArrayView x = world.arrays().get("position"), q = world.arrays().get("orientation");
  const auto row = static_cast<std::int64_t>(world.bodies(1)[2].index - 1);
  static_cast<float*>(x.data)[row * x.strides[0]] = std::numeric_limits<float>::quiet_NaN();
  for (int c = 0; c < 4; ++c) static_cast<float*>(q.data)[(row + 1) * q.strides[0] + c] = 0;
  world.arrays().written(Written::kPoses);
  World other(through_bytes(world.snapshot()), cpu(2));
  for (World* w : {&world, &other}) {
    run(*w, 10);
    EXPECT_EQ(w->report(1).status, std::uint32_t{kStatusNonFinite});
  }
  EXPECT_EQ(told(other), told(world));
  World again(through_bytes(world.snapshot()), cpu());
  EXPECT_EQ(told(again).worlds, told(world).worlds);
}

TEST(Snapshots, outlive_the_growth_of_buffers) {
  const WorldOptions tiny{.device = Device::cpu(1), .capacity = {.pairs = 1}, .trace = true};
  World world(scenes::make("pile:count=60", 1), tiny);
  steps_of(world, 2);
  const Snapshot early = world.snapshot();
  const std::vector<Told> wanted = steps_of(world, 60);
  World other(early, tiny);
  EXPECT_EQ(steps_of(other, 60), wanted);
  world.restore(early);
  EXPECT_EQ(steps_of(world, 60), wanted);
}

TEST(Snapshots, hold_forces_for_the_next_step_and_the_length_of_the_last) {
  World world(scenes::make("tower:height=4", 1), cpu());
  run(world, 20);
  world.step(1.0f / 200.0f);
  world.add_force(world.bodies()[2], {300, 0, 0});
  world.add_torque(world.bodies()[3], {0, 50, 20});
  World other(through_bytes(world.snapshot()), cpu());
  EXPECT_EQ(hashes_of(other, 10), hashes_of(world, 10));
}

TEST(Snapshots, hold_the_limits_of_each_world) {
  World world = World::copies(scenes::make("tower:height=2", 1), 3, cpu());
  world.set_limits({.speed = 7}, 1);
  const World other(through_bytes(world.snapshot()), cpu());
  for (std::uint32_t w = 0; w < 3; ++w) EXPECT_EQ(other.limits(w), world.limits(w));
  World fallen(through_bytes(world.snapshot(1)), cpu());
  fallen.set_velocity(fallen.bodies()[1], {8, 0, 0}, {});
  fallen.step();
  EXPECT_EQ(fallen.report(0).status, std::uint32_t{kStatusTooFast});
}

TEST(Snapshots, bring_back_handles_and_free_slots) {
  World world(scenes::make("tower:height=4", 1), cpu());
  const BodyHandle second = world.bodies()[2];
  const Snapshot before = world.snapshot();
  world.remove_body(second);
  const BodyHandle added = world.add_body(box("late", {0, 0, 9}));
  EXPECT_EQ(added.index, second.index);
  world.restore(before);
  EXPECT_TRUE(world.alive(second));
  EXPECT_FALSE(world.alive(added));
  world.remove_body(second);
  EXPECT_EQ(world.add_body(box("late", {0, 0, 9})), added);
}

TEST(Snapshots, of_worlds_without_bodies_are_good_too) {
  World none = World::copies(Scene{}, 2, cpu());
  none.step();
  World other(through_bytes(none.snapshot()), cpu());
  other.step();
  EXPECT_EQ(other.report(1).steps, 2u);
  World tower(scenes::make("tower:height=2", 1), cpu());
  tower.step();
  tower.restore(none.snapshot(1), 0, 0);
  EXPECT_EQ(tower.body_count(), 0u);
  run(tower, 2);
}

TEST(Snapshots, taken_after_surfaces_were_removed_go_on_bit_for_bit) {
  for (const std::vector<std::uint32_t>& removed : {std::vector<std::uint32_t>{0}, {2}, {0, 2}}) {
    for (const std::uint32_t worlds : {1u, 2u}) {
      World world = World::copies(boxes_on_meshes(), worlds, traced());
      run(world, 5);
      const std::vector<BodyHandle> bodies = world.bodies(0);
      for (const std::uint32_t index : removed) world.remove_body(bodies[index]);
      const Snapshot taken = world.snapshot();
      // where only one world is restored the other's contacts stay, with what was removed too
      if (worlds == 2) world.restore(taken, 1, 1);
      World other(through_bytes(taken), traced());
      EXPECT_EQ(steps_of(other, kAfter), steps_of(world, kAfter)) << removed.size() << " removed of " << worlds;
    }
  }
}

TEST(Snapshots, tell_what_they_hold) {
  World world(mixed_scenes(kVariants[0]), cpu());
  run(world, 6);
  const Snapshot taken = through_bytes(world.snapshot());
  EXPECT_EQ(taken.world_count(), 5u);
  EXPECT_EQ(taken.body_count(2), world.body_count(2));
  EXPECT_EQ(taken.steps(1), 6u);
  EXPECT_EQ(taken.time(1), world.report(1).time);
  EXPECT_THROW((void)taken.body_count(5), InvalidArgument);
  EXPECT_THROW((void)taken.steps(5), InvalidArgument);
  EXPECT_THROW((void)taken.time(5), InvalidArgument);
}

}  // namespace
}  // namespace cairn::snapshot_test
