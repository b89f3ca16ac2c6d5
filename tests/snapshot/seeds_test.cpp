// What the fuzzers of files start from is of the format that the code reads: a stale seed is refused at its first byte,
// and then they find nothing for years.

#include "tests/fuzz/seeds/seeds.h"

#include <gtest/gtest.h>

namespace cairn::snapshot_test {
namespace {

bool has_all_solids(const World& world) {
  bool hull = false, mesh = false, field = false;
  for (const BodyHandle body : world.bodies()) {
    for (const Shape& shape : world.description(body).shapes) {
      hull = hull || std::holds_alternative<ConvexHull>(shape.geometry);
      mesh = mesh || std::holds_alternative<TriangleMesh>(shape.geometry);
      field = field || std::holds_alternative<HeightField>(shape.geometry);
    }
  }
  return hull && mesh && field;
}

TEST(FuzzSeeds, of_snapshots_are_read_and_step) {
  bool solids = false;
  for (const fuzz::Seed& seed : fuzz::snapshot_seeds()) {
    const Snapshot snapshot = Snapshot::from_bytes(fuzz::snapshot_file_of(seed.bytes), seed.name);
    World world(snapshot, {.device = Device::cpu(1), .contact_events = true});
    EXPECT_EQ(world.snapshot().to_bytes(), snapshot.to_bytes()) << seed.name;
    world.step();
    solids = solids || has_all_solids(world);
  }
  EXPECT_TRUE(solids);
}

TEST(FuzzSeeds, of_recordings_are_read_and_done_again) {
  std::size_t files = 0, calls = 0;
  for (const fuzz::Seed& seed : fuzz::recording_seeds()) {
    if (seed.bytes[0] == 'F' || seed.bytes[0] == 'L') {
      const std::string sections[recording::kSections] = {fuzz::start(static_cast<std::uint8_t>(seed.bytes[1])).bytes,
                                                          seed.bytes.substr(2)};
      const std::string file = seed.bytes[0] == 'F' ? seed.bytes.substr(1) : file::pack(recording::kKind, sections);
      const Replay again = replay(Recording::from_bytes(file, seed.name), {.device = Device::cpu(1)});
      EXPECT_FALSE(again.difference) << seed.name;
      EXPECT_GT(again.steps, 0u) << seed.name;
      ++files;
      continue;
    }
    // the calls that an input is are read to the last byte
    file::Reader reader(std::string_view(seed.bytes).substr(1), seed.name);
    while (reader.left() != 0) {
      recording::Command command;
      reader(command);
      ++calls;
    }
  }
  EXPECT_EQ(files, 2u);
  // each seed has a call and a step at least
  EXPECT_GE(calls, 2 * 2 * fuzz::kTopics - 2);
}

}  // namespace
}  // namespace cairn::snapshot_test
