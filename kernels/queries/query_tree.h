#pragma once
// The tree of boxes for queries: built by the first query after the world has changed. Boxes are those of the shapes at
// present, without margins.

#include "kernels/bound/extent.h"
#include "kernels/common/atomic.h"
#include "kernels/queries/query.h"

namespace cairn::kernels {

/// [1] Bound of a box's rounding error, over coordinate plus size.
inline constexpr float kBoxRounding = 1e-6f;

/// A float as an integer of the same order.
CAIRN_HD std::uint32_t ordered(float f) {
  const std::uint32_t bits = bits_of(f);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}
CAIRN_HD float unordered(std::uint32_t bits) {
  return float_of((bits & 0x80000000u) != 0 ? bits & 0x7fffffffu : ~bits);
}

/// Resets the bounds. One thread per world.
struct QueryClear {
  QueryWorlds of;
  CAIRN_HD void operator()(std::uint32_t i) const {
    for (int axis = 0; axis < 3; ++axis) {
      of.lower[axis][i] = 0xffffffffu;
      of.upper[axis][i] = 0;
    }
  }
};

/// Writes box and world of slot i, and extends its world's bounds. Integer min and max. One thread per shape slot.
struct QueryBound {
  QueryScene s;

  CAIRN_HD void operator()(std::uint32_t i) const {
    s.tree.world[i] = s.world_count;
    s.tree.box[i] = {{1, 1, 1}, {-1, -1, -1}};
    const std::uint32_t body = s.shapes.body[i];
    if (body == kNone || s.shapes.geometry[i].kind == ShapeKind::kPlane || is_disabled(s.bodies.flags[body])) return;
    const Vec3 x = narrow(place_from(s, i, {0, 0, 0}));
    const Aabb about = extent_of(s.shapes.geometry[i], {{0, 0, 0}, turn_of(s, i)}, s.solids);
    const Vec3 size = max(abs(about.min), abs(about.max)), far = abs(x);
    const Vec3 slack{kBoxRounding * (far.x + max_component(size)), kBoxRounding * (far.y + max_component(size)),
                     kBoxRounding * (far.z + max_component(size))};
    const Aabb box{x + about.min - slack, x + about.max + slack};
    // a shape without a finite box can't be hit
    if (!finite(box.min) || !finite(box.max)) return;
    const std::uint32_t world = s.bodies.world[body];
    s.tree.world[i] = world;
    s.tree.box[i] = box;
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t middle = ordered(0.5f * component(box.min, axis) + 0.5f * component(box.max, axis));
      atomic_min(&s.tree_worlds.lower[axis][world], middle);
      atomic_max(&s.tree_worlds.upper[axis][world], middle);
    }
  }
};

/// Spreads the lowest 21 bits of a number to every third bit.
CAIRN_HD std::uint64_t spread_bits(std::uint32_t number) {
  std::uint64_t x = number & 0x1fffffu;
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// Morton code of slot i within its world's bounds. Writes code_low, code_high and last_order of slot i. One thread per
/// shape slot.
struct QueryCode {
  QueryScene s;

  CAIRN_HD void operator()(std::uint32_t i) const {
    std::uint64_t code = 0;
    const std::uint32_t world = s.tree.world[i];
    if (world < s.world_count) {
      const Aabb box = s.tree.box[i];
      for (int axis = 0; axis < 3; ++axis) {
        const float low = unordered(s.tree_worlds.lower[axis][world]);
        const float high = unordered(s.tree_worlds.upper[axis][world]);
        const float middle = 0.5f * component(box.min, axis) + 0.5f * component(box.max, axis);
        const double span = static_cast<double>(high) - static_cast<double>(low);
        const double share = span > 0.0 ? (static_cast<double>(middle) - static_cast<double>(low)) / span : 0.0;
        code |= spread_bits(static_cast<std::uint32_t>(share * 2097151.0)) << axis;
      }
    }
    s.tree.code_low[i] = static_cast<std::uint32_t>(code);
    s.tree.code_high[i] = static_cast<std::uint32_t>(code >> 32);
    s.tree.last_order[i] = i;
  }
};

/// Writes the box of leaf i. One thread per shape slot.
struct QueryLeaf {
  QueryTree tree;
  CAIRN_HD void operator()(std::uint32_t i) const { tree.node[i] = tree.box[tree.leaf[i]]; }
};

/// The box of node i of a level, around its up to four parts. One thread per node.
struct QueryNode {
  Aabb* below;          ///< [m] (count) of the level below
  std::uint32_t count;  ///< [1]
  Aabb* level;          ///< [m] of this one

  CAIRN_HD void operator()(std::uint32_t i) const {
    Aabb around{{1, 1, 1}, {-1, -1, -1}};
    for (std::uint32_t c = 4 * i; c < 4 * i + 4 && c < count; ++c) {
      const Aabb box = below[c];
      if (box.min.x > box.max.x) continue;
      if (around.min.x > around.max.x) {
        around = box;
      } else {
        around = {min(around.min, box.min), max(around.max, box.max)};
      }
    }
    level[i] = around;
  }
};

}  // namespace cairn::kernels
