// Files of snapshots: what is not whole, not sound or not ours is refused, by name and reason.

#include <filesystem>
#include <limits>

#include "tests/snapshot/forged.h"
#include "tests/snapshot/runs.h"

namespace cairn::snapshot_test {
namespace {

using namespace testing_support;

World small_world() {
  World world = World::copies(tower(3, with_sleeping()), 2, cpu());
  run(world, 10);
  world.remove_body(world.bodies(1)[1]);
  return world;
}

TEST(SnapshotFile, survives_the_disk_and_is_the_same_bytes_again) {
  const World world = small_world();
  const auto file = std::filesystem::path(testing::TempDir()) / "cairn_snapshot_file_test.snapshot";
  world.snapshot().save(file);
  const Snapshot back = Snapshot::load(file);
  std::filesystem::remove(file);
  EXPECT_EQ(back.to_bytes(), world.snapshot().to_bytes());
  EXPECT_EQ(World(back, cpu()).state_hash(), world.state_hash());
  EXPECT_THROW(Snapshot::load(file), SnapshotError);
  EXPECT_THROW(Snapshot::load(testing::TempDir()), SnapshotError) << "a folder";
  EXPECT_THROW(world.snapshot().save(file / "nowhere"), InvalidArgument);
}

TEST(SnapshotFile, is_refused_when_any_bit_of_it_is_flipped) {
  const std::string bytes = small_world().snapshot().to_bytes();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    ASSERT_NE(reason(damaged), "") << "bit " << bit;
  }
}

TEST(SnapshotFile, is_refused_when_it_is_cut_off_or_has_more_at_its_end) {
  const std::string bytes = small_world().snapshot().to_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) ASSERT_NE(reason(bytes.substr(0, size)), "") << size;
  EXPECT_NE(reason(bytes + '\0').find("too many"), std::string::npos);
  EXPECT_EQ(reason(bytes), "");
}

TEST(SnapshotFile, is_refused_when_it_is_foreign_or_of_another_version) {
  EXPECT_NE(reason("{\"cairn\": 1}").find("is no snapshot"), std::string::npos);
  const std::string bytes = small_world().snapshot().to_bytes();
  file::Kind newer = snapshot::kKind;
  newer.version += 1;
  EXPECT_NE(reason(file::pack(newer, unpacked(bytes))).find("format version"), std::string::npos);
  // the numerics version is under the checksum of the table: a file of another is one of another build
  std::string other = bytes;
  const std::size_t table = 24 + 24 * snapshot::kSections;
  other[12] = static_cast<char>(kNumericsVersion + 1);
  file::Writer hash;
  hash(file::hash_of(std::string_view(other).substr(0, table)));
  other.replace(table, 8, hash.take());
  EXPECT_NE(reason(other).find("numerics version " + std::to_string(kNumericsVersion + 1)), std::string::npos);
}

TEST(SnapshotFile, that_expands_to_more_than_is_allowed_is_refused) {
  const std::string bytes = small_world().snapshot().to_bytes();
  const std::uint64_t size = unpacked_size(bytes);
  EXPECT_EQ(reason(bytes, {.bytes = size}), "");
  EXPECT_NE(reason(bytes, {.bytes = size - 1}).find("allowed"), std::string::npos);
}

TEST(SnapshotFile, that_never_ends_is_refused_where_it_is_wrong) {
  EXPECT_NE(reason(std::string(1 << 20, '\0')).find("is no snapshot"), std::string::npos);
  EXPECT_THROW(Snapshot::load("/dev/zero"), SnapshotError);
}

/// A head whose checksum is right and whose sizes lie, before zeros without end.
TEST(SnapshotFile, that_never_ends_behind_a_sound_head_is_read_no_further_than_the_caps_go) {
  constexpr std::uint64_t kMax = 1 << 20;
  const std::string bytes = small_world().snapshot().to_bytes();
  const std::size_t table = 24 + 24 * snapshot::kSections;
  const auto taken_of = [&](std::uint64_t size, std::uint64_t stored, bool whole_sections) {
    std::string file = bytes;
    file::Writer sizes, hash;
    sizes(size, stored);
    // of the last section
    file.replace(table - 24, 16, sizes.take());
    hash(file::hash_of(std::string_view(file).substr(0, table)));
    file.replace(table, 8, hash.take());
    if (!whole_sections) file.resize(table + 8);
    std::size_t taken = 0;
    const file::Input endless = [&](char* to, std::size_t n) {
      if (taken > 100 * kMax) throw std::runtime_error("reads without end");
      for (std::size_t i = 0; i < n; ++i, ++taken) to[i] = taken < file.size() ? file[taken] : '\0';
      return n;
    };
    EXPECT_THROW(file::unpack(snapshot::kKind, snapshot::kSections, endless, "endless", kMax), SnapshotError);
    return taken;
  };
  constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;
  for (const bool whole : {false, true}) {
    EXPECT_LE(taken_of(kMax / 2, kEndless, whole), bytes.size() + kMax);
    EXPECT_LE(taken_of(kEndless, kEndless, whole), bytes.size() + kMax);
    EXPECT_LE(taken_of(kMax / 2, kMax / 2, whole), bytes.size() + kMax);
  }
}

/// Files whose checksums are right, and whose content no World could have written.
TEST(SnapshotFile, whose_parts_do_not_fit_together_is_refused) {
  using snapshot::Image;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  // world 0: floor, two boxes. World 1: floor, a box that was removed, a box
  const std::vector<Forgery> forgeries{
      {"no substeps", [](Image& i) { i.batch.params.substeps = 0; }},
      {"an unknown solver", [](Image& i) { i.batch.params.solver = static_cast<SolverKind>(200); }},
      {"a step of NaN", [](Image& i) { i.batch.last_h = kNan; }},
      {"a status bit of nobody", [](Image& i) { i.batch.status = 1u << 30; }},
      {"bodies that aren't there", [](Image& i) { i.worlds[0].bodies += 1; }},
      {"shapes that aren't there", [](Image& i) { i.worlds[0].shapes += 1; }},
      {"too many shapes to hold", [](Image& i) { i.worlds[0].shapes = ~0u; }},
      {"pairs that aren't there", [](Image& i) { i.worlds[1].pairs += 1; }},
      {"no material", [](Image& i) { i.worlds[0].materials.clear(); }},
      {"no material for contacts", [](Image& i) { i.worlds[0].contact_materials.clear(); }},
      {"friction below zero", [](Image& i) { i.worlds[0].contact_materials[0].friction = -1; }},
      {"a slot twice", [](Image& i) { i.body_slots[1] = i.body_slots[0]; }},
      {"a slot past the end", [](Image& i) { i.body_slots[1] = 99; }},
      {"slots in no order", [](Image& i) { std::swap(i.shape_slots[0], i.shape_slots[1]); }},
      {"a slot too few", [](Image& i) { i.shape_slots.pop_back(); }},
      {"a free body that lives", [](Image& i) { i.worlds[1].free_bodies = {2}; }},
      {"a dead body that isn't free", [](Image& i) { i.worlds[1].free_bodies = {}; }},
      {"a free body twice", [](Image& i) { i.worlds[1].free_bodies.assign(2, 1); }},
      {"a free shape that lives", [](Image& i) { i.worlds[0].free_shapes = {0}; }},
      {"a plane that is a box", [](Image& i) { i.worlds[0].planes = {1}; }},
      {"a plane of nobody", [](Image& i) { i.worlds[0].planes.push_back(77); }},
      {"a shape of nobody", [](Image& i) { i.bodies[1].shapes = {77}; }},
      {"another's shape", [](Image& i) { i.bodies[1].shapes = {2}; }},
      {"a body without its shape", [](Image& i) { i.bodies[1].shapes = {}; }},
      {"scales of a body that was removed", [](Image& i) { i.bodies[5].scales.size = 2; }},
      {"a body without generation", [](Image& i) { i.bodies[1].generation = 0; }},
      {"a body of bad shape",
       [](Image& i) {
         i.bodies[1].body.shapes[0].geometry = Box{{-1, 1, 1}};
       }},
      {"a body of another kind of shape", [](Image& i) { i.bodies[1].body.shapes[0].geometry = Sphere{1}; }},
      {"a body of no material", [](Image& i) { i.bodies[1].body.shapes[0].material = 5; }},
      {"mass of NaN", [](Image& i) { i.bodies[1].mass.mass = kNan; }},
      {"flags of another type", [](Image& i) { i.body_columns.view().flags[1] ^= 1u; }},
      {"flags of nothing known", [](Image& i) { i.body_columns.view().flags[1] |= 1u << 20; }},
      {"flags of the dead", [](Image& i) { i.body_columns.view().flags[4] = 6; }},
      {"an island of the dead", [](Image& i) { i.body_columns.view().island[4] = 77; }},
      {"a floor that sleeps", [](Image& i) { i.body_columns.view().flags[0] |= kernels::kBodyAsleep; }},
      {"an island out at sea",
       [](Image& i) {
         i.body_columns.view().flags[1] |= kernels::kBodyAsleep;
         i.body_columns.view().island[1] = 4;
       }},
      {"two contacts of one body in one colour",
       [](Image& i) {
         for (std::size_t p = 0; p < i.pair_columns.count(); ++p) i.pair_columns.view().manifold[p].color = 0;
       }},
      {"a size out of all scales", [](Image& i) { i.world_columns.view().scales[0].size = 1e6f; }},
      {"a mass out of all scales", [](Image& i) { i.bodies[1].scales.mass = kNan; }},
      {"an origin of NaN", [](Image& i) { i.worlds[0].origin.x = kNan; }},
      {"a substep of its own", [](Image& i) { i.worlds[0].params.substeps += 1; }},
      {"a body of no radius", [](Image& i) { i.body_columns.view().radius[1] = 0; }},
      {"a shape of another kind",
       [](Image& i) { i.shape_columns.view().geometry[1].kind = kernels::ShapeKind::kPlane; }},
      {"a shape of NaN", [](Image& i) { i.shape_columns.view().geometry[1].size.x = kNan; }},
      {"a contact of nobody", [](Image& i) { i.pair_columns.view().key[0] = 77; }},
      {"a contact with itself", [](Image& i) { i.pair_columns.view().key[0] = 0; }},
      {"a contact twice", [](Image& i) { i.pair_columns.view().key[1] = i.pair_columns.view().key[0]; }},
      {"five points", [](Image& i) { i.pair_columns.view().manifold[0].count = 5; }},
      {"a colour past the last", [](Image& i) { i.pair_columns.view().manifold[0].color = 65; }},
      {"limits of nothing", [](Image& i) { i.world_columns.view().limits[1].speed = 0; }},
      {"a first bad body of nobody", [](Image& i) { i.world_columns.view().first_bad[1] = ~4u; }},
      {"a status of nobody", [](Image& i) { i.world_columns.view().status[1] = 64; }},
      {"no world", [](Image& i) { i.worlds.clear(); }},
  };
  expect_refused(small_world().snapshot(), forgeries);
}

TEST(SnapshotRefusals, leave_the_world_as_it_was) {
  World world(tower(3), cpu());
  run(world, 5);
  StepParams other = world.params();
  other.substeps = 3;
  World unlike(tower(3, other), cpu());
  run(unlike, 5);
  EXPECT_TRUE(refused(world, [&] { world.restore(unlike.snapshot(), 0, 0); }, {"StepParams"}));
  World slow(tower(3), cpu());
  slow.step(0.01f);
  EXPECT_TRUE(refused(world, [&] { world.restore(slow.snapshot(), 0, 0); }, {"substeps of"}));
  EXPECT_TRUE(refused(world, [&] { world.restore(slow.snapshot(), 1, 0); }, {"world 1"}));
  EXPECT_TRUE(refused(world, [&] { world.restore(slow.snapshot(), 0, 1); }, {"world 1"}));
  EXPECT_TRUE(refused(world, [&] { world.restore(slow.snapshot(), 0, std::vector<std::uint8_t>(2)); }, {"mask"}));
  EXPECT_THROW(World::copies(slow.snapshot(), 2, cpu(), 1), InvalidArgument);
  EXPECT_THROW(World::copies(slow.snapshot(), 0, cpu()), InvalidArgument);

  World fixed(tower(2), cpu(1, {.bodies = 3, .on_overflow = OnOverflow::kError}));
  EXPECT_TRUE(refused<CapacityError>(fixed, [&] { fixed.restore(world.snapshot()); }, {"bodies", "3", "4"}));
  EXPECT_TRUE(refused<CapacityError>(fixed, [&] { fixed.restore(world.snapshot(), 0, 0); }, {"bodies", "3", "4"}));
  World pairs(tower(2), cpu(1, {.pairs = 2, .on_overflow = OnOverflow::kError}));
  EXPECT_TRUE(refused<CapacityError>(pairs, [&] { pairs.restore(world.snapshot()); }, {"pairs", "2", "3"}));
}

}  // namespace
}  // namespace cairn::snapshot_test
