// What the C interface records is replayed by both, and so is what differs.

#include <filesystem>

#include "src/recording/log.h"
#include "tests/c_api/c_api.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

/// 25 steps with a push in world 1 after five.
cairn_recording* pushed(Fixture& c) {
  cairn_recording* recording = nullptr;
  const float force[3] = {100, 0, 0};
  EXPECT_TRUE(fails(cairn_world_stop_recording(c.world, &recording), "recording"));
  EXPECT_EQ(cairn_world_start_recording(c.world), CAIRN_OK);
  c.step(5);
  EXPECT_EQ(cairn_body_add_force(c.world, c.bodies(1)[2], force), CAIRN_OK);
  c.step(20);
  EXPECT_TRUE(fails(cairn_world_stop_recording(c.world, nullptr), "null"));
  return value_of(cairn_world_stop_recording, c.world);
}

TEST(CApi, a_recording_is_replayed_to_the_same_hash_and_goes_through_files_and_bytes) {
  Fixture c(tower(3));
  cairn_recording* recording = pushed(c);
  EXPECT_EQ(value_of(cairn_recording_steps, recording), 25u);
  const std::string bytes = bytes_of(recording);
  const Replay cpp = cairn::replay(Recording::from_bytes(bytes, "bytes"), cpu());
  EXPECT_FALSE(cpp.difference);
  EXPECT_EQ(cpp.hash, c.hash());

  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "c_api.recording";
  cairn_recording* none = nullptr;
  ASSERT_EQ(cairn_recording_save(recording, path.c_str()), CAIRN_OK) << cairn_last_error();
  cairn_recording* const loaded = value_of(cairn_recording_load, path.c_str(), 0);
  std::filesystem::remove(path);
  cairn_recording* const read = value_of(cairn_recording_from_bytes, bytes.data(), bytes.size(), "memory", 0);
  EXPECT_TRUE(fails(cairn_recording_from_bytes(bytes.data(), 9, "cut", 0, &none), "cut", CAIRN_SNAPSHOT));
  EXPECT_EQ(none, nullptr);
  for (cairn_recording* each : {recording, loaded, read}) {
    EXPECT_EQ(bytes_of(each), bytes);
    cairn_replay again{.struct_size = sizeof again};
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
  cairn_playback* playback = value_of(cairn_playback_create, other.world, recording);
  cairn_snapshot* const start = value_of(cairn_recording_start, recording);
  cairn_recording_destroy(recording);
  cairn_world* const begun = value_of(cairn_world_create_from, start, nullptr);
  cairn_snapshot_destroy(start);
  EXPECT_EQ(other.hash(), hash_of(begun));
  cairn_world_destroy(begun);

  std::int32_t differs = 7;
  std::uint64_t at = 9, steps = 0, step = 7;
  for (int k = 0; k < 25; ++k) EXPECT_EQ(value_of(cairn_playback_step, playback), 1);
  EXPECT_EQ(other.hash(), c.hash());
  EXPECT_EQ(value_of(cairn_playback_step, playback), 0) << "it is at the end";
  EXPECT_EQ(cairn_playback_at(playback, &at, &steps), CAIRN_OK);
  EXPECT_EQ(at, 25u);
  EXPECT_EQ(steps, 25u);
  EXPECT_EQ(cairn_playback_differs_at(playback, &differs, &step), CAIRN_OK);
  EXPECT_EQ(differs, 0);
  EXPECT_EQ(step, 0u);
  const std::uint64_t edits = value_of(cairn_playback_edits, playback);
  EXPECT_EQ(cairn_playback_seek(playback, 4), CAIRN_OK) << cairn_last_error();
  EXPECT_GT(value_of(cairn_playback_edits, playback), edits) << "a snapshot was restored";
  EXPECT_TRUE(fails(cairn_playback_seek(playback, 26), "0 to 25"));
  EXPECT_EQ(cairn_playback_at(playback, &at, nullptr), CAIRN_OK);
  EXPECT_EQ(at, 4u);

  // what isn't as recorded is said
  const float force[3] = {5, 0, 0};
  ASSERT_EQ(cairn_body_add_force(other.world, other.bodies()[2], force), CAIRN_OK);
  value_of(cairn_playback_step, playback);
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
  recording = value_of(cairn_recording_from_bytes, bytes.data(), bytes.size(), "forged", 0);
  cairn_replay got{.struct_size = sizeof got};
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
  EXPECT_TRUE(fails(cairn_recording_replay(recording, nullptr, &got, nullptr, 0), "replay"));
  cairn_recording_destroy(recording);
}

}  // namespace
}  // namespace cairn::c_api_test
