#include "src/quality/neighbours.h"

#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace cairn::quality {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

bool overlap(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(a.centre[k] - b.centre[k]) > a.half[k] + b.half[k]) return false;
  }
  return true;
}

Pairs by_trying_all(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
      if (overlap(boxes[a], boxes[b])) pairs.insert({a, b});
    }
  }
  return pairs;
}

Pairs by_grid(const std::vector<Bounds>& boxes) {
  Pairs pairs;
  for_each_overlap(boxes, [&](std::uint32_t a, std::uint32_t b) {
    EXPECT_TRUE(pairs.insert(std::minmax(a, b)).second) << a << " and " << b << " are told twice";
  });
  return pairs;
}

std::vector<Bounds> random_boxes(int count, double space, int size_decades, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-space, space), decade(-size_decades, 0);
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const auto size = [&] { return std::pow(10, decade(random)); };
    boxes.push_back({{place(random), place(random), place(random)}, {size(), size(), size()}});
  }
  return boxes;
}

TEST(Neighbours, are_those_found_by_trying_all_pairs) {
  for (const int count : {0, 1, 2, 255, 256, 257, 1000}) {
    for (const int decades : {0, 1, 4}) {
      const auto boxes = random_boxes(count, 6, decades, static_cast<unsigned>(count + decades));
      EXPECT_EQ(by_grid(boxes), by_trying_all(boxes)) << count << " boxes over " << decades << " decades of size";
    }
  }
}

TEST(Neighbours, of_boxes_without_extent_are_those_in_the_same_place) {
  const std::vector<Bounds> boxes(3);
  EXPECT_EQ(by_grid(boxes).size(), 3u);
}

TEST(Neighbours, touch_at_faces_that_lie_on_cell_borders) {
  std::vector<Bounds> boxes;
  for (int i = -4; i <= 4; ++i) boxes.push_back({{static_cast<double>(i), 0, 0}, {0.5, 0.5, 0.5}});
  EXPECT_EQ(by_grid(boxes), by_trying_all(boxes));
  EXPECT_EQ(by_grid(boxes).size(), 8u);
}

}  // namespace
}  // namespace cairn::quality
