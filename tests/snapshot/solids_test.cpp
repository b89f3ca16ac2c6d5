// Hulls, meshes and height fields in files: once each, shared when they are read, and refused if they aren't sound.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/file/archive.h"

namespace cairn::snapshot_test {
namespace {

const std::vector<Vec3> kCorners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

std::vector<Geometry> some() {
  const ConvexHull hull(kCorners);
  // the last triangle has no area, and its corners are in use
  const TriangleMesh mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5f, 0, 0}}}, {{{0, 1, 2}, {3, 1, 2}, {0, 3, 1}}});
  const HeightField field(2, 3, 0.5f, {{0, 1, 2, 3, 4, 5}});
  return {hull,
          Sphere{2},
          ConvexHull(kCorners),
          mesh,
          field,
          hull,
          HeightField(2, 3, 0.5f, field.heights()),
          mesh,
          Tube{3, 2, 1},
          ConvexHull({{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}}})};
}

std::string written(const std::vector<Geometry>& list) {
  file::Writer writer;
  writer(list);
  return writer.take();
}

std::vector<Geometry> read(const std::string& bytes) {
  file::Reader reader(bytes, "bytes");
  std::vector<Geometry> out;
  reader(out);
  reader.end();
  return out;
}

TEST(SolidsInFiles, come_back_equal_and_share_what_was_equal) {
  const auto list = some();
  const auto again = read(written(list));
  EXPECT_EQ(again, list);
  const auto hull = [&](std::size_t k) { return std::get<ConvexHull>(again[k]).data(); };
  EXPECT_EQ(hull(0), hull(2));
  EXPECT_EQ(hull(0), hull(5));
  EXPECT_NE(hull(0), hull(9));
  EXPECT_EQ(std::get<HeightField>(again[4]).data(), std::get<HeightField>(again[6]).data());
  EXPECT_EQ(std::get<TriangleMesh>(again[3]).data()->seams.size(), 1u);
  EXPECT_EQ(written(again), written(list));
}

TEST(SolidsInFiles, take_the_room_of_one) {
  const std::vector<Geometry> one{ConvexHull(kCorners)};
  std::vector<Geometry> many;
  for (int k = 0; k < 100; ++k) many.emplace_back(ConvexHull(kCorners));
  // each of the others: a byte for its kind and four for its number
  EXPECT_EQ(written(many).size(), written(one).size() + 99 * 5);
}

TEST(SolidsInFiles, that_are_damaged_are_refused_or_sound) {
  const std::string good = written(some());
  std::size_t refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      try {
        const auto list = read(bad);
        EXPECT_EQ(read(written(list)), list) << at;
      } catch (const SnapshotError&) {
        ++refused;
      }
    }
    EXPECT_THROW(read(good.substr(0, at)), SnapshotError) << at;
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace cairn::snapshot_test
