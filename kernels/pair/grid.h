#pragma once
// A hierarchical uniform grid. A shape lies in one cell (its centre's) of the level whose cells are at least as large
// as its box, so that any shape that overlaps it on that level or a coarser one lies in the 27 cells around. Cells live
// in hash buckets; the cells of a row along x have consecutive buckets, so that a row of three is one range. A world of
// few shapes is one cell, of a level of its own: there each is compared with each.

#include "kernels/common/state.h"

namespace cairn::kernels {

struct GridCell {
  std::uint32_t world;
  std::uint32_t level;
  std::uint32_t x, y, z;  ///< [1] wrapped to kCellBits; the box test separates cells that wrap onto each other
};

inline constexpr std::uint32_t kCellBits = 14, kLevelBits = 6;
inline constexpr std::uint32_t kCellMask = (1u << kCellBits) - 1;
inline constexpr int kLevelBias = 32;
/// Level of the shapes of worlds that are one cell.
inline constexpr std::uint32_t kWholeLevel = kLevels - 1;
/// [1] Max shapes of such a world: with more, the comparisons cost more than the search.
inline constexpr std::uint32_t kWholeShapes = 128;
/// Cell of level l: kUnitCell * 2^(l - kLevelBias) [m]. 1.25 keeps unit boxes, the most common ones, in cells little
/// larger than they are.
inline constexpr double kUnitCell = 1.25;

/// Finest level whose cells are no smaller than `extent` [m].
CAIRN_HD std::uint32_t level_of(float extent) {
  const float ratio = extent / static_cast<float>(kUnitCell);
  const std::uint32_t bits = bits_of(ratio);
  int exponent = static_cast<int>(bits >> 23 & 0xffu) - 127;
  if ((bits & 0x7fffffu) != 0) exponent += 1;
  exponent = exponent < -kLevelBias ? -kLevelBias : (exponent > 30 ? 30 : exponent);
  return static_cast<std::uint32_t>(exponent + kLevelBias);
}

CAIRN_HD std::uint32_t wrapped(std::int64_t cell) { return static_cast<std::uint32_t>(cell & kCellMask); }
CAIRN_HD std::uint32_t wrapped_floor(double a) { return wrapped(floored(a)); }

/// [m] Edge of a cell.
CAIRN_HD double size_of_level(std::uint32_t level) {
  return power_of_two(static_cast<int>(level) - kLevelBias) * kUnitCell;
}

/// The cell of the box's centre. In double, whose rounding is far below a cell for all |x| <= 1e7 m.
CAIRN_HD GridCell cell_of(const Aabb& box, std::uint32_t world, std::uint32_t level) {
  const double inv = power_of_two(kLevelBias - static_cast<int>(level)) * (1.0 / kUnitCell);
  const auto middle = [](float a, float b) { return (static_cast<double>(a) + static_cast<double>(b)) * 0.5; };
  return {world, level, wrapped_floor(middle(box.min.x, box.max.x) * inv),
          wrapped_floor(middle(box.min.y, box.max.y) * inv), wrapped_floor(middle(box.min.z, box.max.z) * inv)};
}

/// The cell of a box on the level of its size, with the resolution of float32 at this distance from the origin.
CAIRN_HD GridCell cell_of_box(const Aabb& box, std::uint32_t world) {
  const float far_out = max(max_component(abs(box.min)), max_component(abs(box.max)));
  return cell_of(box, world, level_of(max_component(box.max - box.min) + far_out * 1.0e-6f));
}

/// Key of a shape that is in no cell: dead, a plane, or of a body that is disabled.
inline constexpr std::uint64_t kNoCell = ~std::uint64_t{0};

/// World, level and row; the cell's x is in the lowest bits.
CAIRN_HD std::uint64_t key_of(const GridCell& c) {
  const std::uint64_t level = static_cast<std::uint64_t>(c.world) << kLevelBits | c.level;
  return ((level << kCellBits | c.z) << kCellBits | c.y) << kCellBits | c.x;
}
CAIRN_HD std::uint64_t row_of(std::uint64_t key) { return key >> kCellBits; }
CAIRN_HD std::uint32_t world_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> (3 * kCellBits + kLevelBits));
}
CAIRN_HD GridCell cell_of(std::uint64_t key) {
  return {world_of(key), static_cast<std::uint32_t>(key >> (3 * kCellBits)) & ((1u << kLevelBits) - 1),
          static_cast<std::uint32_t>(key) & kCellMask, static_cast<std::uint32_t>(key >> kCellBits) & kCellMask,
          static_cast<std::uint32_t>(key >> (2 * kCellBits)) & kCellMask};
}

CAIRN_HD std::uint32_t bucket_of(const GridCell& c, std::uint32_t bucket_count) {
  const std::uint32_t row = mix32(mix32(c.y + 0x9e3779b9u * c.level) + c.z + 0x85ebca6bu * c.world);
  return (row + c.x) & (bucket_count - 1);
}

/// Grown by so much on all sides.
CAIRN_HD Aabb grown(const Aabb& box, float by) {
  const Vec3 all{by, by, by};
  return {box.min - all, box.max + all};
}

/// Without short circuits: six comparisons cost less than branches, which can't be predicted.
CAIRN_HD bool overlap(const Aabb& a, const Aabb& b) {
  const bool x = (a.min.x <= b.max.x) & (b.min.x <= a.max.x);
  const bool y = (a.min.y <= b.max.y) & (b.min.y <= a.max.y);
  const bool z = (a.min.z <= b.max.z) & (b.min.z <= a.max.z);
  return x & y & z;
}

}  // namespace cairn::kernels
