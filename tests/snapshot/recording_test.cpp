// A recording is done again with the same bits; where it isn't, step, stage and body are named.

#include "src/recording/log.h"
#include "tests/snapshot/forged.h"
#include "tests/snapshot/runs.h"

namespace cairn::snapshot_test {
namespace {

using namespace testing_support;
using recording::Log;

/// The recording, changed.
template <class F>
Recording forged(const Recording& made, F change) {
  Log log = Log::of(made);
  change(log);
  return Log::recording(std::move(log));
}

class Record : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Record, testing::ValuesIn(kVariants), name_of_variant);

TEST_P(Record, every_call_and_its_replay_ends_in_the_same_bits) {
  World world(mixed_scenes(GetParam()), cpu(2));
  run(world, 10);
  world.start_recording();
  std::mt19937 random(11);
  Snapshot mark = world.snapshot();
  for (int i = 0; i < 150; ++i) {
    edit(world, random);
    if (i % 3 == 0) world.step(i % 5 == 0 ? 0.01f : 1.0f / 60.0f);
    if (i == 40) mark = world.snapshot();
    if (i == 60) world.restore(mark);
    if (i == 80) world.restore(world.snapshot(0), 0, 2);
    if (i == 90) world.set_limits({.speed = 500});
    if (i == 91) world.set_limits({.speed = 400}, 1);
    if (i == 92) world.clear_status();
    if (i == 93) world.wake(world.bodies()[1]);
    if (i == 94) world.write_states(states(world));
    if (i == 95) {
      std::vector<BodyState> some(world.body_count(3));
      world.read_states(3, some);
      world.write_states(3, some);
    }
    if (i == 96) {
      StepParams params = world.params();
      params.substeps = 4;
      world.set_params(params);
    }
    if (i == 97) world.reset();
  }
  world.step();
  const Recording made = through_bytes(world.stop_recording());
  for (const int threads : {1, 3}) {
    const Replay again = replay(made, cpu(threads));
    EXPECT_FALSE(again.difference) << "step " << again.difference->step;
    EXPECT_EQ(again.steps, made.steps());
    EXPECT_EQ(again.hash, world.state_hash());
  }
}

TEST_P(Record, can_be_played_step_by_step_forth_and_back) {
  World world(mixed_scenes(GetParam()), cpu(2));
  run(world, 5);
  world.start_recording();
  std::mt19937 random(12);
  std::vector<std::uint64_t> hashes{world.state_hash()};
  for (int i = 0; i < 60; ++i) {
    edit(world, random);
    if (i == 30) world.reset();
    world.step();
    hashes.push_back(world.state_hash());
  }
  world.set_gravity({0, 0, -1}, 0);
  const Recording made = world.stop_recording();
  // on a World that was another before
  World on(scenes::make("tower:height=3", 1), cpu());
  Playback playback(on, made);
  EXPECT_EQ(playback.steps(), 60u);
  const auto is_at = [&](std::uint64_t step) {
    EXPECT_EQ(playback.at(), step);
    EXPECT_EQ(on.state_hash(), hashes[step]) << step;
  };
  is_at(0);
  for (std::uint64_t step = 1; step <= 60; ++step) {
    EXPECT_TRUE(playback.step());
    is_at(step);
  }
  EXPECT_FALSE(playback.step());
  EXPECT_EQ(on.gravity(0), (Vec3{0, 0, -1})) << "the call behind the last step";
  for (const std::uint64_t step : {59u, 7u, 8u, 31u, 0u, 60u, 33u}) {
    playback.seek(step);
    is_at(step);
  }
  EXPECT_FALSE(playback.differs_at());
  EXPECT_THROW(playback.seek(61), InvalidArgument);
  is_at(33);
  EXPECT_EQ(World(made.start(), cpu(3)).state_hash(), hashes[0]);
}

TEST(Recordings, say_from_which_step_on_a_playback_differs) {
  World world(scenes::make("tower:height=3", 1), cpu());
  world.start_recording();
  run(world, 10);
  const Recording made = world.stop_recording();
  World on(made.start(), cpu());
  Playback playback(on, made);
  playback.seek(4);
  const std::uint64_t before = playback.edits();
  on.set_velocity(on.bodies()[1], {1, 0, 0}, {});
  EXPECT_FALSE(playback.differs_at());
  playback.seek(10);
  EXPECT_EQ(playback.differs_at(), 5u);
  EXPECT_EQ(playback.edits(), before) << "nothing came or went";
  playback.seek(2);
  EXPECT_GT(playback.edits(), before);
  EXPECT_EQ(playback.differs_at(), 5u) << "the first that was seen";
  const Recording forged_start = forged(made, [](Log& log) { ++log.hash; });
  EXPECT_EQ(Playback(on, forged_start).differs_at(), 0u);
}

TEST(Recordings, name_the_step_and_the_body_that_differ) {
  const auto record = [](World& world) {
    world.start_recording();
    run(world, 5);
    world.add_force(world.bodies(1)[2], {100, 0, 0});
    run(world, 20);
    return through_bytes(world.stop_recording());
  };
  // another force: what was recorded is then not what happens
  const auto other_force = [](Log& log) {
    std::get<1>(std::get<recording::Call<recording::kAddForce>>(log.commands[5]).arguments).x = 200;
  };
  const Scene tower = scenes::make("tower:height=3", 1);
  World world = World::copies(tower, 2, cpu()), watched = World::copies(tower, 2, traced());
  const Replay plain = replay(forged(record(world), other_force), cpu());
  ASSERT_TRUE(plain.difference);
  EXPECT_EQ(plain.difference->step, 6u);
  EXPECT_FALSE(plain.difference->stage) << "the CPU differs too, and nothing tells how";

  const Recording told = record(watched);
  EXPECT_FALSE(replay(told, cpu(2)).difference);
  const Replay close = replay(forged(told, other_force), cpu(2));
  ASSERT_TRUE(close.difference);
  EXPECT_EQ(close.difference->step, 6u);
  ASSERT_TRUE(close.difference->stage);
  EXPECT_EQ(stage_name(*close.difference->stage), "bound") << "boxes reach as far as forces move what is in them";
  // the push is handed on in the same step: of those that it reached, the first
  EXPECT_EQ(close.difference->body, watched.description(watched.bodies(1)[1]).name);
  EXPECT_EQ(close.difference->world, 1u);
}

TEST(Recordings, that_the_reference_repeats_are_explained_by_it) {
  World world(scenes::make("pile:count=20", 1), cpu());
  world.start_recording();
  run(world, 8);
  const Recording made = world.stop_recording();
  // a hash that isn't so: both runs agree with each other, and so name no body
  const Recording untrue = forged(made, [](Log& log) { std::get<recording::Step>(log.commands[4]).hash ^= 1; });
  const Replay wrong = replay(untrue, cpu());
  ASSERT_TRUE(wrong.difference);
  EXPECT_EQ(wrong.difference->step, 5u);
  const Replay start = replay(forged(made, [](Log& log) { log.hash ^= 1; }), cpu());
  ASSERT_TRUE(start.difference);
  EXPECT_EQ(start.difference->step, 0u);
}

TEST(Recordings, that_can_not_be_done_again_are_refused) {
  World world(scenes::make("tower:height=2", 1), cpu());
  EXPECT_THROW(world.stop_recording(), InvalidArgument);
  world.start_recording();
  world.step();
  EXPECT_THROW(world.add_force({99, 1}, {}), InvalidArgument);
  world.wake(world.bodies()[1]);
  const Recording made = world.stop_recording();
  EXPECT_EQ(Log::of(made).commands.size(), 2u) << "a call that was refused is not in it";
  EXPECT_THROW(replay(forged(made,
                             [](Log& log) {
                               std::get<recording::Call<&World::wake>>(log.commands[1]).arguments = {BodyHandle{99, 1}};
                             }),
                      cpu()),
               SnapshotError);
  const std::string bytes = made.to_bytes();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 3) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    ASSERT_THROW(Recording::from_bytes(damaged, "damaged"), SnapshotError) << bit;
  }
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    ASSERT_THROW(Recording::from_bytes(bytes.substr(0, size), "cut"), SnapshotError) << size;
  EXPECT_THROW(Recording::from_bytes(world.snapshot().to_bytes(), "a snapshot"), SnapshotError);
  EXPECT_THROW(Snapshot::from_bytes(bytes, "a recording"), SnapshotError);
}

/// The reason for which the bytes are refused, or "" if they aren't.
std::string reason_of_recording(const std::string& bytes, const SnapshotLimits& limits = {}) {
  return refusal_of<SnapshotError>([&] { Recording::from_bytes(bytes, "the bytes", limits); });
}

TEST(Recordings, of_more_calls_than_are_allowed_are_refused) {
  World world(scenes::make("tower:height=2", 1), cpu());
  world.start_recording();
  run(world, 3);
  world.clear_status();
  const std::string bytes = world.stop_recording().to_bytes();
  EXPECT_EQ(reason_of_recording(bytes, {.calls = 4}), "");
  EXPECT_EQ(reason_of_recording(bytes, {.calls = 3}),
            "the bytes: holds 4 calls, steps included; SnapshotLimits::calls allows 3");
}

TEST(Recordings, of_calls_that_take_more_memory_than_is_allowed_are_refused) {
  World world(scenes::make("tower:height=2", 1), cpu());
  world.start_recording();
  // a byte each in the file
  const std::uint64_t calls = 4000, memory = calls * sizeof(recording::Command);
  for (std::uint64_t i = 0; i < calls; ++i) world.clear_status();
  const std::string bytes = world.stop_recording().to_bytes();
  EXPECT_EQ(reason_of_recording(bytes, {.bytes = memory}), "");
  const std::string refused = reason_of_recording(bytes, {.bytes = memory - 1});
  EXPECT_NE(refused.find("holds 4000 calls, which take more than"), std::string::npos) << refused;
}

TEST(Recordings, that_never_end_are_refused) { EXPECT_THROW(Recording::load("/dev/zero"), SnapshotError); }

TEST(Recordings, keep_the_caps_in_the_snapshots_within_them) {
  World world(scenes::make("tower:height=2", 1), cpu());
  world.start_recording();
  world.step();
  const Snapshot small = world.snapshot();
  const Snapshot large = World(scenes::make("pile:count=400", 1), cpu()).snapshot();
  world.restore(large);
  world.restore(small);
  const Recording made = world.stop_recording();
  EXPECT_EQ(reason_of_recording(made.to_bytes()), "");
  // what the file itself expands to holds the snapshots as they are stored
  const std::uint64_t expanded = unpacked_size(large.to_bytes());
  EXPECT_EQ(reason_of_recording(made.to_bytes(), {.bytes = expanded}), "");
  const std::string refused = reason_of_recording(made.to_bytes(), {.bytes = expanded - 1});
  EXPECT_NE(refused.find("the bytes: call number 2: expands to more"), std::string::npos) << refused;
  const std::string damaged = reason_of_recording(
      forged(made, [](Log& log) {
        std::get<0>(std::get<recording::Call<recording::kRestoreAll>>(log.commands[2]).arguments).bytes.pop_back();
      }).to_bytes());
  EXPECT_NE(damaged.find("the bytes: call number 3: "), std::string::npos) << damaged;
}

TEST(Recordings, start_from_a_world_that_lost_a_scaled_body) {
  World world(scenes::make("tower:height=3", 1), cpu());
  world.scales().set(BodyScales{1.1f, 2}, world.bodies()[3]);
  world.remove_body(world.bodies()[3]);
  world.start_recording();
  run(world, 3);
  EXPECT_FALSE(replay(through_bytes(world.stop_recording()), cpu(2)).difference);
}

TEST(Recordings, of_a_body_that_was_drawn_out_of_the_world_can_be_done_again) {
  constexpr Randomisation kFar{.position = {1e7f, 1e7f, 1e7f}};
  World world(scenes::make("rain:count=3", 1), cpu());
  world.start_recording();
  const std::vector<std::uint8_t> all{1};
  EXPECT_THROW(world.scales().randomise(all, {.position = {1.01e7f, 0, 0}}), InvalidArgument);
  EXPECT_THROW(world.scales().randomise(all, {.linear_velocity = {0, 1.01e5f, 0}}), InvalidArgument);
  EXPECT_THROW(world.scales().randomise(all, {.angular_velocity = {0, 0, 1.01e11f}}), InvalidArgument);
  // a walk of 600 steps of up to 1e7 m to either side goes past 1e8 m, and the steps after it are not taken
  for (int i = 0; i < 600; ++i) {
    world.scales().set_seed(static_cast<std::uint64_t>(i), 0);
    world.scales().randomise(all, kFar);
  }
  world.step();
  EXPECT_NE(world.report().status & kStatusOutOfBounds, 0u);
  double farthest = 0;
  for (const BodyState& s : states(world)) farthest = std::max(farthest, length(s.position));
  EXPECT_GT(farthest, 1e8);
  const Recording made = through_bytes(world.stop_recording());
  EXPECT_EQ(Log::of(made).commands.size(), 1201u);
  EXPECT_FALSE(replay(made, cpu(2)).difference);
  EXPECT_EQ(World(Snapshot::from_bytes(world.snapshot().to_bytes(), "far"), cpu()).state_hash(), world.state_hash());
}

}  // namespace
}  // namespace cairn::snapshot_test
