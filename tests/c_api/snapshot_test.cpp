// A snapshot of the C interface is one of the C++ interface, and a world goes on from it with the same bits.

#include <filesystem>

#include "tests/c_api/c_api.h"
#include "tests/c_api/in_c.h"

namespace cairn::c_api_test {
namespace {

using namespace testing_support;  // NOLINT

cairn_snapshot* taken(const cairn_world* world, std::uint32_t index = CAIRN_ALL_WORLDS) {
  return value_of(cairn_world_snapshot, world, index);
}

TEST(CApi, a_snapshot_has_the_bytes_that_it_has_in_cpp) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  EXPECT_TRUE(c.goes_on_as(cpp, 40));
  cairn_snapshot* all = taken(c.world);
  cairn_snapshot* one = taken(c.world, 1);
  EXPECT_EQ(bytes_of(all), cpp.snapshot().to_bytes());
  EXPECT_EQ(bytes_of(one), cpp.snapshot(1).to_bytes());
  std::uint32_t bodies = 0;
  std::uint64_t steps = 0;
  double time = 0;
  EXPECT_EQ(value_of(cairn_snapshot_count, all), 2u);
  EXPECT_EQ(value_of(cairn_snapshot_count, one), 1u);
  ASSERT_EQ(cairn_snapshot_world(all, 1, &bodies, &steps, &time), CAIRN_OK);
  EXPECT_EQ(bodies, cpp.body_count(1));
  EXPECT_EQ(steps, 40u);
  EXPECT_EQ(time, cpp.report(1).time);
  EXPECT_EQ(cairn_snapshot_world(all, 0, nullptr, nullptr, nullptr), CAIRN_OK);
  EXPECT_TRUE(fails(cairn_snapshot_world(one, 1, &bodies, nullptr, nullptr), "world 1"));
  cairn_snapshot_destroy(all);
  cairn_snapshot_destroy(one);
}

TEST(CApi, worlds_go_on_from_a_snapshot_with_the_bits_that_they_went_on_with) {
  const Scene scene = worlds_of_all_kinds()[1];
  World cpp = World::copies(scene, 2, cpu());
  Fixture c(scene);
  cpp.set_gravity({0, 1, -5}, 1);
  const float gravity[3] = {0, 1, -5};
  ASSERT_EQ(cairn_world_set_gravity(c.world, 1, gravity), CAIRN_OK);
  EXPECT_TRUE(c.goes_on_as(cpp, 40));
  const Snapshot mark = cpp.snapshot();
  cairn_snapshot* snapshot = taken(c.world);
  ASSERT_TRUE(c.goes_on_as(cpp, 30));
  const std::uint64_t after = cpp.state_hash();

  // whole
  ASSERT_EQ(cairn_world_restore(c.world, snapshot), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(c.hash(), World(mark, cpu()).state_hash());
  c.step(30);
  EXPECT_EQ(c.hash(), after);

  // one into one, and one into those of a mask
  cpp.restore(mark, 1, 0);
  ASSERT_EQ(cairn_world_restore_one(c.world, snapshot, 1, 0), CAIRN_OK) << cairn_last_error();
  EXPECT_EQ(c.hash(), cpp.state_hash());
  EXPECT_NE(c.hash(), after);
  const std::uint8_t mask[2] = {0, 1};
  cpp.restore(mark, 0, mask);
  ASSERT_EQ(cairn_world_restore_mask(c.world, snapshot, 0, mask, 2), CAIRN_OK) << cairn_last_error();
  EXPECT_TRUE(c.goes_on_as(cpp, 10));

  // a world of its own, and branches of one of its worlds; the snapshot may go before they do
  auto options = init(cairn_world_options_init);
  options.threads = 2;
  cairn_world* const same = value_of(cairn_world_create_from, snapshot, &options);
  cairn_world* branches = value_of(cairn_world_create_branches, snapshot, 1, 3, nullptr);
  EXPECT_TRUE(fails(cairn_world_create_branches(snapshot, 2, 3, nullptr, &branches), "2"));
  cairn_snapshot_destroy(snapshot);
  ASSERT_EQ(cairn_world_step(same, 30), CAIRN_OK);
  EXPECT_EQ(hash_of(same), after);
  World copies = World::copies(mark, 3, cpu(), 1);
  run(copies, 30);
  ASSERT_EQ(cairn_world_step(branches, 30), CAIRN_OK);
  EXPECT_EQ(hash_of(branches), copies.state_hash());
  cairn_world_destroy(same);
  cairn_world_destroy(branches);
}

TEST(CApi, snapshots_go_through_files_and_bytes) {
  Fixture c(worlds_of_all_kinds()[2]);
  c.step(20);
  cairn_snapshot* snapshot = taken(c.world);
  const std::string bytes = bytes_of(snapshot);
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "c_api.snapshot";
  ASSERT_EQ(cairn_snapshot_save(snapshot, path.c_str()), CAIRN_OK) << cairn_last_error();
  EXPECT_TRUE(fails(cairn_snapshot_save(snapshot, "/no/such/folder/f"), "/no/such/folder"));
  EXPECT_EQ(Snapshot::load(path).to_bytes(), bytes);
  cairn_snapshot* const loaded = value_of(cairn_snapshot_load, path.c_str(), 0);
  EXPECT_EQ(bytes_of(loaded), bytes);
  cairn_snapshot* const read = value_of(cairn_snapshot_from_bytes, bytes.data(), bytes.size(), "memory", 0);
  EXPECT_EQ(bytes_of(read), bytes);
  cairn_snapshot* none = nullptr;
  cairn_recording* recording = nullptr;
  const std::string half = bytes.substr(0, bytes.size() / 2);
  EXPECT_TRUE(fails(cairn_snapshot_from_bytes(half.data(), half.size(), "half", 0, &none), "half", CAIRN_SNAPSHOT));
  EXPECT_TRUE(fails(cairn_snapshot_load(path.c_str(), 100, &none), "c_api.snapshot", CAIRN_SNAPSHOT));
  EXPECT_TRUE(fails(cairn_recording_load(path.c_str(), 0, &recording), "c_api.snapshot", CAIRN_SNAPSHOT));
  std::filesystem::remove(path);
  EXPECT_TRUE(fails(cairn_snapshot_load(path.c_str(), 0, &none), "c_api.snapshot", CAIRN_SNAPSHOT));
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(recording, nullptr);
  for (cairn_snapshot* each : {snapshot, loaded, read}) cairn_snapshot_destroy(each);
}

TEST(CApi, c_code_builds_a_tower_and_goes_on_from_bytes_in_another_world) {
  World world(tower(10), cpu());
  run(world, 100);
  EXPECT_EQ(tower_hash_in_c(10, 40, 60), world.state_hash());
}

}  // namespace
}  // namespace cairn::c_api_test
