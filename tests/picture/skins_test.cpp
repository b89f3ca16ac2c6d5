#include "src/picture/skins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scenes/builtin.h"
#include "tests/particles/sets.h"

namespace cairn::picture_test {
namespace {

using picture::Double3;
using picture::Skin;

std::vector<std::optional<Double3>> places(const ParticleSet& set) {
  std::vector<std::optional<Double3>> at;
  for (const Vec3d& x : set.positions) at.push_back(Double3{x.x, x.y, x.z});
  return at;
}

/// Edges of triangles that don't meet another one.
int open_edges(const Skin& skin) {
  using Point = std::array<double, 3>;
  std::map<std::pair<Point, Point>, int> edges;
  for (const picture::SkinTriangle& t : skin.triangles) {
    for (int k = 0; k < 3; ++k) {
      const Double3 a = t.at[k], b = t.at[(k + 1) % 3];
      ++edges[std::minmax(Point{a.x, a.y, a.z}, Point{b.x, b.y, b.z})];
    }
  }
  return static_cast<int>(std::ranges::count_if(edges, [](const auto& edge) { return edge.second % 2 != 0; }));
}

/// [m^3] Inside of a closed surface whose normals point outwards.
double volume(const Skin& skin) {
  double sum = 0;
  for (const picture::SkinTriangle& t : skin.triangles) {
    const Double3 area = cross(t.at[1] - t.at[0], t.at[2] - t.at[0]);
    const double sign = dot(area, t.normal[0] + t.normal[1] + t.normal[2]) < 0 ? -1 : 1;
    sum += sign * dot(area, t.at[0]) / 6;
  }
  return sum;
}

TEST(Skin, of_a_cloth_is_closed_and_as_thick_as_its_particles_but_for_its_edges) {
  constexpr int kSide = 6;
  const ParticleSet set = particles_test::sheet(kSide, 0.1, 1.5, {}, {});
  const Skin skin = picture::skin_of(set, 0.02, places(set), {});
  EXPECT_EQ(skin.triangles.size(), 2u * 2 * (kSide - 1) * (kSide - 1) + 2u * 4 * (kSide - 1));
  EXPECT_EQ(skin.covered.size(), 1u * kSide * kSide);
  EXPECT_TRUE(skin.tubes.empty());
  EXPECT_EQ(open_edges(skin), 0);
  // along its edges it is thin
  for (const picture::SkinTriangle& t : skin.triangles) {
    for (const Double3& x : t.at) {
      const bool inside = std::max(std::abs(x.x), std::abs(x.y)) < 0.24;
      EXPECT_NEAR(std::abs(x.z - 1.5), inside ? 0.02 : 0.2 * 0.02, 1e-12);
    }
  }
}

TEST(Skin, has_a_hole_where_a_cloth_is_torn) {
  const ParticleSet set = particles_test::sheet(6, 0.1, 1.5, {}, {});
  const Skin whole = picture::skin_of(set, 0.02, places(set), {});
  std::vector<std::uint8_t> broken(set.constraints[0].particles.size() / 2 + set.constraints[1].particles.size() / 4);
  // an edge inside: two triangles less on each sheet, and a rim of four edges around the hole
  const auto inner = [&] {
    for (std::size_t i = 0;; ++i) {
      if (set.constraints[0].particles[2 * i] == 14 && set.constraints[0].particles[2 * i + 1] == 15) return i;
    }
  }();
  broken[inner] = 1;
  const Skin torn = picture::skin_of(set, 0.02, places(set), broken);
  EXPECT_EQ(torn.triangles.size(), whole.triangles.size() - 4 + 8);
  EXPECT_EQ(open_edges(torn), 0);
}

TEST(Skin, of_jelly_is_the_outside_of_its_tetrahedra) {
  for (const char* name : {"jelly:count=1,cells=3", "jelly:count=1,cells=3,young_modulus=10000"}) {
    const Scene scene = scenes::make(name, 1);
    const ParticleSet& set = scene.particles().front().description;
    const Skin flush = picture::skin_of(set, 0, places(set), {}), skin = picture::skin_of(set, 0.01, places(set), {});
    EXPECT_EQ(flush.triangles.size(), 12u * 3 * 3);
    EXPECT_EQ(flush.covered.size(), set.positions.size());
    EXPECT_TRUE(flush.tubes.empty());
    EXPECT_EQ(open_edges(flush), 0);
    EXPECT_NEAR(volume(flush), 0.5 * 0.5 * 0.5, 1e-12);
    // corners and edges go out less than the sides do
    EXPECT_GT(volume(skin), 0.125 + 0.7 * 0.01 * 6 * 0.25);
    EXPECT_LT(volume(skin), 0.52 * 0.52 * 0.52);
  }
}

TEST(Skin, of_a_rope_is_a_tube_until_it_breaks) {
  const ParticleSet set = particles_test::Rope{.particles = 10}.set();
  const Skin skin = picture::skin_of(set, 0.02, places(set), {});
  ASSERT_EQ(skin.tubes.size(), 10u);
  EXPECT_EQ(skin.radius, 0.02);
  EXPECT_EQ(skin.covered.size(), 11u);
  EXPECT_TRUE(skin.triangles.empty());
  std::vector<std::uint8_t> broken(10);
  broken[3] = 1;
  EXPECT_EQ(picture::skin_of(set, 0.02, places(set), broken).tubes.size(), 9u);
  auto at = places(set);
  at[10].reset();
  const Skin shorter = picture::skin_of(set, 0.02, at, {});
  EXPECT_EQ(shorter.tubes.size(), 9u);
  EXPECT_EQ(shorter.covered.size(), 10u);
}

TEST(Skin, of_a_fluid_is_half_a_spacing_outside_of_its_particles) {
  constexpr int kSide = 10;
  constexpr double kSpacing = 0.05;
  const Fluid fluid{.spacing = static_cast<float>(kSpacing)};
  std::vector<std::optional<Double3>> at;
  // across the axes, where blocks of the grid meet
  for (int z = 0; z < kSide; ++z) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        at.push_back(kSpacing * Double3{x - 0.5 * (kSide - 1), y - 0.5 * (kSide - 1), z - 0.5 * (kSide - 1)});
      }
    }
  }
  const double half = 0.5 * kSide * kSpacing;
  const Skin skin = picture::surface_of(fluid, at);
  EXPECT_EQ(skin.covered.size(), at.size());
  EXPECT_TRUE(skin.drops.empty());
  EXPECT_EQ(open_edges(skin), 0);
  // sides are as high as they should, and round edges take little
  const double area = 6 * 4 * half * half;
  EXPECT_NEAR(volume(skin), 8 * half * half * half, 0.1 * kSpacing * area);
  int flat = 0;
  for (const picture::SkinTriangle& t : skin.triangles) {
    for (int k = 0; k < 3; ++k) {
      const Double3 x = t.at[k];
      if (std::abs(x.x) > 0.5 * half || std::abs(x.y) > 0.5 * half || x.z < 0) continue;
      EXPECT_NEAR(x.z, half, 0.1 * kSpacing);
      EXPECT_GT(t.normal[k].z, 0.9);
      ++flat;
    }
  }
  EXPECT_GT(flat, 100);
}

TEST(Skin, of_lone_particles_of_a_fluid_are_drops) {
  const Fluid fluid{.spacing = 0.1f};
  const std::vector<std::optional<Double3>> at{Double3{0, 0, 0}, Double3{3, 0, 0}, std::nullopt, Double3{1e300, 0, 0}};
  const Skin skin = picture::surface_of(fluid, at);
  EXPECT_TRUE(skin.triangles.empty());
  EXPECT_EQ(skin.drops.size(), 3u);
  EXPECT_EQ(skin.covered, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_NEAR(skin.radius, 0.05, 1e-8);
}

}  // namespace
}  // namespace cairn::picture_test
