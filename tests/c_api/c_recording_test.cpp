// What the C interface records is replayed by both, and so is what differs.

#include <filesystem>

#include "src/recording/log.h"
#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

std::string bytes_of(const cairn_recording* recording) {
  std::size_t length = 0;
  EXPECT_EQ(cairn_recording_to_bytes(recording, nullptr, 0, &length), CAIRN_OK) << cairn_last_error();
  std::string bytes(length, '?');
  EXPECT_EQ(cairn_recording_to_bytes(recording, bytes.data(), length, &length), CAIRN_OK);
  return bytes;
}

/// 25 steps with a push in world 1 after five.
cairn_recording* pushed(Fixture& c) {
  cairn_recording* recording = nullptr;
  cairn_handle bodies[4];
  const float force[3] = {100, 0, 0};
  EXPECT_EQ(cairn_world_bodies(c.world, 1, bodies, 4), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_world_stop_recording(c.world, &recording), CAIRN_INVALID_ARGUMENT, "recording"));
  EXPECT_EQ(cairn_world_start_recording(c.world), CAIRN_OK);
  EXPECT_EQ(cairn_world_step(c.world, 5), CAIRN_OK);
  EXPECT_EQ(cairn_body_add_force(c.world, bodies[2], force), CAIRN_OK);
  EXPECT_EQ(cairn_world_step(c.world, 20), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_world_stop_recording(c.world, nullptr), CAIRN_INVALID_ARGUMENT, "null"));
  EXPECT_EQ(cairn_world_stop_recording(c.world, &recording), CAIRN_OK) << cairn_last_error();
  return recording;
}

cairn_replay empty_replay() {
  cairn_replay replay{};
  replay.struct_size = sizeof replay;
  return replay;
}

TEST(CApi, a_recording_is_replayed_to_the_same_hash_and_goes_through_files_and_bytes) {
  Fixture c(tower(3));
  cairn_recording* recording = pushed(c);
  std::uint64_t steps = 0;
  ASSERT_EQ(cairn_recording_steps(recording, &steps), CAIRN_OK);
  EXPECT_EQ(steps, 25u);
  const std::string bytes = bytes_of(recording);
  const Replay cpp = cairn::replay(Recording::from_bytes(bytes, "bytes"), cpu());
  EXPECT_FALSE(cpp.difference);
  EXPECT_EQ(cpp.hash, c.hash());

  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "c_api.recording";
  cairn_recording *loaded = nullptr, *read = nullptr, *none = nullptr;
  ASSERT_EQ(cairn_recording_save(recording, path.c_str()), CAIRN_OK) << cairn_last_error();
  ASSERT_EQ(cairn_recording_load(path.c_str(), 0, &loaded), CAIRN_OK) << cairn_last_error();
  std::filesystem::remove(path);
  ASSERT_EQ(cairn_recording_from_bytes(bytes.data(), bytes.size(), "memory", 0, &read), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_recording_from_bytes(bytes.data(), 9, "cut", 0, &none), CAIRN_SNAPSHOT, "cut"));
  EXPECT_EQ(none, nullptr);
  for (cairn_recording* each : {recording, loaded, read}) {
    EXPECT_EQ(bytes_of(each), bytes);
    cairn_replay again = empty_replay();
    char body[8] = "?";
    ASSERT_EQ(cairn_recording_replay(each, nullptr, &again, body, sizeof body), CAIRN_OK) << cairn_last_error();
    EXPECT_EQ(again.differs, 0);
    EXPECT_EQ(again.steps, 25u);
    EXPECT_EQ(again.hash, c.hash());
    EXPECT_EQ(again.stage, -1);
    EXPECT_STREQ(body, "");
    cairn_recording_destroy(each);
  }
}

TEST(CApi, a_recording_is_played_step_by_step) {
  Fixture c(tower(3));
  cairn_recording* recording = pushed(c);
  Fixture other(tower(1), 1);
  cairn_playback* playback = nullptr;
  ASSERT_EQ(cairn_playback_create(other.world, recording, &playback), CAIRN_OK) << cairn_last_error();
  cairn_snapshot* start = nullptr;
  cairn_world* begun = nullptr;
  ASSERT_EQ(cairn_recording_start(recording, &start), CAIRN_OK) << cairn_last_error();
  cairn_recording_destroy(recording);
  ASSERT_EQ(cairn_world_create_from(start, nullptr, &begun), CAIRN_OK) << cairn_last_error();
  cairn_snapshot_destroy(start);
  EXPECT_EQ(other.hash(), hash_of(begun));
  cairn_world_destroy(begun);

  std::int32_t taken = 1, differs = 7;
  std::uint64_t at = 9, steps = 0, step = 7, edits = 0, more = 0;
  for (int k = 0; k < 25; ++k) ASSERT_EQ(cairn_playback_step(playback, &taken), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(other.hash(), c.hash());
  EXPECT_EQ(cairn_playback_step(playback, &taken), CAIRN_OK);
  EXPECT_EQ(taken, 0) << "it is at the end";
  EXPECT_EQ(cairn_playback_at(playback, &at, &steps), CAIRN_OK);
  EXPECT_EQ(at, 25u);
  EXPECT_EQ(steps, 25u);
  EXPECT_EQ(cairn_playback_differs_at(playback, &differs, &step), CAIRN_OK);
  EXPECT_EQ(differs, 0);
  EXPECT_EQ(step, 0u);
  EXPECT_EQ(cairn_playback_edits(playback, &edits), CAIRN_OK);
  EXPECT_EQ(cairn_playback_seek(playback, 4), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(cairn_playback_edits(playback, &more), CAIRN_OK);
  EXPECT_GT(more, edits) << "a snapshot was restored";
  EXPECT_TRUE(fails(cairn_playback_seek(playback, 26), CAIRN_INVALID_ARGUMENT, "0 to 25"));
  EXPECT_EQ(cairn_playback_at(playback, &at, nullptr), CAIRN_OK);
  EXPECT_EQ(at, 4u);

  // what isn't as recorded is said
  cairn_handle bodies[4];
  const float force[3] = {5, 0, 0};
  ASSERT_EQ(cairn_world_bodies(other.world, 0, bodies, 4), CAIRN_OK) << cairn_last_error();
  ASSERT_EQ(cairn_body_add_force(other.world, bodies[2], force), CAIRN_OK);
  EXPECT_EQ(cairn_playback_step(playback, &taken), CAIRN_OK);
  EXPECT_EQ(cairn_playback_differs_at(playback, &differs, &step), CAIRN_OK);
  EXPECT_EQ(differs, 1);
  EXPECT_EQ(step, 5u);
  cairn_playback_destroy(playback);
}

TEST(CApi, a_replay_names_where_it_first_differs) {
  Fixture c(tower(3), 2, [](cairn_world_options& options) { options.trace = 1; });
  cairn_recording* recording = pushed(c);
  // another force: what was recorded is then not what happens
  recording::Log log = recording::Log::of(Recording::from_bytes(bytes_of(recording), "bytes"));
  cairn_recording_destroy(recording);
  std::get<1>(std::get<recording::Call<recording::kAddForce>>(log.commands[5]).arguments).x = 200;
  const Recording forged = recording::Log::recording(std::move(log));
  const Replay want = cairn::replay(forged, cpu());
  ASSERT_TRUE(want.difference && want.difference->stage);

  const std::string bytes = forged.to_bytes();
  ASSERT_EQ(cairn_recording_from_bytes(bytes.data(), bytes.size(), "forged", 0, &recording), CAIRN_OK);
  cairn_replay got = empty_replay();
  char body[16], start[3];
  ASSERT_EQ(cairn_recording_replay(recording, nullptr, &got, body, sizeof body), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(got.differs, 1);
  EXPECT_EQ(got.steps, want.steps);
  EXPECT_EQ(got.hash, want.hash);
  EXPECT_EQ(got.step, 6u);
  EXPECT_STREQ(cairn_stage_name(static_cast<std::uint32_t>(got.stage)), "bound");
  EXPECT_EQ(got.world, 1u);
  EXPECT_EQ(body, want.difference->body);
  ASSERT_EQ(cairn_recording_replay(recording, nullptr, &got, start, sizeof start), CAIRN_OK);
  EXPECT_EQ(start, want.difference->body.substr(0, 2));
  EXPECT_EQ(cairn_recording_replay(recording, nullptr, &got, nullptr, 0), CAIRN_OK);
  got.struct_size = 0;
  EXPECT_TRUE(fails(cairn_recording_replay(recording, nullptr, &got, nullptr, 0), CAIRN_INVALID_ARGUMENT, "replay"));
  cairn_recording_destroy(recording);
}

}  // namespace
}  // namespace cairn::c_api_test
