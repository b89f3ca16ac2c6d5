#include "tools/cairn/suite.h"

#include <algorithm>

#include "cairn/errors.h"

namespace cairn::cli {
namespace {

std::vector<Suite> make_suites() {
  std::vector<Suite> all{
      {"quick",
       "a row of each kind; minutes on two cores",
       {
           {"tower:height=40", 6, 300, 300},
           {"heavy:height=10,ratio=100", 12, 300, 300},
           {"lattice:n=10", 6, 120, 120},
           {"pile:count=1000", 6, 540, 60},
           {"bricks:length=50,height=20", 6, 120, 120},
           {"lattice:n=16", 6, 120, 120},
           {"wall:base=100,pitch=1", 4, 120, 80},
           {"boulder:grains=5000", 6, 60, 60},
           {"wrecking", 6, 300, 100},
           {"tower:height=10", 6, 120, 120, 1},
           {"tower:height=10", 6, 120, 120, 64},
           {"tower:height=10", 6, 120, 120, 1024},
           {"tower:height=64", 6, 120, 60, 64},
       }},
      {"stacks",
       "towers, walls, loads, slopes and rain: what must stand",
       {
           {"tower:height=20", 6, 300, 300},
           {"tower:height=40", 6, 300, 300},
           {"tower:height=40", 24, 300, 300},
           {"tower:height=100", 12, 300, 300},
           {"wall:base=40", 4, 120, 480},
           {"wall:base=70", 4, 120, 480},
           {"heavy:height=10,ratio=100", 12, 300, 300},
           {"heavy:height=5,ratio=1000", 24, 300, 300},
           {"slope", 6, 300, 300},
           {"lattice:n=16", 6, 120, 120},
           {"lattice:n=20", 6, 120, 120},
           {"pile:count=3000", 6, 300, 300},
           {"rain:count=1000", 6, 300, 300},
       }},
      {"piles",
       "1e3 to 1e6 boxes in lattice, pile and brick walls, and what others show",
       {
           {"lattice:n=10", 6, 120, 120},
           {"lattice:n=22", 6, 120, 120},
           {"lattice:n=46", 6, 120, 120},
           {"lattice:n=100", 6, 120, 60},
           {"pile:count=1000", 6, 540, 60},
           {"pile:count=10000", 6, 540, 60},
           {"pile:count=100000", 6, 540, 60},
           {"pile:count=110000", 6, 540, 60},
           // the highest starts at 420 m
           {"pile:count=1000000", 6, 840, 60},
           {"bricks:length=50,height=20", 6, 120, 120},
           {"bricks:length=100,height=20,walls=5", 6, 120, 120},
           {"bricks:length=250,height=20,walls=20", 6, 120, 120},
           {"bricks:length=500,height=20,walls=100", 6, 120, 60},
           {"wall:base=100,pitch=1", 4, 120, 80},
           {"boulder:grains=5000", 6, 120, 60},
           {"wrecking", 6, 300, 100},
       }},
      {"shapes",
       "solids of every kind, hulls, terrain, gravel, masonry and cards; substeps as the scenes say",
       {
           {"rain:count=1000", 0, 300, 120},
           {"rain:count=10000", 0, 300, 60},
           {"hulls:count=1000", 0, 300, 120},
           {"hulls", 0, 300, 60},
           {"hulls:count=1000,vertices=256", 0, 300, 60},
           {"terrain", 0, 300, 120},
           // the same bodies on 4 km^2: distant terrain costs nothing
           {"terrain:size=2000", 0, 300, 120},
           {"gravel", 0, 120, 60},
           {"shapes", 0, 120, 120},
           {"arch", 0, 120, 120},
           {"arch", 0, 120, 120, 64},
           {"cards", 0, 120, 120},
           {"cards", 0, 120, 120, 64},
       }},
      {"joints",
       "chains, ragdolls, bridges and mechanisms; substeps as the scenes say",
       {
           {"chain:links=10", 0, 120, 120},
           {"chain:links=100", 0, 120, 120},
           {"chain:links=100,count=10", 0, 120, 120},
           {"chain:links=100,count=100", 0, 120, 120},
           {"chain:links=100,count=1000", 0, 120, 60},
           {"ragdolls:count=10", 0, 300, 120},
           {"ragdolls:count=100", 0, 300, 120},
           {"ragdolls:count=200", 0, 300, 120},
           {"ragdolls:count=2000", 0, 300, 60},
           {"bridge:planks=20", 0, 120, 120},
           {"bridge:planks=20,count=10", 0, 120, 120},
           {"bridge:planks=20,count=100", 0, 120, 60},
           {"four_bar", 0, 120, 120},
           {"wheel_drop", 0, 120, 120},
           {"wheel_drop", 0, 120, 120, 64},
           {"ragdolls:count=1", 0, 120, 120, 64},
           {"ragdolls:count=1", 0, 120, 60, 1024},
           {"quadrupeds:count=1", 0, 120, 60, 1024},
           {"quadrupeds:count=100", 0, 120, 60},
       }},
      {"grains",
       "1e4 to 1e6 balls in a bin, a heap and a silo; substeps as the scenes say",
       {
           {"grains:count=10000", 0, 300, 60},
           {"grains:count=100000", 0, 300, 60},
           {"grains:count=1000000", 0, 420, 60},
           {"repose", 0, 480, 60},
           {"silo", 0, 360, 60},
       }},
      {"batch", "1 to 16,384 worlds of 10 to 256 stacked boxes", {}},
  };
  for (const auto& [scene, substeps] :
       {std::pair{"tower:height=10", 6}, {"tower:height=64", 6}, {"tower:height=256", 12}}) {
    for (const std::uint32_t worlds : {1u, 16u, 256u, 1024u, 4096u, 16384u}) {
      all.back().rows.push_back({scene, substeps, 120, 60, worlds});
    }
  }

  Suite full{"full", "all of these", {}};
  const auto same = [](const Row& a, const Row& b) {
    return a.scene == b.scene && a.substeps == b.substeps && a.worlds == b.worlds;
  };
  for (auto suite = all.rbegin(); suite != all.rend(); ++suite) {
    for (const Row& row : suite->rows) {
      const bool there = std::any_of(full.rows.begin(), full.rows.end(), [&](const Row& r) { return same(r, row); });
      if (!there) full.rows.push_back(row);
    }
  }
  all.push_back(std::move(full));
  return all;
}

}  // namespace

const std::vector<Suite>& suites() {
  static const std::vector<Suite> kSuites = make_suites();
  return kSuites;
}

std::vector<Row> select_rows(const std::string& suite, const std::string& only) {
  std::vector<Row> rows;
  std::string names;
  for (const Suite& each : suites()) {
    names += (names.empty() ? "" : ", ") + each.name;
    if (each.name != suite) continue;
    for (const Row& row : each.rows) {
      if (row.scene.find(only) != std::string::npos) rows.push_back(row);
    }
    if (rows.empty())
      throw InvalidArgument("--only " + only + ": no scene of suite " + suite + " has this in its name");
    return rows;
  }
  throw InvalidArgument("--suite " + suite + ": there are " + names + ", articulations");
}

}  // namespace cairn::cli
