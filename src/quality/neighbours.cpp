#include "src/quality/neighbours.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

namespace cairn::quality {
namespace {

// A box of level l fits into a cell of 2^l m, so that boxes that touch it have their centres in the adjacent cells.
struct Cell {
  int level{0};                ///< [1] cell size is 2^level m
  std::int64_t i{}, j{}, k{};  ///< [1] of the box's centre
  friend bool operator==(const Cell&, const Cell&) = default;
};

int level_of(const Bounds& b) {
  const double size = 2 * std::max({b.half.x, b.half.y, b.half.z, 1e-9});
  int exponent = 0;
  std::frexp(size, &exponent);  // size < 2^exponent
  return exponent;
}

std::uint64_t hash(const Cell& c) {
  std::uint64_t h = static_cast<std::uint64_t>(c.level) * 0x9e3779b97f4a7c15u;
  for (const std::int64_t v : {c.i, c.j, c.k})
    h = (h ^ static_cast<std::uint64_t>(v)) * 0xd6e8feb86659fd93u, h ^= h >> 32;
  return h;
}

std::int64_t cell_index(double x, double size) { return static_cast<std::int64_t>(std::floor(x / size)); }

bool overlap(const Bounds& a, const Bounds& b) {
  return std::abs(a.centre.x - b.centre.x) <= a.half.x + b.half.x &&
         std::abs(a.centre.y - b.centre.y) <= a.half.y + b.half.y &&
         std::abs(a.centre.z - b.centre.z) <= a.half.z + b.half.z;
}

}  // namespace

void for_each_overlap(std::span<const Bounds> boxes, const std::function<void(std::uint32_t, std::uint32_t)>& f) {
  const auto count = static_cast<std::uint32_t>(boxes.size());
  const std::uint64_t mask = std::bit_ceil(std::uint64_t{2} * count + 1) - 1;

  // counting sort by bucket: begin[b] .. begin[b + 1] are the members of bucket b
  std::vector<Cell> cells(count);
  std::vector<std::uint32_t> begin(mask + 2), members(count);
  std::set<int> levels;
  for (std::uint32_t n = 0; n < count; ++n) {
    const reference::Vec3 x = boxes[n].centre;
    const int level = level_of(boxes[n]);
    const double size = std::ldexp(1.0, level);
    cells[n] = {level, cell_index(x.x, size), cell_index(x.y, size), cell_index(x.z, size)};
    levels.insert(level);
    ++begin[(hash(cells[n]) & mask) + 1];
  }
  for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t n = 0; n < count; ++n) members[next[hash(cells[n]) & mask]++] = n;

  // each box searches its own level and the coarser ones, so that each pair is found from its smaller box
  for (std::uint32_t n = 0; n < count; ++n) {
    const Bounds& box = boxes[n];
    for (auto level = levels.lower_bound(cells[n].level); level != levels.end(); ++level) {
      const double size = std::ldexp(1.0, *level);
      const auto low = [&](double x, double half) { return cell_index(x - half - size / 2, size); };
      const auto high = [&](double x, double half) { return cell_index(x + half + size / 2, size); };
      Cell c{.level = *level};
      for (c.i = low(box.centre.x, box.half.x); c.i <= high(box.centre.x, box.half.x); ++c.i) {
        for (c.j = low(box.centre.y, box.half.y); c.j <= high(box.centre.y, box.half.y); ++c.j) {
          for (c.k = low(box.centre.z, box.half.z); c.k <= high(box.centre.z, box.half.z); ++c.k) {
            const std::uint64_t bucket = hash(c) & mask;
            for (std::uint32_t m = begin[bucket]; m < begin[bucket + 1]; ++m) {
              const std::uint32_t other = members[m];
              if (!(cells[other] == c) || (c.level == cells[n].level && other <= n)) continue;
              if (overlap(box, boxes[other])) f(n, other);
            }
          }
        }
      }
    }
  }
}

}  // namespace cairn::quality
