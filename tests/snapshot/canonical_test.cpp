// A snapshot has one form: read and written again it is the same bytes, a World of it writes them again, and worlds
// that go on alike write alike. What is changed in a file is refused, or is what a World would have written.

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/snapshot/anything.h"
#include "tests/snapshot/forged.h"

namespace cairn::snapshot_test {
namespace {

using namespace testing_support;

WorldOptions options_of(int threads) {
  WorldOptions options = cpu(threads);
  options.contact_events = true;
  return options;
}

TEST(CanonicalSnapshot, of_random_worlds_is_written_again_by_whatever_is_restored_from_it) {
  std::size_t made = 0, frozen = 0, asleep = 0, dead_joints = 0, broken = 0, touches = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    std::mt19937 random(seed);
    const std::unique_ptr<World> world = anything(random);
    if (world == nullptr) continue;
    ++made;
    for (int round = 0; round < 4; ++round) {
      // at first long enough that something falls asleep
      if (round == 0 && seed % 2 == 0) {
        for (int i = 0; i < 80; ++i) try_step(*world);
      }
      for (unsigned i = static_cast<unsigned>(random() % 4); i != 0; --i) edit_anything(*world, random);
      for (unsigned i = static_cast<unsigned>(random() % 6); i != 0; --i) try_step(*world);
      const std::string bytes = world->snapshot().to_bytes();
      const Snapshot back = Snapshot::from_bytes(bytes, "its own, seed " + std::to_string(seed));
      ASSERT_TRUE(back.to_bytes() == bytes) << "seed " << seed;
      World other(back, options_of(2));
      ASSERT_TRUE(other.snapshot().to_bytes() == bytes) << "seed " << seed << ", round " << round;
      for (std::uint32_t w = 0; w < world->world_count(); ++w) {
        const Snapshot one = world->snapshot(w);
        const World alone(Snapshot::from_bytes(one.to_bytes(), "one"), options_of(1));
        ASSERT_TRUE(alone.snapshot().to_bytes() == one.to_bytes()) << "seed " << seed << ", world " << w;
        frozen += world->report(w).status != 0 ? 1 : 0;
      }
      asleep += world->report().asleep;
      broken += world->report().broken_constraints;
      const snapshot::Image image = snapshot::image_of(unpacked(bytes), "image");
      for (const snapshot::WorldPart& part : image.worlds) {
        dead_joints += part.free_joints.size();
        touches += part.events.size();
      }
    }
  }
  EXPECT_GT(made, 60u);
  // all of it was among them
  EXPECT_GT(std::min({frozen, asleep, dead_joints, broken, touches}), 10u)
      << "of " << made << " worlds: frozen " << frozen << ", asleep " << asleep << ", dead joints " << dead_joints
      << ", broken " << broken << ", touches " << touches;
}

/// What nobody reads would tell where a World has been: the slots that it used, the memory that it had.
TEST(CanonicalSnapshot, of_worlds_that_go_on_alike_stays_alike) {
  std::size_t compared = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const std::unique_ptr<World> world = anything(random);
    if (world == nullptr) continue;
    for (int i = 0; i < 6; ++i) {
      edit_anything(*world, random);
      try_step(*world);
    }
    // with touches, or the World would forget those that it has; its own high water stays its own
    const Snapshot taken = world->snapshot();
    World first(taken, options_of(1)), second(taken, options_of(3));
    for (int i = 0; i < 8; ++i) {
      std::mt19937 here(seed + 100 + static_cast<unsigned>(i)), there = here;
      edit_anything(first, here);
      edit_anything(second, there);
      try_step(first);
      try_step(second);
      const std::string bytes = first.snapshot().to_bytes();
      ASSERT_TRUE(second.snapshot().to_bytes() == bytes) << "seed " << seed << ", step " << i;
      second = World(Snapshot::from_bytes(bytes, "again"), options_of(3));
      ++compared;
    }
  }
  EXPECT_GT(compared, 200u);
}

/// Bytes of sections, changed at random behind right checksums.
TEST(CanonicalSnapshot, that_was_changed_is_refused_by_name_or_written_again) {
  std::size_t accepted = 0, refused = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const std::unique_ptr<World> world = anything(random);
    if (world == nullptr) continue;
    for (int i = 0; i < 3; ++i) {
      edit_anything(*world, random);
      try_step(*world);
    }
    const auto sections = unpacked(world->snapshot().to_bytes());
    for (int i = 0; i < 60; ++i) {
      std::vector<std::string> changed = sections;
      std::string& section = changed[random() % changed.size()];
      for (unsigned n = 1 + static_cast<unsigned>(random() % 2); n != 0 && !section.empty(); --n) {
        const std::size_t at = random() % section.size();
        switch (random() % 4) {
          case 0:
            section[at] = static_cast<char>(section[at] ^ 1 << random() % 8);
            break;
          case 1:
            section[at] = static_cast<char>(random() % 4);
            break;
          case 2:
            section.replace(at & ~std::size_t{3}, 4, std::string(4, '\0'));
            break;
          default:
            section.replace(at & ~std::size_t{3}, 4, std::string("\x00\x00\x80\x3f", 4));
            break;
        }
      }
      const std::string file = file::pack(snapshot::kKind, changed);
      try {
        const Snapshot back = Snapshot::from_bytes(file, "changed");
        ASSERT_TRUE(back.to_bytes() == file) << "seed " << seed << ", change " << i;
        ASSERT_TRUE(World(back, options_of(1)).snapshot().to_bytes() == file) << "seed " << seed << ", change " << i;
        ++accepted;
      } catch (const SnapshotError& error) {
        ASSERT_EQ(std::string(error.what()).rfind("changed: ", 0), 0u) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(accepted, 100u);
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace cairn::snapshot_test
